/** `check`: the conformance suite. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../results/user-error.ts';
import { type CheckResult, checkFramework, SAVED_STATE } from '../check/check.ts';
import { formatCheck } from '../check/check-table.ts';
import { PROPERTIES } from '../check/properties.ts';
import { buildPage } from '../page-build.ts';
import { MODES, type Mode } from '../plan/experiment.ts';
import { discoverFrameworks } from '../plan/frameworks.ts';
import { nearest } from '../plan/nearest.ts';
import { startCoordinator } from '../trial/coordinator.ts';
import { launchChrome } from '../users/chrome.ts';
import { interruptOnSignals } from './interrupt.ts';

/** Any will do; the same one each time makes a failure news. */
const SEED = 2023;

interface CheckFlags {
  mode?: Mode;
  only: string[];
  seed: number;
  json?: boolean;
}

export function addCheckCommand(program: Command): void {
  const properties = [...PROPERTIES, SAVED_STATE].map(({ id, title }) => `  ${id.padEnd(20)}${title}`).join('\n');
  program
    .command('check')
    .description('prove that frameworks keep users in agreement: the conformance suite, in real Chrome')
    .argument('[frameworks...]', 'the frameworks to check (default: all that need no internet)')
    .addOption(new Option('--mode <mode>', 'check only this mode').choices(MODES))
    .option('--only <property>', 'check only this property; may be repeated', collectProperty, [])
    .option('--seed <number>', 'draws random edits and delays', wholeNumber, SEED)
    .option('--json', 'print the findings as JSON instead of the table')
    .addHelpText('after', `\nProperties:\n${properties}`)
    .action(async (names: string[], flags: CheckFlags) => {
      const results = await check(names, flags);
      console.log(flags.json === true ? JSON.stringify(results, null, 2) : formatCheck(results, flags.seed));
      if (results.some(({ findings }) => findings.some(({ outcome }) => outcome === 'fails'))) process.exitCode = 1;
    });
}

async function check(names: readonly string[], { mode, only, seed }: CheckFlags): Promise<CheckResult[]> {
  const all = await discoverFrameworks();
  const frameworks =
    names.length > 0 ? names.map(named) : all.filter(({ about }) => !about.oneWriter && !about.needsInternet);
  function named(name: string) {
    const found = all.find((framework) => framework.name === name);
    if (found !== undefined) return found;
    const meant = nearest(
      name,
      all.map((framework) => framework.name),
    );
    const hint = meant === null ? '' : ` (did you mean "${meant}"?)`;
    throw new UserError(
      `there is no framework "${name}"${hint}; there are: ${all.map((framework) => framework.name).join(', ')}`,
      { exitCode: 2 },
    );
  }
  const interrupt = interruptOnSignals('Interrupted.', () => console.error('Stopping every process…'));
  const pageFolder = await buildPage();
  const chrome = await launchChrome({ show: false });
  const pages = await startCoordinator({
    host: '127.0.0.1',
    pageFolder,
    events: { onRecords() {}, onFailed() {}, onDisconnected() {} },
  });
  // A browser that closes ends every step under way.
  interrupt.signal.addEventListener('abort', () => chrome.close());
  const results: CheckResult[] = [];
  try {
    for (const framework of frameworks) {
      for (const each of mode === undefined ? MODES : [mode]) {
        interrupt.signal.throwIfAborted();
        process.stderr.write(`${framework.name} ${framework.version} in ${each}: `);
        const pageUrl = pages.pageUrl('127.0.0.1');
        const { signal } = interrupt;
        const result = await checkFramework({
          framework,
          mode: each,
          browser: chrome.browser,
          pageUrl,
          seed,
          only,
          signal,
        });
        process.stderr.write(`${sayResult(result)}\n`);
        results.push(result);
      }
    }
    return results;
  } finally {
    interrupt.release();
    await chrome.close();
    await pages.close();
  }
}

function sayResult({ findings }: CheckResult): string {
  const counts = Map.groupBy(findings, ({ outcome }) => outcome);
  return [...counts].map(([outcome, group]) => `${group.length} ${outcome}`).join(', ');
}

function collectProperty(id: string, earlier: string[]): string[] {
  const ids = PROPERTIES.map((property) => property.id);
  if (ids.includes(id)) return [...earlier, id];
  throw new InvalidArgumentError(`Write one of: ${ids.join(', ')}.`);
}

function wholeNumber(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Write a whole number from 0 on.');
}
