/** `explore`: worlds from a seed that find the bugs of libraries. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { countOf } from '../analysis/figures/figure-text.ts';
import { admitAll } from '../frameworks/admit.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { drawDiagram } from '../frameworks/explore/diagram.ts';
import { whyNotExplored } from '../frameworks/explore/explorable.ts';
import { type Explored, explore, LARGEST_SEED, replayWorld, type WorldFinding } from '../frameworks/explore/explore.ts';
import { type KeptWorld, readWorlds, writeWorlds } from '../frameworks/explore/kept-worlds.ts';
import { PlayerLost } from '../frameworks/explore/player.ts';
import { MOST_SERVERS, type WorldBacking } from '../frameworks/explore/world.ts';
import type { Framework } from '../frameworks/framework.ts';
import { shortPath } from '../infra/project.ts';
import { plainText } from '../results/foreign-text.ts';
import { writeFileAtomically } from '../results/formats/write-file.ts';
import { ownRunFolder } from '../results/run-folder/run-owner.ts';
import { alignTable } from '../results/text-table.ts';
import { UserError } from '../results/user-error.ts';
import { runInterruptibly, STOPPING } from './interrupt.ts';
import { parseTime, wholeNumber } from './parse-number.ts';
import { coloured, say } from './terminal.ts';
import { outputDirectory } from './watched-run.ts';

const DEFAULT_FOR = '1m';
const WORLDS_FILE = 'worlds.jsonl';
/** Options of new worlds: those of a file have theirs. */
const DRAWING = ['for', 'worlds', 'seed', 'servers', 'store', 'out'];

interface ExploreFlags {
  for: number;
  worlds?: number;
  seed?: number;
  servers: number;
  store?: boolean;
  replay?: string;
  trace?: boolean;
  out?: string;
}

export function addExploreCommand(program: Command): void {
  program
    .command('explore')
    .description('look for bugs of libraries: simulated sessions with faults from a seed, tens to thousands a minute')
    .argument('[frameworks...]', 'as in an experiment (default: all that are installed and can be explored)')
    .addOption(
      new Option('--for <time>', 'how long to look, shared among the frameworks')
        .argParser(parseTime)
        .default(60_000, DEFAULT_FOR),
    )
    .addOption(
      new Option('--worlds <number>', 'how many worlds of each framework, instead of a time')
        .argParser(wholeNumber(1))
        .conflicts('for'),
    )
    .option(
      '--seed <number>',
      'seed of the first world; each later world has the next number (default: from the clock)',
      wholeNumber(0, LARGEST_SEED),
    )
    .option(
      '--servers <number>',
      'servers that share the document in each world, as the library does it',
      wholeNumber(1, MOST_SERVERS),
      1,
    )
    .option('--store', 'servers keep documents in a store that outlives them (a stand-in, in memory)')
    .addOption(new Option('--replay <file>', 'play the worlds of a file again, as explore wrote it').conflicts(DRAWING))
    .option('--trace', 'with --replay: print every message')
    .option('-o, --out <folder>', 'folder for what is found (default: results/explore/<time> in the project)')
    .action(async (names: string[], flags: ExploreFlags) => {
      const { replay: file, trace = false } = flags;
      if (file === undefined && trace) {
        throw new UserError('--trace prints the messages of --replay FILE: add that, or leave --trace out');
      }
      if (file === undefined ? await exploreAll(names, flags) : await replay(names, file, trace)) process.exitCode = 1;
    });
}

/** @returns true if anything was found */
async function exploreAll(names: readonly string[], flags: ExploreFlags): Promise<boolean> {
  const seed = flags.seed ?? seedByClock();
  const { worlds, for: forMs, servers, store = false } = flags;
  const backing = { servers, hasStore: store };
  // A finding that takes hours must find its place.
  await using _owner = flags.out === undefined ? null : await ownRunFolder(resolve(flags.out));
  if (flags.out !== undefined && existsSync(join(flags.out, WORLDS_FILE))) {
    throw new UserError(`${flags.out} holds what was found before, in ${WORLDS_FILE}; give another folder with --out`);
  }
  say(`seed ${seed}${flagsOf(backing)}`);
  let folder = '';
  const kept: WorldFinding[] = [];
  const onFinding = async (finding: WorldFinding) => {
    folder ||= await outputDirectory('explore', flags.out);
    await keepFinding(finding, { folder, kept });
  };
  const message = 'Interrupted; what was found up to then is kept.';
  const all = await runInterruptibly({ ...STOPPING, message }, async (signal) => {
    const frameworks = await chosen(names, backing);
    const size = worlds === undefined ? { forMs: forMs / frameworks.length } : { worlds };
    const options = { ...size, seed, backing, signal, say, onFinding };
    return Array.fromAsync(frameworks, (framework) => explore(framework, options));
  });
  console.log(coloured(formatExplored(all)));
  for (const finding of kept) {
    console.log(`\n${plainText(textOf(finding))}\n  in ${countOf(finding.count, 'world')}`);
  }
  if (kept.length > 0) console.log(`\nWorlds, stories and pictures: ${shortPath(folder)}`);
  // Nothing of what was asked for was done.
  if (names.length > 0 && all.every(({ why }) => why !== null)) process.exitCode = 2;
  return kept.length > 0;
}

