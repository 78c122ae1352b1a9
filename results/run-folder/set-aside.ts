/** Trials that are run again: what was before is kept, outside of what the analysis reads. */
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

const FOLDER = 'interrupted';

/**
 * @param directory where the trial's folder is
 * @param planned   the same, relative to the run's folder, as `trials/yjs-noquill-4-1`
 * @returns         where it lies now, as `interrupted/yjs-noquill-4-1-attempt-1`
 */
export async function setAside(directory: string, planned: string): Promise<string> {
  const root = directory.slice(0, -planned.split('/').join(sep).length);
  const asideAs = (attempt: number) => join(root, FOLDER, `${relative('trials', planned)}-attempt-${attempt}`);
  let attempt = 1;
  while (existsSync(asideAs(attempt))) attempt++;
  const aside = asideAs(attempt);
  await mkdir(dirname(aside), { recursive: true });
  await rename(directory, aside);
  return aside;
}
