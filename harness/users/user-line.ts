/** One user's line to the server: a delay line where its link adds anything, or where faults are to befall it. */
import { SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import { realTimer } from '../../infra/clock.ts';
import { type DelayLine, startDelayLine } from '../../infra/network/delay-line.ts';
import { addsNothing } from '../../infra/network/link.ts';
import { createDelayGroups, type GroupedDelays } from '../probes/loop-delay.ts';
import type { Assignment, OrderedLineFault } from '../trial/protocol.ts';
import type { EditorDriver } from './editor-driver.ts';
import type { UserClock } from './user-clock.ts';

/** Finer than what moves a latency; a power of two, so that its multiples are short in a record. */
const LATE_STEP_MS = 0.125;

export class UserLine {
  readonly #delays = createDelayGroups(LATE_STEP_MS);
  #line: DelayLine | null = null;

  /** @returns the address by which this user reaches the server */
  async open({ serverUrl, link, lineFails, seed, user }: Assignment): Promise<string> {
    if (addsNothing(link) && !lineFails) return serverUrl;
    const { hostname, port, pathname } = new URL(serverUrl);
    const target = { host: hostname, port: Number(port) };
    const onReleased = this.#delays.add;
    this.#line = await startDelayLine({ target, link, seed: seed * SIGIL_NUMBERS + user, onReleased });
    return `ws://127.0.0.1:${this.#line.port}${pathname}`;
  }

  /** How late it sent chunks on since the last call; empty where there is no delay line. */
  takeDelays(): GroupedDelays {
    return this.#delays.take();
  }

  /** Has these faults befall it, each in its time. Resolves when the last is over, or the signal aborts. */
  async carryOut(
    faults: readonly OrderedLineFault[],
    context: { driver: Pick<EditorDriver, 'sayOnline'>; clock: UserClock; signal: AbortSignal },
  ): Promise<void> {
    await Promise.all(faults.map((fault) => this.#carryOut(fault, context)));
  }

  async close(): Promise<void> {
    await this.#line?.stop();
  }

  async #carryOut(
    { fault, fromMs, untilMs }: OrderedLineFault,
    { driver, clock, signal }: Parameters<UserLine['carryOut']>[1],
  ): Promise<void> {
    const line = this.#line;
    if (line === null) throw new Error('it has none that could fail');
    const reached = (coordinatorMs: number) =>
      realTimer.until(clock.fromCoordinatorMs(coordinatorMs), signal).then(
        () => true,
        () => false,
      );
    // A page that cannot be told meets the same as any other program on such a machine.
    const sayOnline = (isOnline: boolean) => {
      if (fault.kind === 'offline') driver.sayOnline?.(isOnline).catch(() => {});
    };
    if (!(await reached(fromMs))) return;
    const end = line.begin(fault);
    sayOnline(false);
    await reached(untilMs);
    end();
    sayOnline(true);
  }
}
