/** `list`, `doctor`, `test`: what is here, whether it works. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Command } from 'commander';
import { listTraces } from '../../traces/library.ts';
import { doctorExitCode, formatChecks, runDoctor } from '../machine/doctor.ts';
import { MODES } from '../plan/experiment.ts';
import { discoverFrameworks, formatFrameworks } from '../plan/frameworks.ts';
import { PROJECT_ROOT } from '../project.ts';

const MODE_DESCRIPTIONS: Record<(typeof MODES)[number], string> = {
  optquill: 'Quill in Chrome; edits received are applied in batches',
  noquill: 'an editor that renders nothing, in Chrome',
};

/** What `test` runs, in order: types, style, behaviour. */
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
    .description('check types and style, and run all tests')
    .argument('[filters...]', 'run only the test files whose path holds one of these')
    .action(async (filters: string[]) => {
      for (const [tool, ...args] of TEST_STEPS) {
        const isTests = tool === 'vitest';
        if (!isTests && filters.length > 0) continue;
        const code = await runTool(tool, isTests ? [...args, ...filters] : args);
        if (code !== 0) {
          process.exitCode = 1;
          return;
        }
      }
    });
}

/** Runs one of the project's own development tools, with its output on this terminal. */
async function runTool(name: string, args: readonly string[]): Promise<number> {
  const tool = spawn(join(PROJECT_ROOT, 'node_modules/.bin', name), args, { cwd: PROJECT_ROOT, stdio: 'inherit' });
  const [code] = await once(tool, 'close');
  return code ?? 1;
}
