/** Temporary folders named after the process that made them, so that what a killed one left behind can be told and removed. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeOrphans } from './made-once.ts';

/** Purposes of such folders. Removing the files undoes these completely; `harness/run/base.ts` has one that git knows of. */
const PURPOSES = ['fleet', 'job', 'run', 'server', 'image', 'replay', 'state', 'rest', 'join'] as const;

const NAME = new RegExp(`^scriptorium-(?:${PURPOSES.join('|')})-(?<pid>\\d+)-`);

/**
 * Makes a folder for this process, which is to remove it again; and removes those of processes that are gone.
 *
 * @returns its path
 */
export async function makeTemporaryFolder(purpose: (typeof PURPOSES)[number]): Promise<string> {
  await removeOrphans(tmpdir(), NAME);
  return mkdtemp(join(tmpdir(), `scriptorium-${purpose}-${process.pid}-`));
}
