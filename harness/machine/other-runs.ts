/** Runs on this machine know of each other: each has an empty folder among the temporary ones, which names its process. */
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../infra/process/made-once.ts';
import { PROCESS_NAME, standingOf } from '../../results/run-folder/process-name.ts';

const MEASURING = new RegExp(`^scriptorium-measuring-${PROCESS_NAME}-`);

/** Tells others of this process's run, until it is disposed of; nothing is left of a process that was killed. */
export async function announceRun(): Promise<AsyncDisposable> {
  const folder = await makeTemporaryFolder('measuring');
  return { [Symbol.asyncDispose]: () => removeTemporaryFolder(folder) };
}

/** The processes of other runs that measure on this machine now, as far as they can be seen from here; in ascending order. */
export async function otherRuns(): Promise<number[]> {
  const names = await readdir(tmpdir()).catch(() => []);
  const pids = names.flatMap((name) => {
    const found = MEASURING.exec(name)?.groups;
    return found !== undefined && standingOf(found) === 'alive' ? [Number(found.pid)] : [];
  });
  return [...new Set(pids)].filter((pid) => pid !== process.pid).sort((a, b) => a - b);
}
