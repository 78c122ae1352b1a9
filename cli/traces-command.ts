/** `scriptorium traces …`. Results go to stdout, progress to stderr; errors are thrown for the command line to show. */
import type { Command } from 'commander';
import { alignTable } from '../results/text-table.ts';
import { verifyTrace } from '../traces/cache.ts';
import { catalogued } from '../traces/catalogue.ts';
import { describeTrace, formatDescription } from '../traces/describe.ts';
import { readTraceBytes, type Trace } from '../traces/format.ts';
import {
  type AddedTrace,
  addTrace,
  fetchedTrace,
  fetchTrace,
  type ListedTrace,
  listTraces,
  resolveTrace,
} from '../traces/store.ts';
import { SYNTHETIC_NAME } from '../traces/synthetic.ts';
import { printEither, say } from './terminal.ts';

const KEPT_IN = "\nTraces are kept in the system's directory for caches, or where SCRIPTORIUM_CACHE says.";

/** Adds the command `traces` and its subcommands. They throw UserError. */
export function addTracesCommand(program: Command): void {
  const traces = program
    .command('traces')
    .description('recorded editing histories that users replay: list, fetch, add, check, show')
    .addHelpText('after', KEPT_IN);

  traces
    .command('list')
    .description('list the traces that have a name: generated, in the cache, or to be fetched')
    .option('--json', 'print JSON instead of the table')
    .action(async ({ json = false }: { json?: boolean }) => {
      printEither(json, await listTraces(), formatList);
    });

  traces
    .command('show')
    .description("print a trace's counts, lengths, and the share of each kind of edit")
    .argument('<name>', 'a name that `traces list` shows')
    .action(async (name: string) => {
      const trace = await resolveTrace(name);
      console.log([...originLines(name), formatDescription(describeTrace(trace))].join('\n'));
    });

  traces
    .command('fetch')
    .description('download a public trace, check its sha256, prove it by replay, and keep it in the cache')
    .argument('<names...>', 'names of the catalogue')
    .action(async (names: string[]) => {
      for (const name of names) await fetchOne(name);
    });

  traces
    .command('add')
    .description('prove a trace file by replay, and keep it in the cache')
    .argument('<file>', 'a trace as JSON, gzipped or not')
    .option('--name <name>', "the name to find it by (default: the file's name)")
    .action(async (file: string, options: { name?: string }) => {
      say(`Replaying ${file}`);
      printAdded(await addTrace(file, options));
    });

  traces
    .command('check')
    .description('replay a trace file against its endContent, and store nothing')
    .argument('<file>', 'a trace as JSON, gzipped or not')
    .action(async (file: string) => {
      say(`Replaying ${file}`);
      console.log(`${file} is whole: ${provenBy(await verifyTrace(await readTraceBytes(file), file))}.`);
    });
}

async function fetchOne(name: string): Promise<void> {
  const kept = await fetchedTrace(name);
  if (kept !== null)
    return console.log(`"${name}" is in the cache already: ${kept.path}\nUse it with --trace ${name}.`);
  const entry = catalogued(name);
  if (entry) say(`Downloading ${entry.address} (${entry.author}, ${entry.licence})`);
  printAdded(await fetchTrace(name));
}

function printAdded({ name, path, sha256, trace }: AddedTrace): void {
  console.log(`Added "${name}": ${provenBy(trace)}.\n${path}\nsha256 ${sha256}\nUse it with --trace ${name}.`);
}

function provenBy({ kind, txns }: Trace): string {
  const counted = txns.length === 1 ? 'transaction replays' : 'transactions replay';
  return `${txns.length.toLocaleString('en')} ${kind} ${counted} to its endContent`;
}

function originLines(name: string): string[] {
  if (name === SYNTHETIC_NAME) return ['Synthetic: generated, typed by nobody.', ''];
  const entry = catalogued(name);
  return entry ? [`${entry.description}`, `${entry.author}, ${entry.licence}`, entry.address, ''] : [];
}

function formatList(traces: readonly ListedTrace[]): string {
  return alignTable([
    ['NAME', 'STATE', 'LICENCE', 'WHAT'],
    ...traces.map(({ name, state, licence, description }) => [name, state, licence || '–', description]),
  ]);
}
