/** One user's line to the server: a delay line if its link adds anything, or if faults are to befall it. */
import { SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import { pathBehindToken } from '../../infra/channel/token.ts';
import { realTimer } from '../../infra/clock.ts';
import { type DelayLine, startDelayLine } from '../../infra/network/delay-line.ts';
import { type Ending, foreignTarget, targetAt } from '../../infra/network/line-target.ts';
import { addsNothing } from '../../infra/network/link.ts';
import { createDelayGroups, type GroupedDelays } from '../probes/this-process.ts';
import { type Assignment, type ForeignServer, type ScheduledFault, tokenOf } from '../trial/protocol.ts';
import type { EditorDriver } from './editor-driver.ts';
import type { UserClock } from './user-clock.ts';

/** Finer than what moves a latency; a power of two, so that its multiples are short in a record. */
const LATE_STEP_MS = 0.125;

export class UserLine {
  readonly #delays = createDelayGroups(LATE_STEP_MS);
  #line: DelayLine | null = null;
  #handshakeMs: number | undefined;
  /** Faults that have it off the network now: a second may begin before the first ends. */
  #offline = 0;

  /**
   * @param options.foreign the way to a server that somebody else runs; null: it is the trial's own
   * @param options.onEnded is told how that server ended a connection, or would not have it
   * @returns the address by which this user reaches the server
   */
  async open(
    { serverUrl, pageUrl, link, faults, seed, user }: Assignment,
    { foreign, onEnded }: { foreign: ForeignServer | null; onEnded: (ending: Ending) => void },
  ): Promise<string> {
    if (foreign === null && addsNothing(link) && faults.every(({ line }) => line === null)) return serverUrl;
    const onReached = (ms: number) => {
      this.#handshakeMs = Math.min(ms, this.#handshakeMs ?? ms);
    };
    const door = foreign === null ? new URL(serverUrl).pathname : `/${tokenOf(pageUrl)}`;
    const admits = (path: string) => pathBehindToken(path, door.slice(1)) !== null;
    const target =
      foreign === null ? targetAt(new URL(serverUrl)) : foreignTarget(foreign, onEnded, { onReached, admits });
    const onReleased = this.#delays.add;
    this.#line = await startDelayLine({ target, link, seed: seed * SIGIL_NUMBERS + user, onReleased });
    // A foreign address stays on the line, with its secrets; so the line is for those who know the trial's token.
    return `ws://127.0.0.1:${this.#line.port}${door}`;
  }

  /** The shortest TCP handshake with a server that somebody else runs; undefined: there was none. */
  get handshakeMs(): number | undefined {
    return this.#handshakeMs;
  }

  /** How late it sent chunks on since the last call; empty if there is no delay line. */
  takeDelays(): GroupedDelays {
    return this.#delays.take();
  }

  /**
   * Executes the user's part of the schedule. Resolves when the last fault is over, or the signal aborts.
   *
   * @param context.startMs when typing begins, on the coordinator's clock
   */
  async carryOut(
    faults: readonly ScheduledFault[],
    context: { startMs: number; driver: Pick<EditorDriver, 'sayOnline'>; clock: UserClock; signal: AbortSignal },
  ): Promise<void> {
    await Promise.all(faults.map((fault) => this.#carryOut(fault, context)));
  }

  async close(): Promise<void> {
    await this.#line?.stop();
  }

  async #carryOut(
    { line: fault, atMs, forMs }: ScheduledFault,
    { startMs, driver, clock, signal }: Parameters<UserLine['carryOut']>[1],
  ): Promise<void> {
    if (fault === null) return;
    const line = this.#line;
    if (line === null) throw new Error('this user has no line that could fail');
    const reached = (sinceMs: number) =>
      realTimer.until(clock.fromCoordinatorMs(startMs + sinceMs), signal).then(
        () => true,
        () => false,
      );
    // A page that cannot be told meets the same as any other program on such a machine.
    const sayOnline = (isOnline: boolean) => {
      if (fault.kind !== 'offline') return;
      const others = isOnline ? --this.#offline : this.#offline++;
      if (others === 0) driver.sayOnline?.(isOnline).catch(() => {});
    };
    if (!(await reached(atMs))) return;
    const end = line.begin(fault);
    sayOnline(false);
    await reached(atMs + forMs);
    end();
    sayOnline(true);
  }
}
