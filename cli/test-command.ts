/** `test`: type checks, lint, tests, conformance. */
import { appendFile, mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { leftOut, readyProjectPackages } from '../frameworks/packages/project-packages.ts';
import { runInTerminal } from '../infra/process/child.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { parseWholeNumber } from './parse-number.ts';
import { say } from './terminal.ts';

/** Scripts of package.json that tell at once what is wrong. */
const STATIC_CHECKS = ['typecheck', 'lint'];
/** Names the file to which tests/failures.ts appends what failed. */
export const FAILURES_VARIABLE = 'SCRIPTORIUM_TEST_FAILURES';
/** Before a program that takes only what others leave of the cores. */
const SPARING = ['nice', '-n', '10'];

export function addTestCommand(program: Command): void {
  program
    .command('test')
    .description('type-check, lint, run all tests, and prove that every framework converges')
    .argument('[filters...]', 'run only test files with one of these in their path')
    .option('--full', 'check every framework with all random edits, in Quill and without rendering: some minutes more')
    .option('--compose', 'run two users in containers instead; needs Docker and some minutes')
    .option('--aws', 'check stacks and calls of AWS against an emulator and a linter instead; installs them from PyPI')
    .option('--faults', 'inject random faults into small runs instead, and check their ends and verdicts')
    .option(
      '--seed <number>',
      'with --faults: seed of the first run; each later run has the next (default: by the day)',
      parseWholeNumber,
    )
    .option(
      '--minutes <number>',
      'with --faults: begin no run later than that (default: 2, or with --count no limit)',
      parseWholeNumber,
    )
    .option('--containers', 'with --faults: users and servers in containers of this machine; needs Docker')
    .option('--count <number>', 'with --faults: begin no run after so many faults', parseWholeNumber)
    .option(
      '--table <file>',
      'with --faults: write the faults’ outcomes as Markdown; runs that <file>.json holds are not repeated',
    )
    .action(async (filters: string[], options: TestOptions) => {
      process.exitCode = await runTests(filters, options);
    });
}

interface TestOptions extends NemesisOptions {
  full?: boolean;
  compose?: boolean;
  aws?: boolean;
  faults?: boolean;
}

interface NemesisOptions {
  seed?: number;
  minutes?: number;
  count?: number;
  containers?: boolean;
  table?: string;
}

async function runTests(filters: readonly string[], options: TestOptions): Promise<number> {
  const { compose, aws, faults, full } = options;
  if (compose !== true) await readyProjectPackages(await leftOut({ tools: true }), { say });
  if (faults === true) return runProgram([process.execPath, 'tools/nemesis/main.ts', ...nemesisFlags(options)]);
  if (compose === true) return runProgram([join(PROJECT_ROOT, 'infra/compose/test.sh')]);
  if (aws === true) {
    process.env.SCRIPTORIUM_TEST_AWS = '1';
    return runScript('test', ['infra/fargate/moto.it.test.ts']);
  }
  if (filters.length > 0) return runScript('test', filters);
  const checked = await Promise.all(STATIC_CHECKS.map((script) => runScript(script)));
  if (checked.some((code) => code !== 0)) return 1;
  return (await runSuites(full)) ? 0 : 1;
}

/**
 * The suites of vitest.config.ts, and conformance. Several print at once, so what failed is said again at the end.
 * @returns whether all passed
 */
async function runSuites(full = false): Promise<boolean> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'scriptorium-test-'));
  const failures = join(folder.path, 'failures');
  process.env[FAILURES_VARIABLE] = failures;
  const suites = (...names: string[]) => names.map((name) => `--project=${name}`);
  const conformance = full ? ['check'] : ['check', '--brief'];
  const together = await Promise.all([
    inTurn(
      () => runScript('test', suites('it')),
      async () => {
        const code = await runProgram([process.execPath, ...process.execArgv, 'cli/main.ts', ...conformance]);
        if (code !== 0) await appendFile(failures, `✗ ./scriptorium ${conformance.join(' ')}: exit code ${code}\n`);
        return code;
      },
    ),
    // These only work: on the cores that are left by those that mostly wait for processes and links.
    runScript('test', suites('pure'), SPARING),
  ]);
  // These want cores to spare, and none beside them.
  const codes = [...together, await runScript('test', suites('trial', 'alone'))];
  const passed = codes.every((code) => code === 0);
  if (!passed)
    say(`tests failed:\n${await readFile(failures, 'utf8').catch(() => 'a suite ended without saying which')}`);
  return passed;
}

/** The exit code of the first step that fails, after which none begins; 0 if none does. */
async function inTurn(...steps: (() => Promise<number>)[]): Promise<number> {
  for (const step of steps) {
    const code = await step();
    if (code !== 0) return code;
  }
  return 0;
}

function nemesisFlags({ seed, minutes, count, containers, table }: NemesisOptions): string[] {
  const flags = Object.entries({ seed, minutes, count, table: table === undefined ? undefined : resolve(table) });
  const args = flags.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]));
  return containers === true ? [...args, '--containers'] : args;
}

/** Runs a script of package.json; Node does so without npm. */
function runScript(name: string, args: readonly string[] = [], before: readonly string[] = []): Promise<number> {
  return runProgram([...before, process.execPath, '--run', name, '--', ...args]);
}

function runProgram(command: readonly string[]): Promise<number> {
  return runInTerminal({ command, folder: PROJECT_ROOT });
}
