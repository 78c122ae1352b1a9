/** The program that the launcher starts. Results go to stdout, progress to stderr; whatever goes wrong ends in one of the exit codes. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { WORK_FOLDER } from '../infra/project.ts';

// Most of a short command's time is compiling; the processes that are measured keep to themselves.
enableCompileCache(join(WORK_FOLDER, 'compiled'));
// After that: what is loaded before it is compiled each time.
const { runCommandLine } = await import('./command-line.ts');

// A reader that has enough, such as `head`, closes the pipe: what follows is for nobody, and no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

await runCommandLine(process.argv.slice(2));
