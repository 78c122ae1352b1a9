/** The local fleet: processes on this machine, in a temporary folder of their own. It sets no limits on CPU or memory. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fleet, type Fleets, type Job, type Launched, LOOPBACK } from '../fleet.ts';
import { isAlive } from '../process/is-alive.ts';
import { badEnd, firstFailure, type RunningProcess, startProcess } from '../process/process.ts';

/** A fleet's temporary folder is named after its process, so that a later one can tell whether it is still needed. */
const FOLDER_PREFIX = 'scriptorium-fleet-';

/** Fleets that share nothing: each trial's processes are started anew. */
export function localFleets(root: string): Fleets {
  return { chrome: null, ready: () => createLocalFleet(root), close: async () => {} };
}

/** @param root the folder that jobs' entry files are relative to */
export async function createLocalFleet(root: string): Promise<Fleet> {
  const processes = new Set<RunningProcess>();
  await removeOrphanedFolders();
  const temporaryFolder = await mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  let stopping = false;

  const launchOne = async (job: Job): Promise<string | null> => {
    const running = startProcess({
      root,
      entry: job.entry,
      arguments: job.arguments,
      // What the process leaves behind, such as Chrome's profiles, lies where `stop` removes it.
      environment: { ...process.env, ...job.environment, TMPDIR: temporaryFolder },
    });
    processes.add(running);
    const end = await running.ended;
    processes.delete(running);
    const problem = badEnd(end);
    return problem === null || stopping ? null : `the ${job.name} process ${problem}`;
  };

  return {
    name: 'local',
    network: LOOPBACK,
    async launch(job): Promise<Launched> {
      const ends = Array.from({ length: job.copies }, () => launchOne(job));
      return { addresses: ends.map(() => LOOPBACK.server.listensOn), failed: firstFailure(ends) };
    },
    async stop() {
      stopping = true;
      await Promise.all([...processes].map((running) => running.end()));
      await rm(temporaryFolder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** A fleet whose process was killed could not remove its folder. */
async function removeOrphanedFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(FOLDER_PREFIX) ? Number.parseInt(name.slice(FOLDER_PREFIX.length), 10) : Number.NaN;
    if (Number.isNaN(owner) || isAlive(owner)) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch((error) => {
      // Another account's, on a machine that people share: theirs to remove.
      if (!['EACCES', 'EPERM'].includes(error.code)) throw error;
    });
  }
}
