/** The faults that an experiment asks for, in one trial: whom each befalls, who is ordered what, what is recorded of it. */
import type { LineFault } from '../../infra/network/line-fault.ts';
import type { Link } from '../../infra/network/link.ts';
import type { RecordOf } from '../../results/formats/records.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { AskedFault } from '../experiment/faults.ts';
import { groupOf, groupsOf, linkOn } from '../experiment/groups.ts';
import type { Member } from './coordinator.ts';
import type { MessageOf, OrderedLineFault } from './protocol.ts';

type SlowFault = Extract<AskedFault, { kind: 'network-slow' }>;

export class AskedFaults {
  readonly #experiment: Pick<Experiment, 'faults' | 'fleet' | 'network'>;
  readonly #users: number;
  /** Of each fault, whom it befalls, by number. */
  readonly #befalls: readonly number[][];
  readonly #restarted = new Map<number, MessageOf<'restarted'>>();
  /** When typing began, on the coordinator's clock; null: not yet. */
  #startMs: number | null = null;
  #areTold = false;

  constructor({ experiment, planned }: { experiment: Experiment; planned: Pick<PlannedTrial, 'users'> }) {
    this.#experiment = experiment;
    this.#users = planned.users;
    const groups = groupsOf(planned.users, experiment.network.groups);
    this.#befalls = experiment.faults.map((fault) => {
      const everyone = groups.map((_group, user) => user);
      if (fault.kind === 'server-restart') return [];
      if (fault.kind === 'offline') return everyone.slice(0, fault.users);
      return everyone.filter((user) => fault.group === null || groups[user]!.name === fault.group);
    });
  }

  get restartServer(): boolean {
    return this.#experiment.faults.some(({ kind }) => kind === 'server-restart');
  }

  /** What a user is told of them with its assignment. */
  announcedTo(user: number): { bearsFaults?: boolean; lineFails?: boolean } {
    if (this.#experiment.faults.length === 0) return {};
    return { bearsFaults: true, lineFails: this.#befalls.some((users) => users.includes(user)) };
  }

  /** Typing begins then, on the coordinator's clock; instants are counted from it. */
  beginAt(startMs: number): void {
    this.#startMs = startMs;
  }

  /** What befalls a user's line, once it is known when typing begins. */
  ordersFor(user: number): OrderedLineFault[] {
    return this.#experiment.faults.flatMap((asked, index) => {
      const fault = this.#befalls[index]!.includes(user) ? this.#lineFaultOf(asked, user) : null;
      return fault === null ? [] : [{ fault, ...this.#instantsOf(asked) }];
    });
  }

  /** Orders the server's restarts, and takes what it tells of them, until the signal aborts. */
  async follow(server: Member, signal: AbortSignal): Promise<void> {
    const restarts = this.#experiment.faults.flatMap((fault, index) =>
      fault.kind === 'server-restart' ? [{ fault: index, ...this.#instantsOf(fault) }] : [],
    );
    server.send({ type: 'restarts', restarts });
    for (const _restart of restarts) {
      const told = await server.expect('restarted', signal);
      this.#restarted.set(told.fault, told);
    }
  }

  /** What to record of those that began by now: all at once, the first time that it is asked for. */
  tell(nowMs: number): RecordOf<'asked-fault'>[] {
    if (this.#startMs === null || this.#areTold) return [];
    this.#areTold = true;
    return this.#experiment.faults.flatMap((fault, index) => {
      const { fromMs, untilMs } = this.#instantsOf(fault);
      if (fromMs > nowMs) return [];
      const restarted = this.#restarted.get(index);
      const ended = fault.kind === 'server-restart' ? (restarted?.endedMs ?? null) : untilMs;
      return {
        type: 'asked-fault',
        fault: index,
        kind: fault.kind,
        beganMs: restarted?.beganMs ?? fromMs,
        endedMs: ended !== null && ended <= nowMs ? ended : null,
        users: this.#befalls[index]!,
      };
    });
  }

  #instantsOf({ atMs, forMs }: AskedFault): { fromMs: number; untilMs: number } {
    if (this.#startMs === null) throw new Error('faults are ordered before it is known when typing begins');
    return { fromMs: this.#startMs + atMs, untilMs: this.#startMs + atMs + forMs };
  }

  /** What becomes of a user's line; null: nothing. */
  #lineFaultOf(fault: AskedFault, user: number): LineFault | null {
    switch (fault.kind) {
      case 'server-restart':
        return null;
      case 'network-cut':
        return { kind: 'cut' };
      case 'network-slow':
        return { kind: 'slow', link: this.#slowLinkOf(user, fault) };
      case 'offline':
        return { kind: 'offline' };
    }
  }

  /** The user's own link, with what the fault changes of it. */
  #slowLinkOf(user: number, { change }: SlowFault): Link {
    const { fleet, network } = this.#experiment;
    const own = linkOn(fleet.on, groupOf(user, this.#users, network.groups));
    return {
      oneWayDelayMs: change.oneWayDelayMs ?? own.oneWayDelayMs,
      jitterMs: change.jitterMs ?? own.jitterMs,
      bandwidthBytesPerSecond: change.bandwidthBytesPerSecond ?? own.bandwidthBytesPerSecond,
    };
  }
}
