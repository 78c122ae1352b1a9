/**
 * The schedule of the faults that an experiment injects. Everyone concerned gets its part once, before typing begins, and
 * executes that part on its own clock from the start of typing on.
 */
import type { LineFault } from '../../infra/network/link.ts';
import type { RecordOf } from '../../results/formats/records.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { type AskedFault, isServerFault } from '../experiment/faults.ts';
import { serverOf } from '../experiment/servers.ts';
import type { Member } from './member.ts';
import type { MessageOf, ScheduledFault, ScheduledServerFault } from './protocol.ts';
import type { TrialUser } from './trial-users.ts';

/** A user's part: all faults, each with what becomes of this user's line. */
export function faultsFor(user: TrialUser, faults: readonly AskedFault[]): ScheduledFault[] {
  return faults.map((fault) => ({ atMs: fault.atMs, forMs: fault.forMs, line: lineFaultOf(fault, user) }));
}

/** The servers' part. */
export function serverFaultsIn(faults: readonly AskedFault[]): ScheduledServerFault[] {
  return faults.flatMap((asked, fault) => ('which' in asked ? [{ fault, ...asked }] : []));
}

/** The fault on a user's line; null: none. */
function lineFaultOf(fault: AskedFault, { number, group, link }: TrialUser): LineFault | null {
  switch (fault.kind) {
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
    default:
      return null;
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
  /** How many servers users are spread over. */
  readonly #servers: { count: number; affinity: Experiment['affinity'] };
  readonly #reported = new Map<number, MessageOf<'server-fault'>>();
  #isWritten = false;

  /** @param servers how many there are */
  constructor({ faults, affinity }: Pick<Experiment, 'faults' | 'affinity'>, users: readonly TrialUser[], servers = 1) {
    this.#faults = faults;
    this.#users = users;
    this.#servers = { count: servers, affinity };
  }

  /** Takes what the servers' process reports of their faults, until the last one or the signal. Rejects with the signal's reason. */
  async follow(server: Member, signal: AbortSignal): Promise<void> {
    for (const _fault of serverFaultsIn(this.#faults)) {
      const reported = await server.expect('server-fault', signal);
      this.#reported.set(reported.fault, reported);
    }
  }

  /**
   * The lines of those faults that began by now: all at once, at the first call.
   *
   * @param startMs when typing began, null: not yet; it and `nowMs` are on the coordinator's clock
   */
  lines({ startMs, nowMs }: { startMs: number | null; nowMs: number }): RecordOf<'asked-fault'>[] {
    if (startMs === null || this.#isWritten) return [];
    this.#isWritten = true;
    return this.#faults.flatMap((fault, index) => {
      const fromMs = startMs + fault.atMs;
      if (fromMs > nowMs) return [];
      const reported = this.#reported.get(index);
      const endedMs = isServerFault(fault.kind) ? (reported?.endedMs ?? null) : fromMs + fault.forMs;
      return {
        type: 'asked-fault',
        fault: index,
        kind: fault.kind,
        beganMs: reported?.beganMs ?? fromMs,
        endedMs: endedMs !== null && endedMs <= nowMs ? endedMs : null,
        server: 'which' in fault ? (fault.which ?? undefined) : undefined,
        users: this.#users.filter((user) => this.#strikes(fault, user)).map(({ number }) => number),
      };
    });
  }

  /** True of those whom it strikes, unless it strikes all for being at all servers. */
  #strikes(fault: AskedFault, user: TrialUser): boolean {
    if (!('which' in fault)) return lineFaultOf(fault, user) !== null;
    return fault.which !== null && serverOf(user.number, this.#servers) === fault.which;
  }
}
