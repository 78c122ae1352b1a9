/**
 * The schedule of the faults that an experiment injects. Everyone concerned gets its part once, before typing begins, and
 * executes that part on its own clock from the start of typing on.
 */
import type { LineFault } from '../../infra/network/link.ts';
import type { RecordOf } from '../../results/formats/records.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { AskedFault } from '../experiment/faults.ts';
import type { Member } from './coordinator.ts';
import type { MessageOf, ScheduledFault, ScheduledRestart } from './protocol.ts';
import type { TrialUser } from './trial-users.ts';

/** A user's part: all faults, each with what becomes of this user's line. */
export function faultsFor(user: TrialUser, faults: readonly AskedFault[]): ScheduledFault[] {
  return faults.map((fault) => ({ atMs: fault.atMs, forMs: fault.forMs, line: lineFaultOf(fault, user) }));
}

/** The server's part. */
export function restartsIn(faults: readonly AskedFault[]): ScheduledRestart[] {
  return faults.flatMap(({ kind, atMs, forMs }, fault) => (kind === 'server-restart' ? [{ fault, atMs, forMs }] : []));
}

/** The fault on a user's line; null: none. */
function lineFaultOf(fault: AskedFault, { number, group, link }: TrialUser): LineFault | null {
  switch (fault.kind) {
    case 'server-restart':
      return null;
    case 'offline':
      return number < fault.users ? { kind: 'offline' } : null;
    case 'network-cut':
      return isIn(fault, group) ? { kind: 'cut' } : null;
    case 'network-slow': {
      if (!isIn(fault, group)) return null;
      const { oneWayDelayMs, jitterMs, bandwidthBytesPerSecond } = fault.change;
      const slowed = {
        oneWayDelayMs: oneWayDelayMs ?? link.oneWayDelayMs,
        jitterMs: jitterMs ?? link.jitterMs,
        bandwidthBytesPerSecond: bandwidthBytesPerSecond ?? link.bandwidthBytesPerSecond,
      };
      return { kind: 'slow', link: slowed };
    }
  }
}

/** A fault that names no group strikes everyone. */
function isIn(fault: { group: string | null }, group: string): boolean {
  return fault.group === null || fault.group === group;
}

/** The log of a trial's injected faults: their beginning, their end and the users whom they struck. */
export class FaultLog {
  readonly #faults: readonly AskedFault[];
  readonly #users: readonly TrialUser[];
  readonly #restarted = new Map<number, MessageOf<'restarted'>>();
  #isWritten = false;

  constructor({ faults }: Pick<Experiment, 'faults'>, users: readonly TrialUser[]) {
    this.#faults = faults;
    this.#users = users;
  }

  /** Takes what the server reports of its restarts, until the last one or the signal. Rejects with the signal's reason. */
  async follow(server: Member, signal: AbortSignal): Promise<void> {
    for (const _restart of restartsIn(this.#faults)) {
      const restarted = await server.expect('restarted', signal);
      this.#restarted.set(restarted.fault, restarted);
    }
  }

  /**
   * The lines of those faults that began by now: all at once, at the first call.
   *
   * @param startMs when typing began; it and `nowMs` are on the coordinator's clock
   */
  lines({ startMs, nowMs }: { startMs: number; nowMs: number }): RecordOf<'asked-fault'>[] {
    if (this.#isWritten) return [];
    this.#isWritten = true;
    return this.#faults.flatMap((fault, index) => {
      const fromMs = startMs + fault.atMs;
      if (fromMs > nowMs) return [];
      const restarted = this.#restarted.get(index);
      const endedMs = fault.kind === 'server-restart' ? (restarted?.endedMs ?? null) : fromMs + fault.forMs;
      return {
        type: 'asked-fault',
        fault: index,
        kind: fault.kind,
        beganMs: restarted?.beganMs ?? fromMs,
        endedMs: endedMs !== null && endedMs <= nowMs ? endedMs : null,
        users: this.#users.filter((user) => lineFaultOf(fault, user) !== null).map(({ number }) => number),
      };
    });
  }
}
