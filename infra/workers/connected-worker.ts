/** A worker that is connected, as the dispatcher sees it: who it is, what its job is, and how that ends. */
import type { Channel } from '../channel/channel.ts';
import { type Failure, failureOf, type Job } from '../fleet.ts';
import type { Hello, LEAVING, MessageToDispatcher, MessageToWorker, Role } from './protocol.ts';

/** How the process of a worker that leaves ends; it follows the process's name. */
const LEAVING_TEXTS: Record<(typeof LEAVING)[number], string> = {
  interrupted: 'was interrupted: its container was told to end (SIGTERM)',
  deadline: 'was ended: its container came to its hard deadline',
};

/** Requirements of a job for its worker. */
export interface Kind {
  role: Role;
  /** Absent: of any group. */
  group?: string;
}

/** A worker as it described itself, and its state: busy or free. */
export interface Worker extends Readonly<Omit<Hello, 'type'>> {
  /** The address that its connection comes from, by which machines elsewhere reach it. */
  readonly seenAt: string;
  readonly busy: boolean;
}

export class ConnectedWorker {
  readonly #said: Hello;
  readonly #channel: Channel<MessageToDispatcher, MessageToWorker>;
  #jobs = 0;
  #job: { number: number; who: string; settle(failure: Failure | null): void } | null = null;
  #isLeaving = false;

  constructor(hello: Hello, channel: Channel<MessageToDispatcher, MessageToWorker>) {
    this.#said = hello;
    this.#channel = channel;
  }

  /** As it is now. */
  get worker(): Worker {
    const { type: _, ...said } = this.#said;
    return { ...said, seenAt: this.#channel.remoteAddress ?? said.address, busy: this.busy };
  }

  get busy(): boolean {
    return this.#job !== null;
  }

  /** True if this worker can take a job of this kind now. */
  canDo({ role, group }: Kind): boolean {
    const ofGroup = group === undefined || this.#said.group === null || this.#said.group === group;
    return !this.busy && !this.#isLeaving && this.#said.role === role && ofGroup;
  }

  /**
   * Gives it a job.
   *
   * @returns why its process ended badly, null if all is well
   */
  run({ name, entry, arguments: args, environment }: Job): Promise<Failure | null> {
    const number = this.#jobs++;
    this.#channel.send({ type: 'job', job: number, entry, arguments: args, environment });
    return new Promise((settle) => {
      this.#job = { number, who: `the ${name} process on ${this.#said.name}`, settle };
    });
  }

  /** Asks it to end the process of its job. */
  stop(): void {
    if (this.#job !== null) this.#channel.send({ type: 'stop', job: this.#job.number });
  }

  /** Tells it that the run is over. */
  dismiss(): void {
    this.#isLeaving = true;
    this.#channel.send({ type: 'over' });
  }

  cut(): void {
    this.#channel.cut();
  }

  /** It says that its job's process ended. */
  takeEnd(end: Extract<MessageToDispatcher, { type: 'ended' }>): void {
    if (end.job !== this.#job?.number) return;
    this.#job.settle(failureOf(this.#job.who, end));
    this.#job = null;
  }

  /** It says that it is about to leave; the end of its job's process still follows. */
  takeLeaving(why: (typeof LEAVING)[number]): void {
    this.#isLeaving = true;
    this.#failOnMachine(LEAVING_TEXTS[why]);
  }

  /** Its connection ended. */
  takeLoss(): void {
    this.#failOnMachine('was lost: its connection to the dispatcher ended');
    this.#job = null;
  }

  #failOnMachine(how: string): void {
    this.#job?.settle({ text: `${this.#job.who} ${how}`, of: 'machine' });
  }
}
