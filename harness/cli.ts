/** The command line. Results go to stdout, progress to stderr; whatever goes wrong ends in one of the exit codes. */
import { Command, CommanderError } from 'commander';
import { FLEET_NAMES } from '../infra/fleets.ts';
import { UserError } from '../results/user-error.ts';
import { addCheckCommand } from './cli/check-command.ts';
import { Interrupted } from './cli/interrupt.ts';
import { addReportCommands } from './cli/report-commands.ts';
import { addRunCommands } from './cli/run-commands.ts';
import { addToolCommands } from './cli/tool-commands.ts';
import { addTracesCommand } from './cli/traces-command.ts';
import { loadFleet } from './fleets/load.ts';

const EXIT_CODES = `
Exit codes:
  0    fine
  1    a trial was not valid, or a threshold was missed
  2    bad arguments, or a bad experiment file or trace
  3    something is missing on this machine, or something failed that should not
  130  interrupted; finished trials are kept`;

const program = new Command('scriptorium')
  .description(
    'Measures how many people can type into one rich-text document at once, with which collaboration framework, before typing stutters or edits stop arriving.',
  )
  .addHelpText('after', EXIT_CODES)
  .showHelpAfterError('(run it with --help to see what it takes)');
addRunCommands(program);
for (const name of FLEET_NAMES) (await loadFleet(name)).addCommands?.(program);
addReportCommands(program);
addCheckCommand(program);
addTracesCommand(program);
addToolCommands(program);
for (const command of withSubcommands(program)) {
  command.exitOverride();
  if (command !== program) command.addHelpText('after', EXIT_CODES);
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Says what went wrong, and gives the exit code for it. */
function report(error: unknown): number {
  // Commander has said it already; its help is no error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Interrupted) {
    console.error(error.message);
    return 130;
  }
  if (error instanceof UserError) {
    console.error(`scriptorium: ${error.message}`);
    return error.exitCode;
  }
  if ((error as NodeJS.ErrnoException)?.code === 'ENOSPC') {
    console.error(
      'scriptorium: the disk is full; finished trials are kept. Free some space, then go on with --resume.',
    );
    return 3;
  }
  console.error(error);
  return 3;
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
