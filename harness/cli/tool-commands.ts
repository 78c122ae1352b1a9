/** `list`, `doctor`, `test`: what is here, whether it works. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Command } from 'commander';
import { listTraces } from '../../traces/store.ts';
import { MODES } from '../experiment/experiment.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { formatFrameworks } from '../frameworks/framework-tables.ts';
import { doctorExitCode, formatChecks, runDoctor } from '../machine/doctor.ts';
import { PROJECT_ROOT } from '../project.ts';

const MODE_DESCRIPTIONS: Record<(typeof MODES)[number], string> = {
  optquill: 'Quill in Chrome; edits received are applied in batches',
  noquill: 'an editor that renders nothing, in Chrome',
};

/** What `test` runs, in order: types, style, behaviour. The conformance suite comes after them. */
const TEST_STEPS = [
  ['tsc', '--noEmit'],
  ['biome', 'check', '.'],
  ['vitest', 'run'],
] as const;

export function addToolCommands(program: Command): void {
  program
    .command('list')
    .description('list frameworks with versions and capabilities, modes, and traces')
    .action(async () => {
      const [frameworks, traces] = await Promise.all([discoverFrameworks(), listTraces()]);
      console.log(formatFrameworks(frameworks));
      console.log('\nmodes');
      for (const mode of MODES) console.log(`  ${mode.padEnd(10)}${MODE_DESCRIPTIONS[mode]}`);
      console.log('\ntraces');
      for (const { name, description } of traces) console.log(`  ${name.padEnd(18)}${description}`);
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
    .description('check types and style, run all tests, and prove that every framework converges')
    .argument('[filters...]', 'run only the test files whose path holds one of these')
    .option('--compose', 'run two users in containers instead; takes Docker and some minutes')
    .option('--aws', 'check the calls to AWS against an emulator instead; installs it from PyPI')
    .action(async (filters: string[], options: { compose?: boolean; aws?: boolean }) => {
      if (options.aws === true) {
        process.env.SCRIPTORIUM_TEST_AWS = '1';
        process.exitCode = await runTool('vitest', ['run', 'infra/fargate/moto.test.ts']);
        return;
      }
      if (options.compose === true) {
        process.exitCode = await runProgram(join(PROJECT_ROOT, 'infra/compose/test.sh'), []);
        return;
      }
      for (const [tool, ...args] of TEST_STEPS) {
        const isTests = tool === 'vitest';
        if (!isTests && filters.length > 0) continue;
        const code = await runTool(tool, isTests ? [...args, ...filters] : args);
        if (code !== 0) {
          process.exitCode = 1;
          return;
        }
      }
      if (filters.length > 0) return;
      const code = await runProgram(process.execPath, [...process.execArgv, 'harness/cli.ts', 'check']);
      if (code !== 0) process.exitCode = 1;
    });
}

/** Runs one of the project's own development tools, with its output on this terminal. */
function runTool(name: string, args: readonly string[]): Promise<number> {
  return runProgram(join(PROJECT_ROOT, 'node_modules/.bin', name), args);
}

async function runProgram(path: string, args: readonly string[]): Promise<number> {
  const program = spawn(path, args, { cwd: PROJECT_ROOT, stdio: 'inherit' });
  const [code] = await once(program, 'close');
  return code ?? 1;
}
