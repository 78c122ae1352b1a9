/** The local fleet: processes on this machine, in a temporary folder of each trial's own. It sets no limits on CPU or memory. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Job, type Launched, LOOPBACK, type RunFleet } from '../fleet.ts';
import { isAlive } from '../process/is-alive.ts';
import { badEnd, firstFailure, type RunningProcess, startProcess } from '../process/process.ts';

/** A fleet's temporary folder is named after its process, so that a later one can tell whether it is still needed. */
const FOLDER_PREFIX = 'scriptorium-fleet-';

export class LocalFleet implements RunFleet {
  readonly network = LOOPBACK;
  readonly chrome = null;
  readonly #root: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #processes = new Set<RunningProcess>();
  #temporaryFolder: string | null = null;
  #stopping = false;

  /**
   * @param root        the folder that jobs' entry files are relative to
   * @param environment what every process gets beside this one's own
   */
  constructor(root: string, environment: NodeJS.ProcessEnv = {}) {
    this.#root = root;
    this.#environment = environment;
  }

  async ready(): Promise<void> {
    await removeOrphanedFolders();
    this.#temporaryFolder = await mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
    this.#stopping = false;
  }

  async launch(job: Job): Promise<Launched> {
    const ends = Array.from({ length: job.copies }, () => this.#launchOne(job));
    return { addresses: ends.map(() => LOOPBACK.server.listensOn), failed: firstFailure(ends) };
  }

  async #launchOne(job: Job): Promise<string | null> {
    const running = startProcess({
      root: this.#root,
      entry: job.entry,
      arguments: job.arguments,
      // What the process leaves behind, such as Chrome's profiles, lies where `stop` removes it.
      environment: { ...process.env, ...this.#environment, ...job.environment, TMPDIR: this.#temporaryFolder! },
    });
    this.#processes.add(running);
    const end = await running.ended;
    this.#processes.delete(running);
    const problem = badEnd(end);
    return problem === null || this.#stopping ? null : `the ${job.name} process ${problem}`;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#processes].map((running) => running.end()));
    if (this.#temporaryFolder === null) return;
    await rm(this.#temporaryFolder, { recursive: true, force: true, maxRetries: 3 });
  }

  close(): Promise<void> {
    return this.stop();
  }
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
