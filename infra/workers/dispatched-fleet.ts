/** A fleet whose machines are the dispatcher's workers. */
import type { Fleet, FleetNetwork, Job, Launched } from '../fleet.ts';
import type { Changes } from '../process/changes.ts';
import { firstFailure } from '../process/process.ts';
import type { ConnectedWorker, Worker } from './connected-worker.ts';
import type { Role } from './protocol.ts';

/** What a worker must be for a job. */
export interface Kind {
  role: Role;
  /** Absent: of any group. */
  group?: string;
}

/** A worker kills its process after 5 s; one that has not told of its end after this long is given up. */
const STOP_LIMIT_MS = 15_000;

export class DispatchedFleet implements Fleet {
  readonly network: FleetNetwork;
  readonly #idle: (kind: Kind) => ConnectedWorker[];
  readonly #changes: Changes;
  readonly #addressOf: (worker: Worker) => string;
  readonly #launchedOn = new Set<ConnectedWorker>();
  #stopping = false;

  /**
   * @param options.idle      workers of a kind that can be given a job now
   * @param options.changes   happen whenever a worker comes, goes, or becomes idle
   * @param options.addressOf where other processes of the fleet reach a worker
   */
  constructor(options: {
    network: FleetNetwork;
    idle: (kind: Kind) => ConnectedWorker[];
    changes: Changes;
    addressOf: (worker: Worker) => string;
  }) {
    this.network = options.network;
    this.#idle = options.idle;
    this.#changes = options.changes;
    this.#addressOf = options.addressOf;
  }

  async launch(job: Job): Promise<Launched> {
    this.#stopping = false;
    const { group, copies } = job;
    const chosen = this.#idle({ role: job.name as Role, group }).slice(0, copies);
    if (chosen.length < copies) {
      const where = group === undefined ? '' : ` in ${group}`;
      const problem = `the ${job.name} process could not be started: no container${where} is free for it`;
      return { addresses: [], failed: Promise.resolve(problem) };
    }
    const ends = chosen.map(async (worker) => {
      this.#launchedOn.add(worker);
      const problem = await worker.run(job);
      return this.#stopping ? null : problem;
    });
    return { addresses: chosen.map((worker) => this.#addressOf(worker)), failed: firstFailure(ends) };
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const atWork = () => [...this.#launchedOn].filter(({ busy }) => busy);
    for (const worker of atWork()) worker.stop();
    await this.#changes
      .until(() => atWork().length === 0, AbortSignal.timeout(STOP_LIMIT_MS))
      .catch(() => {
        for (const worker of atWork()) worker.cut();
      });
    this.#launchedOn.clear();
  }
}
