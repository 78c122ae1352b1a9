/** `check`: the conformance suite, or the programs that try capabilities of libraries. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { formatCapabilities } from '../capabilities/capabilities-table.ts';
import { keepOutcomes } from '../capabilities/outcomes.ts';
import { readyLibraries, runCapabilities } from '../capabilities/run-capabilities.ts';
import { admitAll } from '../frameworks/admit.ts';
import { type CheckResult, formatCheck } from '../frameworks/check/conformance.ts';
import { KEPT_WORLDS } from '../frameworks/check/kept-worlds.ts';
import { BRIEF_PROPERTIES, CHECK_SIZES, PROPERTIES, SAVED_STATE } from '../frameworks/check/properties.ts';
import { checkFrameworks, LONG, type SuiteChoice } from '../frameworks/check/suite.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import type { Framework } from '../frameworks/framework.ts';
import { MODES_WITH_PAGE } from '../frameworks/modes.ts';
import { readyNeeds, withNeedsMet } from '../frameworks/needs.ts';
import { buildPageOf } from '../frameworks/page-build.ts';
import { type Coordinator, startCoordinator } from '../harness/trial/coordinator.ts';
import { launchChrome } from '../harness/users/chrome/chrome.ts';
import { UserError } from '../results/user-error.ts';
import { runInterruptibly, STOPPING } from './interrupt.ts';
import { parseWholeNumber } from './parse-number.ts';
import { printEither, say } from './terminal.ts';

/** Any will do; the same one each time makes a failure news. */
export const SEED = 2023;
const HOST = '127.0.0.1';

interface CheckFlags extends SuiteChoice {
  json?: boolean;
  capabilities?: boolean;
  keep?: boolean;
}

export function addCheckCommand(program: Command): void {
  const always = [SAVED_STATE, KEPT_WORLDS].map(({ id, title }) => ({
    id,
    title: `${title} (looked at with every other)`,
  }));
  const properties = [...PROPERTIES, ...always].map(({ id, title }) => `  ${id.padEnd(20)}${title}`).join('\n');
  program
    .command('check')
    .description('prove that frameworks keep users in agreement: the conformance suite, in real Chrome')
    .argument(
      '[frameworks...]',
      'the frameworks to check, as in an experiment (default: all that are installed and need no internet)',
    )
    .addOption(new Option('--mode <mode>', 'check only this mode').choices(MODES_WITH_PAGE))
    .option('--only <property>', 'check only this property; may be repeated', collectProperty, [])
    .option('--seed <number>', 'seed of random edits and delays', parseWholeNumber, SEED)
    .option(
      '--brief',
      `in Quill only, with ${CHECK_SIZES.brief.randomEdits} random edits and without ${LONG.join(', ')}; a library’s further frameworks get ${BRIEF_PROPERTIES.join(', ')} alone`,
    )
    .option('--json', 'print the findings as JSON instead of the table')
    .addOption(CAPABILITIES_FLAG)
    .addOption(KEEP_FLAG)
    .addHelpText('after', `\nProperties:\n${properties}`)
    .action(async (names: string[], flags: CheckFlags) => {
      if (flags.capabilities === true) return checkCapabilities(names, flags);
      if (flags.keep === true) {
        throw new UserError('--keep keeps the outcomes of --capabilities: add that, or leave --keep out');
      }
      const results = await check(names, flags);
      printEither(flags.json, results, () => formatCheck(results, flags.seed));
      if (results.some(({ findings }) => findings.some(({ outcome }) => outcome === 'fails'))) process.exitCode = 1;
    });
}

/** Checks what is named, or all that run; progress on stderr. */
export async function check(names: readonly string[], flags: CheckFlags): Promise<CheckResult[]> {
  return runInterruptibly(STOPPING, async (signal) => {
    const ready = { say, signal };
    const frameworks = names.length > 0 ? await named(names, ready) : await allThatRun(ready);
    return checkAll(frameworks, { ...flags, signal });
  });
}

