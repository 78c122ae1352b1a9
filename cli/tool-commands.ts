/** `list`, `doctor`, `test`: what is here, whether it works. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { describeEngines, formatEngines } from '../documents/replay/engines.ts';
import { admitAll } from '../frameworks/admit.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { formatFrameworks } from '../frameworks/framework-tables.ts';
import { MODE_NAMES, MODES } from '../frameworks/modes.ts';
import { needStates } from '../frameworks/needs.ts';
import { doctorExitCode, formatChecks, runDoctor } from '../harness/machine/doctor.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { listTraces } from '../traces/store.ts';

/** What `test` runs, in order: scripts of package.json. The conformance suite comes after them. */
const SCRIPTS_OF_TEST = ['typecheck', 'lint', 'test'];

export function addToolCommands(program: Command): void {
  program
    .command('list')
    .description('list frameworks with versions and capabilities, modes, traces, and engines for single documents')
    .argument('[frameworks...]', 'only these, as in an experiment (default: all of the project, and all else)')
    .action(async (names: string[]) => {
      if (names.length > 0) {
        const named = await admitAll(names, { from: process.cwd(), say: (text) => console.error(text) });
        return console.log(formatFrameworks(named));
      }
      const [frameworks, traces] = await Promise.all([discoverFrameworks(), listTraces()]);
      console.log(formatFrameworks(frameworks, await needStates(frameworks)));
      console.log('\nmodes');
      for (const mode of MODE_NAMES) console.log(`  ${mode.padEnd(10)}${MODES[mode].description}`);
      console.log('\ntraces');
      for (const { name, description } of traces) console.log(`  ${name.padEnd(18)}${description}`);
      console.log(`\nengines, for the scenarios replay and state\n${formatEngines(await describeEngines())}`);
    });

  program
    .command('doctor')
    .description('check whether this machine can run experiments, and how quiet it is')
    .action(async () => {
      const checks = await runDoctor();
      console.log(formatChecks(checks));
      process.exitCode = doctorExitCode(checks);
    });

  program
    .command('test')
    .description('type-check, lint, run all tests, and prove that every framework converges')
    .argument('[filters...]', 'run only the test files whose path holds one of these')
    .option('--compose', 'run two users in containers instead; takes Docker and some minutes')
    .option('--aws', 'check the calls to AWS against an emulator instead; installs it from PyPI')
    .option('--faults', 'do harm to small runs instead, at random, and check what must hold afterwards')
    .option(
      '--seed <number>',
      'of the first of those runs; each later one has the next (default: by the day)',
      wholeNumber,
    )
    .option(
      '--minutes <number>',
      'begin none of those runs later than that (default: 2, or with --count no limit)',
      wholeNumber,
    )
    .option('--containers', 'those runs with users and servers in containers of this machine; needs Docker')
    .option('--count <number>', 'begin none of those runs after so many faults', wholeNumber)
    .option('--table <file>', 'write what became of the faults as Markdown; what <file>.json tells of is not run again')
    .action(async (filters: string[], options: TestOptions) => {
      process.exitCode = await runTests(filters, options);
    });
}

interface TestOptions extends CampaignOptions {
  compose?: boolean;
  aws?: boolean;
  faults?: boolean;
}

interface CampaignOptions {
  seed?: number;
  minutes?: number;
  count?: number;
  containers?: boolean;
  table?: string;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, such as 5.');
  return Number(text);
}

async function runTests(filters: readonly string[], options: TestOptions): Promise<number> {
  const { compose, aws, faults } = options;
  if (faults === true) return runProgram(process.execPath, ['tools/campaign/main.ts', ...campaignFlags(options)]);
  if (compose === true) return runProgram(join(PROJECT_ROOT, 'infra/compose/test.sh'), []);
  if (aws === true) {
    process.env.SCRIPTORIUM_TEST_AWS = '1';
    return runScript('test', ['infra/fargate/moto.test.ts']);
  }
  if (filters.length > 0) return runScript('test', filters);
  for (const script of SCRIPTS_OF_TEST) {
    if ((await runScript(script, [])) !== 0) return 1;
  }
  return runProgram(process.execPath, [...process.execArgv, 'cli/main.ts', 'check']);
}

function campaignFlags({ seed, minutes, count, containers, table }: CampaignOptions): string[] {
  const flags = Object.entries({ seed, minutes, count, table: table === undefined ? undefined : resolve(table) });
  const given = flags.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]));
  return containers === true ? [...given, '--containers'] : given;
}

/** Runs a script of package.json; Node does so without npm. */
function runScript(name: string, args: readonly string[]): Promise<number> {
  return runProgram(process.execPath, ['--run', name, '--', ...args]);
}

async function runProgram(path: string, args: readonly string[]): Promise<number> {
  const program = spawn(path, args, { cwd: PROJECT_ROOT, stdio: 'inherit' });
  const [code] = await once(program, 'close');
  return code ?? 1;
}
