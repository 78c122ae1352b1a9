/** A worker's job: one process, and a folder for its files. */
import { rm } from 'node:fs/promises';
import { Child, type ChildEnd, nodeCommand } from '../process/child.ts';
import { makeTemporaryFolder } from '../process/made-once.ts';
import { SECRET_VARIABLES } from './environment.ts';
import type { JobOrder } from './protocol.ts';

/** In a job's arguments and environment: its folder. */
export const JOB_FOLDER = '{folder}';

export interface WorkerJob {
  number: number;
  /** Tells its process something. */
  answer(value: unknown): void;
  /** Resolves when its process is gone, its files are removed, and its end is told. */
  end(): Promise<void>;
}

/**
 * @param options.root    the folder that `order.entry` is relative to
 * @param options.folder  holds the files that came for it; absent: none came
 * @param options.onSaid  gets the messages of its process, objects of which `folder` and `optional` are read; absent: it sends none
 * @param options.onEnded called once, with how its process ended
 */
export function startJob(
  order: JobOrder,
  options: { root: string; folder?: string; onSaid?(value: unknown): void; onEnded(end: ChildEnd): void },
): WorkerJob {
  const { root, onSaid, onEnded } = options;
  const secretless = { ...process.env };
  for (const name of SECRET_VARIABLES) delete secretless[name];
  let running: Child | null = null;
  let stopped = false;
  const life = async () => {
    // Files that the process leaves behind, such as Chrome's profiles, are removed with the folder.
    const folder = options.folder ?? (await makeTemporaryFolder('job'));
    const placed = (text: string) => text.replaceAll(JOB_FOLDER, folder);
    const given = Object.entries(order.environment).map(([name, value]) => [name, placed(value)]);
    const environment = { ...secretless, ...Object.fromEntries(given), TMPDIR: folder };
    const command = nodeCommand(order.entry, ...order.arguments.map(placed));
    running = new Child({ command, folder: root, environment, hasChannel: onSaid !== undefined });
    if (onSaid !== undefined) running.process.on('message', onSaid);
    if (stopped) running.stop();
    const end = await running.ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    onEnded(end);
  };
  const gone = life().catch((error: Error) => onEnded({ code: null, signal: null, lastWords: error.message }));
  return {
    number: order.job,
    answer(value) {
      if (running?.process.connected) running.process.send(value as object);
    },
    async end() {
      stopped = true;
      await running?.stop();
      await gone;
    },
  };
}
