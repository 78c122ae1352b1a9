/** A fleet whose machines are the dispatcher's workers. */
import { firstFailure } from '../failures.ts';
import type { Fleet, FleetNetwork, Job, Launched } from '../fleet.ts';
import type { Changes } from '../process/changes.ts';
import type { ConnectedWorker, Kind, Worker } from './connected-worker.ts';
import type { Role } from './protocol.ts';

/** A worker kills its process after 5 s; one that has not told of its end after this long is given up. */
const STOP_LIMIT_MS = 15_000;

interface DispatchedFleetOptions {
  network: FleetNetwork;
  /** Workers of a kind that can be given a job now. */
  idle(kind: Kind): ConnectedWorker[];
  /** A worker came, went, or became idle. */
  changes: Changes;
  /** The address at which other processes of the fleet reach a worker. */
  addressOf(worker: Worker): string;
}

export class DispatchedFleet implements Fleet {
  readonly network: FleetNetwork;
  readonly #options: DispatchedFleetOptions;
  readonly #launchedOn = new Set<ConnectedWorker>();
  #stopping = false;

  constructor(options: DispatchedFleetOptions) {
    this.network = options.network;
    this.#options = options;
  }

  async launch(job: Job): Promise<Launched> {
    this.#stopping = false;
    const { group, copies } = job;
    const chosen = this.#options.idle({ role: job.name as Role, group }).slice(0, copies);
    if (chosen.length < copies) {
      const where = group === undefined ? '' : ` in ${group}`;
      const text = `the ${job.name} process could not be started: no container${where} is free for it`;
      return { addresses: [], failed: Promise.resolve({ text, of: 'machine' }) };
    }
    const ends = chosen.map(async (worker) => {
      this.#launchedOn.add(worker);
      const problem = await worker.run(job);
      return this.#stopping ? null : problem;
    });
    return { addresses: chosen.map(({ worker }) => this.#options.addressOf(worker)), failed: firstFailure(ends) };
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const atWork = () => [...this.#launchedOn].filter(({ busy }) => busy);
    for (const worker of atWork()) worker.stop();
    await this.#options.changes
      .until(() => atWork().length === 0, AbortSignal.timeout(STOP_LIMIT_MS))
      .catch(() => {
        for (const worker of atWork()) worker.cut();
      });
    this.#launchedOn.clear();
  }
}
