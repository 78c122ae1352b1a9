/** The whole command line as a commander program; `cli.ts` runs it, the documents list it. */
import { Command } from 'commander';
import { loadFleet } from '../harness/fleets/fleet-kind.ts';
import { FLEET_NAMES } from '../infra/fleets.ts';
import { addCheckCommand } from './check-command.ts';
import { addCompareCommand } from './compare-command.ts';
import { addCrowdCommand } from './crowd-command.ts';
import { addListCommands, addPlanCommand } from './list-command.ts';
import { addMaxCommand } from './max-command.ts';
import { addNewFrameworkCommand } from './new-framework-command.ts';
import { addDemoCommand, addQuickCommand } from './quick-command.ts';
import { addReportCommand } from './report-command.ts';
import { addCalibrateCommand, addRunCommand } from './run-command.ts';
import { addSqlCommand } from './sql-command.ts';
import { addTestCommand } from './test-command.ts';
import { addTracesCommand } from './traces-command.ts';

/** The meaning of each exit code, in ascending order. */
export const EXIT_CODES: ReadonlyMap<number, string> = new Map([
  [0, 'fine'],
  [1, 'a trial was not valid, a threshold was missed, or a search is unfinished'],
  [2, 'bad arguments, or a bad experiment file or trace'],
  [3, 'something is missing on this machine, or failed unexpectedly'],
  [130, 'interrupted; finished trials are kept'],
]);

/** A program whose commands throw instead of ending the process; every command's help names the exit codes. */
export async function createProgram(): Promise<Command> {
  const program = new Command('scriptorium')
    .description(
      'Measures how many people can type into one rich-text document at once, with which collaboration framework, before typing stutters or edits stop arriving.',
    )
    .showHelpAfterError('(run it with --help to see what it takes)');
  addDemoCommand(program);
  addQuickCommand(program);
  addRunCommand(program);
  addPlanCommand(program);
  addCalibrateCommand(program);
  addMaxCommand(program);
  for (const name of FLEET_NAMES) (await loadFleet(name)).addCommands?.(program);
  addReportCommand(program);
  addSqlCommand(program);
  addCompareCommand(program);
  addCheckCommand(program);
  addNewFrameworkCommand(program);
  addTracesCommand(program);
  addCrowdCommand(program);
  addListCommands(program);
  addTestCommand(program);
  const exitCodes = [...EXIT_CODES].map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`);
  for (const command of withSubcommands(program)) {
    command.exitOverride();
    command.addHelpText('after', `\nExit codes:\n${exitCodes.join('\n')}`);
  }
  return program;
}

/** A command and all below it, each before its own subcommands. */
export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
