/** A worker's job: one process, and a folder for what it leaves behind. */
import { rm } from 'node:fs/promises';
import { Child, type ChildEnd, nodeCommand } from '../process/child.ts';
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
export function startJob(root: string, order: JobOrder, onEnded: (end: ChildEnd) => void): WorkerJob {
  const secretless = { ...process.env };
  for (const name of SECRET_VARIABLES) delete secretless[name];
  let running: Child | null = null;
  let stopped = false;
  const life = async () => {
    // What the process leaves behind, such as Chrome's profiles, is removed with it.
    const folder = await makeTemporaryFolder('job');
    const environment = { ...secretless, ...order.environment, TMPDIR: folder };
    running = new Child({ command: nodeCommand(order.entry, ...order.arguments), folder: root, environment });
    if (stopped) running.stop();
    const end = await running.ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    onEnded(end);
  };
  const gone = life().catch((error: Error) => onEnded({ code: null, signal: null, lastWords: error.message }));
  return {
    number: order.job,
    async end() {
      stopped = true;
      await running?.stop();
      await gone;
    },
  };
}
