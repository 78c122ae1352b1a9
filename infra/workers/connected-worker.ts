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

export type ConnectedWorker = ReturnType<typeof connectedWorker>;

/** @param hello as it described itself, over this channel */
export function connectedWorker(hello: Hello, channel: Channel<MessageToDispatcher, MessageToWorker>) {
  let jobs = 0;
  let current: { number: number; who: string; settle(failure: Failure | null): void } | null = null;
  let isLeaving = false;
  const failOnMachine = (how: string) => current?.settle({ text: `${current.who} ${how}`, of: 'machine' });
  return {
    /** As it is now. */
    get worker(): Worker {
      const { type: _, ...said } = hello;
      return { ...said, seenAt: channel.remoteAddress ?? said.address, busy: this.busy };
    },
    get busy(): boolean {
      return current !== null;
    },
    /** True if this worker can take a job of this kind now. */
    canDo({ role, group }: Kind): boolean {
      const ofGroup = group === undefined || hello.group === null || hello.group === group;
      return !this.busy && !isLeaving && hello.role === role && ofGroup;
    },
    /**
     * Gives it a job.
     *
     * @returns why its process ended badly, null if all is well
     */
    run({ name, entry, arguments: args, environment }: Job): Promise<Failure | null> {
      const number = jobs++;
      channel.send({ type: 'job', job: number, entry, arguments: args, environment });
      return new Promise((settle) => {
        current = { number, who: `the ${name} process on ${hello.name}`, settle };
      });
    },
    /** Asks it to end the process of its job. */
    stop(): void {
      if (current !== null) channel.send({ type: 'stop', job: current.number });
    },
    /** Tells it that the run is over. */
    dismiss(): void {
      isLeaving = true;
      channel.send({ type: 'over' });
    },
    cut: () => channel.cut(),
    /** It says that its job's process ended. */
    takeEnd(end: Extract<MessageToDispatcher, { type: 'ended' }>): void {
      if (end.job !== current?.number) return;
      current.settle(failureOf(current.who, end));
      current = null;
    },
    /** It says that it is about to leave; the end of its job's process still follows. */
    takeLeaving(why: (typeof LEAVING)[number]): void {
      isLeaving = true;
      failOnMachine(LEAVING_TEXTS[why]);
    },
    /** Its connection ended. */
    takeLoss(): void {
      failOnMachine('was lost: its connection to the dispatcher ended');
      current = null;
    },
  };
}