/** Another each second. */
export function seedByClock(): number {
  return Math.floor(Date.now() / 1000) % LARGEST_SEED;
}

async function chosen(names: readonly string[], backing: WorldBacking): Promise<Framework[]> {
  const admitted = { from: process.cwd(), say };
  if (names.length > 0) return admitAll(names, admitted);
  const all = (await discoverFrameworks()).filter(
    ({ about }) => !about.needsInternet && about.onDemand === undefined && whyNotExplored(about, backing) === null,
  );
  const installed = all.map(({ name }) => name);
  return admitAll(installed, admitted);
}

/** Writes it at once: what comes next may be interrupted. */
export async function keepFinding(
  finding: WorldFinding,
  { folder, kept }: { folder: string; kept: WorldFinding[] },
): Promise<void> {
  kept.push(finding);
  const name = `${finding.framework}-${finding.broken.invariant}-${kept.length}`;
  await writeWorlds(join(folder, WORLDS_FILE), kept);
  await writeWorlds(join(folder, `${name}.jsonl`), [finding]);
  await writeFileAtomically(join(folder, `${name}.svg`), drawDiagram(finding.told.diagram));
  const story = `# ${finding.framework} ${finding.frameworkVersion}\n\n\`\`\`\n${textOf(finding)}\n\`\`\`\n\n![messages](${name}.svg)\n`;
  await writeFileAtomically(join(folder, `${name}.md`), story);
  say(`${finding.framework}: found ${finding.broken.invariant}: ${finding.broken.text} (in ${shortPath(folder)})`);
}

/** With these a seed is that of other worlds. */
function flagsOf({ servers, hasStore }: WorldBacking): string {
  const flags = [servers === 1 ? '' : ` --servers ${servers}`, hasStore ? ' --store' : ''].join('');
  return flags === '' ? '' : ` with${flags}`;
}

function textOf(finding: WorldFinding): string {
  const { framework, frameworkVersion, world, backing, told, after, repeats } = finding;
  const needs = after.length === 0 ? 'no fault' : after.join(', ');
  const sure = repeats ? 'the same each time' : 'not the same each time';
  const drawn = `seed ${world.seed}${flagsOf(backing)}`;
  return [`${framework} ${frameworkVersion}, ${drawn}: ${sure}, needs ${needs}`, ...told.story].join('\n  ');
}

function formatExplored(all: readonly Explored[]): string {
  const explored = all.filter(({ why }) => why === null);
  const rows = explored.map((each) => {
    const { framework, version, worlds, steps, messages, tookMs, repeats, findings, known } = each;
    const perWorld = (sum: number) => (worlds === 0 ? '' : (sum / worlds).toFixed(0));
    return [
      ...[framework, version, String(worlds), tookMs === 0 ? '' : String(Math.round((3_600_000 * worlds) / tookMs))],
      ...[perWorld(steps), perWorld(messages), `${repeats.same} of ${repeats.tried}`, String(findings.length)],
      String([...known.values()].reduce((sum, count) => sum + count, 0)),
    ];
  });
  const headings = ['framework', 'version', 'worlds', 'an hour', 'steps', 'messages', 'repeat', 'found', 'known'];
  const knownLines = explored.flatMap(({ framework, known }) =>
    [...known].map(([summary, count]) => `! ${framework}, ${count} worlds: ${summary}`),
  );
  const left = all.flatMap(({ framework, why }) => (why === null ? [] : [`– ${framework} is not explored: ${why}`]));
  return [...(rows.length > 0 ? [alignTable([headings, ...rows])] : []), ...knownLines, ...left].join('\n');
}

/** @returns true if any world fails */
async function replay(names: readonly string[], file: string, isTraced: boolean): Promise<boolean> {
  const kept = await readWorlds(file);
  if (kept.length === 0) throw new UserError(`${file} holds no world; give a file as explore writes it`);

  return await runInterruptibly(STOPPING, async (signal) => {
    let failed = false;
    const named = names.length > 0 ? names : [...new Set(kept.map(({ framework }) => framework))];
    const frameworks = await admitAll(named, { from: process.cwd(), say });
    for (const framework of frameworks) {
      for (const line of kept) {
        if (names.length === 0 && line.framework !== framework.name) continue;
        const { fails, lines } = await replayOne(framework, line, { signal, say, isTraced });
        failed ||= fails;
        console.log(plainText([`${framework.name} ${framework.version}`, ...lines].join('\n  ')));
      }
    }
    return failed;
  });
}

async function replayOne(
  framework: Framework,
  { frameworkVersion, invariant, text, world }: KeptWorld,
  options: { signal: AbortSignal; say: typeof say; isTraced: boolean },
): Promise<{ fails: boolean; lines: string[] }> {
  try {
    const { broken, told, trace: messages, digest } = await replayWorld(framework, world, options);
    const before = broken === null ? [`with ${frameworkVersion} it broke ${invariant}: ${text}`] : [];
    const lines = [...told.story, ...before, ...(options.isTraced ? ['', ...messages] : []), `digest ${digest}`];
    return { fails: broken !== null, lines };
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof PlayerLost)) throw error;
    return { fails: true, lines: [`sound: the process that played it ${error.how}`] };
  }
}
