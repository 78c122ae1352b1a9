/** A worker's job: one process, and a folder for what it leaves behind. */
import { rm } from 'node:fs/promises';
import { type ProcessEnd, type RunningProcess, startProcess } from '../process/process.ts';
import { makeTemporaryFolder } from '../process/temporary-folder.ts';
import { SECRET_VARIABLES } from './environment.ts';
import type { JobOrder } from './protocol.ts';

export interface WorkerJob {
  number: number;
  /** Resolves when its process is gone, its files are removed, and its end is told. */
  end(): Promise<void>;
}

/**
 * @param root    the folder that `order.entry` is relative to
 * @param onEnded called once, with how its process ended
 */
export function startJob(root: string, order: JobOrder, onEnded: (end: ProcessEnd) => void): WorkerJob {
  const secretless = { ...process.env };
  for (const name of SECRET_VARIABLES) delete secretless[name];
  let running: RunningProcess | null = null;
  let stopped = false;
  const life = async () => {
    // What the process leaves behind, such as Chrome's profiles, is removed with it.
    const folder = await makeTemporaryFolder('job');
    const environment = { ...secretless, ...order.environment, TMPDIR: folder };
    running = startProcess({ root, entry: order.entry, arguments: order.arguments, environment });
    if (stopped) running.end();
    const end = await running.ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    onEnded(end);
  };
  const gone = life().catch((error: Error) => onEnded({ code: null, signal: null, lastWords: error.message }));
  return {
    number: order.job,
    async end() {
      stopped = true;
      await running?.end();
      await gone;
    },
  };
}
