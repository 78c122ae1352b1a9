/** Where a run's results go, and how that is told. */
import { mkdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { PROJECT_ROOT } from '../infra/project.ts';

/**
 * What `--out` says, or else a new folder `results/<experiment>/<UTC time>`, with a time that file systems and sorting like,
 * and a number behind it where that one is taken.
 */
export async function outputDirectory(experiment: string, out: string | undefined): Promise<string> {
  if (out !== undefined) return resolve(out);
  const time = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
  const runs = join(PROJECT_ROOT, 'results', experiment);
  await mkdir(runs, { recursive: true });
  for (let number = 1; ; number++) {
    const directory = join(runs, number === 1 ? time : `${time}-${number}`);
    // Making it fails for the second of two who come at once.
    const isMade = await mkdir(directory).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (isMade) return directory;
  }
}

/** From where the person is, where that is below it. */
export function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}
