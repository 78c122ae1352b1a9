/**
 * The schedule: when each edit of a user is due, and the loop that keeps to it.
 *
 * Edit k of a user is due at start + offset + k / keysPerSecond: absolute, so that one late edit makes no other late.
 * A user has one edit under way at a time. What is late follows back to back; what is more than `GIVE_UP_MS` behind is
 * not typed, and counted. A sigil is typed or given up as a whole, since a part of one measures nothing.
 */
import { SIGIL_LENGTH } from '../../../editors/base/sigils.ts';
import type { Timer } from '../../clock.ts';
import type { Typing } from '../../experiment/experiment.ts';
import type { Action, Typist } from './typist.ts';

/** The design's bound: an edit that is further behind is not typed. */
export const GIVE_UP_MS = 1000;

export interface ScheduleOptions extends Pick<Typing, 'keysPerSecond' | 'sigilPeriodMs'> {
  user: number;
  users: number;
}

export interface Schedule {
  /** When edit k is due, in ms after the start. */
  dueMs(k: number): number;
  /** Whether edit k is the first key of a sigil. */
  startsSigil(k: number): boolean;
}

/** Users are spread evenly over one key's interval, and over one sigil period. */
export function makeSchedule({ user, users, keysPerSecond, sigilPeriodMs }: ScheduleOptions): Schedule {
  const intervalMs = 1000 / keysPerSecond;
  const offsetMs = (user / users) * intervalMs;
  const keysPerPeriod = Math.max(SIGIL_LENGTH, Math.round(sigilPeriodMs / intervalMs));
  // The sigil stands at the same place in each period of this user; it never starts before the period's first key.
  const place = Math.floor((user / users) * (keysPerPeriod - SIGIL_LENGTH + 1));
  return {
    dueMs: (k) => offsetMs + k * intervalMs,
    startsSigil: (k) => k % keysPerPeriod === place,
  };
}

export interface TypingEvents {
  /** An edit was typed; instants on the timer's clock. */
  onTyped(typed: { action: Action; dueMs: number; sentMs: number; driverLagMs: number }): void;
  /** An edit was given up; the driver's own part of the lag counts here too, or a driver that stalls would go unseen. */
  onSkipped(skipped: { dueMs: number; driverLagMs: number }): void;
}

/**
 * Types from `startMs` until nothing is due before `endMs` any more.
 *
 * @param options.perform resolves when the browser acknowledged the action
 */
export async function typeOnSchedule(options: {
  schedule: Schedule;
  typist: Typist;
  startMs: number;
  endMs: number;
  perform: (action: Action) => Promise<void>;
  timer: Timer;
  signal: AbortSignal;
  events: TypingEvents;
}): Promise<void> {
  const { schedule, typist, startMs, endMs, perform, timer, signal, events } = options;
  let sigil: Action[] = [];
  let sigilKeysToSkip = 0;
  let freeAtMs = startMs;
  for (let k = 0; startMs + schedule.dueMs(k) < endMs; k++) {
    const dueMs = startMs + schedule.dueMs(k);
    if (timer.nowMs() < dueMs) await timer.until(dueMs, signal);
    signal.throwIfAborted();
    const sentMs = timer.nowMs();
    // How late this process reads an acknowledgement is in `freeAtMs`, so it counts as the browser's: nothing tells the
    // two apart. A driver that is that busy is late for keys that wait for no acknowledgement too, and shows by those.
    const driverLagMs = sentMs - Math.max(dueMs, freeAtMs);
    if (sigilKeysToSkip > 0) {
      sigilKeysToSkip--;
      events.onSkipped({ dueMs, driverLagMs });
      continue;
    }
    const sigilUnderWay = sigil.length > 0;
    if (!sigilUnderWay && sentMs - dueMs > GIVE_UP_MS) {
      events.onSkipped({ dueMs, driverLagMs });
      sigilKeysToSkip = schedule.startsSigil(k) ? SIGIL_LENGTH - 1 : 0;
      continue;
    }
    if (schedule.startsSigil(k)) sigil = typist.nextSigil();
    const action = sigil.shift() ?? typist.nextEdit();
    await perform(action);
    events.onTyped({ action, dueMs, sentMs, driverLagMs });
    freeAtMs = timer.nowMs();
  }
}
