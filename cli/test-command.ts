/** `test`: type checks, lint, tests, conformance. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { leftOut, readyProjectPackages } from '../frameworks/packages/project-packages.ts';
import { runInTerminal } from '../infra/process/child.ts';
import { clearUpAfterEnd } from '../infra/process/group.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { UserError } from '../results/user-error.ts';
import { parseWholeNumber } from './parse-number.ts';
import { say } from './terminal.ts';

/** Scripts of package.json that tell at once what is wrong. */
const STATIC_CHECKS = ['typecheck', 'lint'];
/** Names the file to which tests/failures.ts appends what failed. */
export const FAILURES_VARIABLE = 'SCRIPTORIUM_TEST_FAILURES';
/** Failures of more files are no accident of time. */
const AGAIN_AT_MOST = 6;
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
  const { compose, aws, faults, full, ...ofFaults } = options;
  const stray = Object.keys(ofFaults).map((name) => `--${name}`);
  if (faults !== true && stray.length > 0) throw new UserError(`for --faults only: ${stray.join(', ')}; give that too`);
  if (compose !== true) await readyProjectPackages(await leftOut({ tools: true }), { say });
  if (faults === true) return runProgram([process.execPath, 'tools/nemesis/main.ts', ...nemesisFlags(options)]);
  if (compose === true) return runProgram([join(PROJECT_ROOT, 'infra/compose/test.sh')]);
  if (aws === true) {
    process.env.SCRIPTORIUM_TEST_AWS = '1';
    return runScript('test', ['infra/fargate/moto.it.test.ts']);
  }
  return amongTemporaryFiles(async () => {
    if (filters.length > 0) return runScript('test', filters);
    const checked = await Promise.all(STATIC_CHECKS.map((script) => runScript(script)));
    if (checked.some((code) => code !== 0)) return 1;
    return (await runSuites(full)) ? 0 : 1;
  });
}

/**
 * Gives all tests one folder for what they and Vitest write: it is gone afterwards, also after Ctrl-C, at which no test clears up. Its
 * name is short, as Chrome makes sockets deep within, whose paths hold 107 bytes at most.
 */
async function amongTemporaryFiles<Value>(work: () => Promise<Value>): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), 't'));
  const release = clearUpAfterEnd(['rm', '-rf', '--', folder]);
  // A database has an account of its own, and passes through.
  await chmod(folder, 0o711);
  Object.assign(process.env, { TMPDIR: folder });
  try {
    return await work();
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    release();
  }
}

/**
 * The suites of vitest.config.ts, and conformance. Several print at once, so what failed is said again at the end. Those that wait for
 * processes may fail by what runs beside them: they are tried once more, alone.
 * @returns true if all passed
 */
async function runSuites(full = false): Promise<boolean> {
  const together = await Promise.all([
    Array.fromAsync([() => runSuite(['it']), () => runConformance(full)], (step) => step()),
    // These only work: on the cores that are left by those that mostly wait for processes and links.
    runSuite(['pure'], { before: SPARING }).then((suite) => ({ ...suite, again: null })),
  ]);
  // These want cores to spare, and none beside them.
  const suites = [...together.flat(), await runSuite(['trial', 'alone'])];
  const failed = suites.filter(({ code }) => code !== 0);
  if (failed.length === 0) return true;
  const told = failed.map(({ failures }) => failures).join('');
  if (failed.some(({ again }) => again === null)) {
    say(`tests failed:\n${told}`);
    return false;
  }
  say(`tests failed, maybe of what ran beside them, and are tried once more, alone:\n${told}`);
  const again = await Array.fromAsync(failed, (suite) => suite.again!());
  const twice = again.filter(({ code }) => code !== 0);
  if (twice.length === 0) say(`failed beside others, and passed alone:\n${told}`);
  else say(`tests failed twice:\n${twice.map(({ failures }) => failures).join('')}`);
  return twice.length === 0;
}

interface Suite {
  code: number;
  /** For a person, with the end of its line. */
  failures: string;
  /** Runs what failed once more; null if that would change nothing. */
  again: (() => Promise<Suite>) | null;
}

/** A test that failed, or a file, or what failed outside of any (`file` is null), as tests/failures.ts writes it. */
export interface Failure {
  file: string | null;
  text: string;
}

async function runSuite(
  names: readonly string[],
  { args = [], before = [] }: { args?: readonly string[]; before?: readonly string[] } = {},
): Promise<Suite> {
  // All tests' folder is cleared up at their end.
  const list = join(await mkdtemp(join(tmpdir(), 'suite-')), 'failures');
  const projects = names.map((name) => `--project=${name}`);
  const environment = { ...process.env, [FAILURES_VARIABLE]: list };
  const code = await runScript('test', [...projects, ...args], { before, environment });
  const lines = (await readFile(list, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  const failures = lines.map((line) => JSON.parse(line) as Failure);
  const files = [...new Set(failures.map(({ file }) => file))].filter((file) => file !== null);
  const mayPass = files.length > 0 && files.length <= AGAIN_AT_MOST && failures.every(({ file }) => file !== null);
  return {
    code,
    failures:
      failures.length === 0
        ? `${names.join(' and ')} ended with ${code}\n`
        : failures.map(({ text }) => `✗ ${text}\n`).join(''),
    again: mayPass ? () => runSuite(names, { args: ['--no-file-parallelism', ...files] }) : null,
  };
}

async function runConformance(full: boolean): Promise<Suite> {
  const args = ['check', ...(full ? [] : ['--brief'])];
  const code = await runProgram([process.execPath, ...process.execArgv, 'cli/main.ts', ...args]);
  const failures = `./scriptorium ${args.join(' ')} ended with ${code}\n`;
  return { code, failures, again: () => runConformance(full) };
}

function nemesisFlags({ seed, minutes, count, containers, table }: NemesisOptions): string[] {
  const flags = Object.entries({ seed, minutes, count, table: table === undefined ? undefined : resolve(table) });
  const args = flags.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]));
  return containers === true ? [...args, '--containers'] : args;
}

/** Runs a script of package.json; Node does so without npm. */
function runScript(
  name: string,
  args: readonly string[] = [],
  { before = [], environment }: { before?: readonly string[]; environment?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  return runProgram([...before, process.execPath, '--run', name, '--', ...args], environment);
}

function runProgram(command: readonly string[], environment: NodeJS.ProcessEnv = process.env): Promise<number> {
  return runInTerminal({ command, folder: PROJECT_ROOT, environment });
}
