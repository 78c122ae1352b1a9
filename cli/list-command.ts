/** `list` shows frameworks, modes, traces and engines; `doctor` checks this machine. */
import type { Command } from 'commander';
import { describeEngines, formatEngines } from '../documents/replay/engines.ts';
import { admitAll } from '../frameworks/admit.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { formatFrameworks } from '../frameworks/framework-tables.ts';
import { MODE_NAMES, MODES } from '../frameworks/modes.ts';
import { needStates } from '../frameworks/needs.ts';
import { doctorExitCode, formatChecks, runDoctor } from '../harness/machine/doctor.ts';
import { listTraces } from '../traces/store.ts';

export function addListCommands(program: Command): void {
  program
    .command('list')
    .description('list frameworks with versions and capabilities, modes, traces, and engines for single documents')
    .argument(
      '[frameworks...]',
      'only these frameworks, as in an experiment (default: all, with modes, traces and engines)',
    )
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
    .description('check that this machine can run experiments, and how quiet it is')
    .action(async () => {
      const checks = await runDoctor();
      console.log(formatChecks(checks));
      process.exitCode = doctorExitCode(checks);
    });
}
