/** The local fleet: processes on this machine, in a temporary folder of each trial's own. It sets no limits on CPU or memory. */
import { type Failure, failureOf, type Job, type Launched, LOOPBACK, type RunFleet } from '../fleet.ts';
import { Child, nodeCommand } from '../process/child.ts';
import { childEnvironment } from '../process/environment.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../process/made-once.ts';

export class LocalFleet implements RunFleet {
  readonly network = LOOPBACK;
  readonly chrome = null;
  readonly #root: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #processes = new Set<Child>();
  #temporaryFolder: string | null = null;
  #stopping = false;

  /**
   * @param root        the folder that jobs' entry files are relative to
   * @param environment variables that every process gets beside those that environment.ts lets through
   */
  constructor(root: string, environment: NodeJS.ProcessEnv = {}) {
    this.#root = root;
    this.#environment = environment;
  }

  async ready(): Promise<void> {
    this.#temporaryFolder = await makeTemporaryFolder('');
    this.#stopping = false;
  }

  async launch(job: Job): Promise<Launched> {
    return { address: LOOPBACK.server.listensOn, failed: this.#run(job) };
  }

  async #run(job: Job): Promise<Failure | null> {
    const running = new Child({
      command: nodeCommand(job.entry, ...job.arguments),
      folder: this.#root,
      // Files that the process leaves behind, such as Chrome's profiles, lie in the folder that `stop` removes.
      environment: { ...childEnvironment(), ...this.#environment, ...job.environment, TMPDIR: this.#temporaryFolder! },
    });
    this.#processes.add(running);
    const end = await running.ended;
    this.#processes.delete(running);
    return this.#stopping ? null : failureOf(`the ${job.name} process`, end);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#processes].map((running) => running.stop()));
    if (this.#temporaryFolder === null) return;
    await removeTemporaryFolder(this.#temporaryFolder);
  }

  close(): Promise<void> {
    return this.stop();
  }
}
