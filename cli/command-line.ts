/** A command line, from its words to its exit code: whatever goes wrong is told on stderr. */
import { CommanderError } from 'commander';
import { replacedPackages } from '../infra/process/packages.ts';
import { fileProblem } from '../results/file-problem.ts';
import { plainText } from '../results/foreign-text.ts';
import { didYouMean } from '../results/nearest.ts';
import { messageOf, UserError } from '../results/user-error.ts';
import { Interrupted } from './interrupt.ts';
import { createProgram, versionText } from './program.ts';

/** Runs a command, and sets the process's exit code if it fails; a command that ends in order sets its own. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  let canResume = false;
  try {
    // The zsh of macOS hands a comment on that stands behind a command, as in the pages.
    const words = args.includes('#') ? args.slice(0, args.indexOf('#')) : args;
    // `help run` and `run --help` are one; a wrong word is an error, whatever else is asked.
    const [name, ...rest] = words[0] === 'help' && words.length > 1 ? [words[1]!, '--help'] : words;
    if (name === '--version' || name === '-V' || name === 'version') console.log(versionText());
    else {
      const program = await createProgram(name);
      const command = program.commands.find((each) => each.name() === name);
      canResume = command?.options.some(({ long }) => long === '--resume') ?? false;
      const isCommand = command !== undefined;
      if (name?.startsWith('--chrome')) {
        throw new UserError('--chrome is for the launcher: ./scriptorium --chrome VERSION, and then the command');
      }
      if (name?.startsWith('-') && !['--help', '-h'].includes(name)) {
        const meant = didYouMean(name, ['--version', '--help']);
        throw new UserError(`there is no option "${name}"${meant}; ./scriptorium --help lists the commands`);
      }
      const isWrong = name !== undefined && !isCommand && !name.startsWith('-') && name !== 'help';
      await program.parseAsync(name === undefined ? ['--help'] : isWrong ? [name] : [name, ...rest], { from: 'user' });
    }
  } catch (error) {
    process.exitCode = report(error, { canResume });
  }
}

/** Says what went wrong, and gives the exit code for it. */
function report(error: unknown, { canResume }: { canResume: boolean }): number {
  // Commander has printed its message already; its help is no error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Interrupted) {
    console.error(error.message);
    return 130;
  }
  if (error instanceof UserError) {
    console.error(`scriptorium: ${plainText(error.message)}`);
    return error.exitCode;
  }
  if ((error as NodeJS.ErrnoException)?.syscall === 'uv_cwd') {
    console.error('scriptorium: the folder that you are in was removed; change to one that is there, such as: cd ~');
    return 2;
  }
  // An error in clearing up hides none before it.
  if (error instanceof SuppressedError) return report(error.suppressed, { canResume });
  const again = canResume ? 'go on with --resume: finished trials are kept' : undefined;
  const problem = fileProblem(error, { again });
  if (problem !== null) {
    console.error(`scriptorium: ${plainText(problem.message)}`);
    return problem.exitCode;
  }
  const replaced = replacedPackages(messageOf(error));
  console.error(replaced === null ? error : `scriptorium: ${replaced}, then ${again ?? 'give the command again'}`);
  return 3;
}
