/** The program that the launcher starts. Results go to stdout, progress to stderr; whatever goes wrong ends in one of the exit codes. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { WORK_FOLDER } from '../infra/project.ts';

// Most of a short command's time is compiling; the processes that are measured keep to themselves.
enableCompileCache(join(WORK_FOLDER, 'compiled'));
// After that: what is loaded before it is compiled each time.
const { runCommandLine } = await import('./command-line.ts');
const { outliveTerminal } = await import('./interrupt.ts');
const { diskProblem } = await import('../results/file-problem.ts');

/** A reader had enough, such as `head`, or the terminal was closed: what follows is for nobody, and no failure. */
const UNREAD = ['EPIPE', 'EIO'];
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (UNREAD.includes(error.code ?? '')) return;
  console.error(`scriptorium: ${diskProblem(error, 'its output') ?? `its output cannot be written: ${error.message}`}`);
  process.exitCode = 3;
});
// A run goes on without its progress.
process.stderr.on('error', () => {});

outliveTerminal();
await runCommandLine(process.argv.slice(2));
