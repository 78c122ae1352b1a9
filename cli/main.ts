/** The command line. Results go to stdout, progress to stderr; whatever goes wrong ends in one of the exit codes. */
import { CommanderError } from 'commander';
import { UserError } from '../results/user-error.ts';
import { Interrupted } from './interrupt.ts';
import { createProgram } from './program.ts';

try {
  const program = await createProgram();
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Says what went wrong, and gives the exit code for it. */
function report(error: unknown): number {
  // Commander has printed its message already; its help is no error.
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