/** In one Chrome, in which each framework's page is served by a coordinator of its own. */
async function checkAll(
  frameworks: readonly Framework[],
  flags: CheckFlags & { signal: AbortSignal },
): Promise<CheckResult[]> {
  const { signal } = flags;
  const folders = await buildPages(frameworks);
  signal.throwIfAborted();
  const chrome = await launchChrome({ show: false });
  // Closing the browser ends every step under way.
  signal.addEventListener('abort', () => chrome.close());
  const served = new Map<string, Coordinator>();
  try {
    for (const pageFolder of new Set(folders.values())) {
      const events = { onRecords() {}, onFailed() {}, onDisconnected() {} };
      served.set(pageFolder, await startCoordinator({ host: HOST, pageFolder, events }));
    }
    const pageUrlOf = ({ name }: Framework) => served.get(folders.get(name) ?? '')?.pageUrl(HOST) ?? '';
    return await checkFrameworks(frameworks, { ...flags, browser: chrome.browser, pageUrlOf, say });
  } finally {
    for (const page of served.values()) await page.close();
    await chrome.close();
  }
}

/** Options for installing the needs of frameworks: a listener for progress, and a signal that stops. */
interface Ready {
  say: (text: string) => void;
  signal: AbortSignal;
}

/** @throws UserError (exit code 2) if a framework does not exist, (exit code 3) if its needs are not met */
async function named(names: readonly string[], ready: Ready): Promise<Framework[]> {
  const frameworks = await admitAll(names, { from: process.cwd(), ...ready });
  await readyNeeds({ frameworks, ...ready });
  return frameworks;
}

/** Without being named, none that needs what may not be here. */
async function allThatRun(ready: Ready): Promise<Framework[]> {
  // Frameworks that are installed on demand are here on one machine and not on another; all machines are to check the same.
  const all = (await discoverFrameworks()).filter(
    ({ about }) => !about.oneWriter && !about.needsInternet && about.onDemand === undefined,
  );
  return withNeedsMet(
    await admitAll(
      all.map(({ name }) => name),
      { from: process.cwd(), ...ready },
    ),
    ready,
  );
}

/** The folder of each framework's page; none if the framework cannot be used, and then the check says why. */
async function buildPages(frameworks: readonly Framework[]): Promise<Map<string, string>> {
  const folders = new Map<string, string>();
  for (const framework of frameworks) {
    if (framework.problem === null) folders.set(framework.name, await buildPageOf(framework));
  }
  return folders;
}

function collectProperty(id: string, earlier: string[]): string[] {
  const ids = PROPERTIES.map((property) => property.id);
  if (ids.includes(id)) return [...earlier, id];
  throw new InvalidArgumentError(`Write one of: ${ids.join(', ')}.`);
}

const CAPABILITIES_FLAG = new Option(
  '--capabilities',
  'run the programs that try capabilities of libraries, instead of the conformance suite',
).conflicts(['mode', 'only', 'seed', 'brief']);
const KEEP_FLAG = new Option('--keep', 'with --capabilities: keep the outcomes for docs/data/capabilities.md');

/** Prints the table, or JSON; a program that fails makes the exit code 1. */
export async function checkCapabilities(
  names: readonly string[],
  { json, keep }: { json?: boolean; keep?: boolean },
): Promise<void> {
  const libraries = await readyLibraries(names, { say });
  const cells = await runInterruptibly(STOPPING, (signal) => runCapabilities({ libraries, signal }));
  if (keep === true) await keepOutcomes(cells);
  const plain = cells.map(({ capability: { id }, library, outcome }) => {
    return { capability: id, framework: library.name, ...outcome };
  });
  printEither(json, plain, () => formatCapabilities(cells));
  if (cells.some(({ outcome }) => 'failed' in outcome)) process.exitCode = 1;
}
