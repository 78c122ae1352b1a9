/**
 * The schedule: when each edit of a user is due, and the loop that keeps to it.
 *
 * Due times are absolute, so that one late edit makes no other late; `makeSchedule` says when they are. A user has one edit
 * under way at a time. Late edits follow back to back; an edit more than `GIVE_UP_MS` behind is not typed, but counted. A
 * sigil is typed or given up as a whole, since a part of one measures nothing.
 */
import * as prng from 'lib0/prng';
import { SIGIL_LENGTH, SIGIL_NUMBERS } from '../../../editors/base/sigils.ts';
import type { Timer } from '../../../infra/clock.ts';
import type { Typing } from '../../experiment/experiment.ts';
import { meanKeysPerSecond } from '../../experiment/people.ts';
import { look, type NextLook } from './looks.ts';
import { peopleKeys } from './people.ts';
import type { Action, Typist } from './typist.ts';

/** The design's bound: an edit that is further behind is not typed. */
const GIVE_UP_MS = 1000;

interface ScheduleOptions extends Pick<Typing, 'keysPerSecond' | 'sigilPeriodMs' | 'rhythm'> {
  user: number;
  users: number;
  seed: number;
}

export interface Schedule {
  /** When edit k is due, in ms after the start. */
  dueMs(k: number): number;
  /** True if edit k is the first key of a sigil. */
  startsSigil(k: number): boolean;
  /** True if the user paused before edit k, as people do. */
  followsPause(k: number): boolean;
  /** Edits in a sigil's period. */
  keysPerPeriod: number;
}

/** Keeps a user's due times apart from what the typist draws with the same seed. */
const SCHEDULE_STREAM = 0x5eed;

/**
 * The schedule of one user, fixed before a trial begins. Edit k falls due, by rhythm and with an interval of 1 /
 * keysPerSecond:
 *
 * - `jittered`: at a random moment of its own interval, (k + U) intervals: as many keys as intervals, no drift, and no phase
 *   between users;
 * - `regular`: at offset + k intervals, the users' offsets spread evenly over one interval, as in the Collabs paper's
 * harness.
 * The order of the users' keys, and the time between them, is then the same throughout a trial;
 * - `poisson`: after random gaps, exponentially distributed with the interval as mean: for stress;
 * - `human`: in bursts of such intervals, on average, with pauses and absences between them, see harness/experiment/people.ts.
 */
export function makeSchedule(options: ScheduleOptions): Schedule {
  const { user, users, seed, keysPerSecond, sigilPeriodMs, rhythm } = options;
  const intervalMs = 1000 / keysPerSecond;
  const keysPerPeriod = Math.max(SIGIL_LENGTH, Math.round(sigilPeriodMs / (1000 / meanKeysPerSecond(options))));
  const places = keysPerPeriod - SIGIL_LENGTH + 1;
  if (rhythm === 'regular') {
    // The sigil stands at the same place in each period of this user; it never starts before the period's first key.
    const place = Math.floor((user / users) * places);
    return {
      dueMs: (k) => (user / users + k) * intervalMs,
      startsSigil: (k) => k % keysPerPeriod === place,
      followsPause: () => false,
      keysPerPeriod,
    };
  }
  const draw = (stream: number) => {
    const generator = prng.create((seed ^ (SCHEDULE_STREAM + stream)) * SIGIL_NUMBERS + user);
    return () => prng.real53(generator);
  };
  const gap = draw(0);
  // Drawn too: a fixed one would keep step with whatever else has a period, such as the probes' 5 s.
  const place = draw(1);
  const placeIn = lazily(() => Math.floor(place() * places));
  const startsSigil = (k: number) => k % keysPerPeriod === placeIn(Math.floor(k / keysPerPeriod));
  if (rhythm === 'human') {
    const isWhole = (k: number) => {
      const inPeriod = (k % keysPerPeriod) - placeIn(Math.floor(k / keysPerPeriod));
      return inPeriod > 0 && inPeriod < SIGIL_LENGTH;
    };
    const keys = peopleKeys({ keysPerSecond, isWhole, wholeShare: (SIGIL_LENGTH - 1) / keysPerPeriod, random: gap });
    const dueS = lazily((k, before) => before + keys.gapS(k));
    return {
      dueMs: (k) => dueS(k) * 1000,
      startsSigil,
      followsPause: (k) => dueS(k) > 0 && keys.followsPause(k),
      keysPerPeriod,
    };
  }
  const times = rhythm === 'jittered' ? lazily((k) => k + gap()) : lazily((_, before) => before - Math.log(1 - gap()));
  return { dueMs: (k) => times(k) * intervalMs, startsSigil, followsPause: () => false, keysPerPeriod };
}

/** A sequence that is drawn as it is asked for, each member once. @param next gets the number and the member before, or 0 */
function lazily(next: (k: number, before: number) => number): (k: number) => number {
  const drawn: number[] = [];
  return (k) => {
    while (drawn.length <= k) drawn.push(next(drawn.length, drawn.at(-1) ?? 0));
    return drawn[k]!;
  };
}

export interface TypingEvents {
  /** An edit was typed; instants on the timer's clock. `isDone`: it was not for nothing, as `perform` says. */
  onTyped(typed: { action: Action; dueMs: number; sentMs: number; driverLagMs: number; isDone: boolean }): void;
  /** An edit was given up; the driver's own part of the lag counts here too, or a driver that stalls would go unseen. */
  onSkipped(skipped: { dueMs: number; driverLagMs: number; endsSigil: boolean }): void;
}

/**
 * Types from `startMs` until nothing is due before `endMs` any more.
 *
 * @param options.perform resolves when the browser acknowledged the action; false: there was nothing to do
 */
export async function typeOnSchedule(options: {
  schedule: Schedule;
  typist: Typist;
  startMs: number;
  endMs: number;
  perform: (action: Action) => Promise<unknown>;
  timer: Timer;
  signal: AbortSignal;
  events: TypingEvents;
  /** Absent: the cursor stays where the user types. */
  nextLook?: NextLook;
}): Promise<void> {
  const { schedule, typist, startMs, endMs, perform, timer, signal, events, nextLook } = options;
  let sigil: Action[] = [];
  let sigilKeysToSkip = 0;
  /** A sigil is changed a period later, or as soon as no other is under way then. */
  const toChange: { sigil: string; fromK: number }[] = [];
  let freeAtMs = startMs;
  for (let k = 0; startMs + schedule.dueMs(k) < endMs; k++) {
    const dueMs = startMs + schedule.dueMs(k);
    if (timer.nowMs() < dueMs) await timer.until(dueMs, signal);
    signal.throwIfAborted();
    const sentMs = timer.nowMs();
    // A late reading of an acknowledgement by this process is part of `freeAtMs`, so it counts as the browser's: nothing
    // distinguishes the two. A driver that is so busy is late for other keys too, and shows by those.
    const driverLagMs = sentMs - Math.max(dueMs, freeAtMs);
    if (sigilKeysToSkip > 0) {
      sigilKeysToSkip--;
      events.onSkipped({ dueMs, driverLagMs, endsSigil: sigilKeysToSkip === 0 });
      continue;
    }
    const sigilUnderWay = sigil.length > 0;
    if (!sigilUnderWay && sentMs - dueMs > GIVE_UP_MS) {
      events.onSkipped({ dueMs, driverLagMs, endsSigil: false });
      sigilKeysToSkip = schedule.startsSigil(k) ? SIGIL_LENGTH - 1 : 0;
      continue;
    }
    if (schedule.startsSigil(k)) sigil = typist.nextSigil();
    const changed = sigil.length === 0 && k >= (toChange[0]?.fromK ?? k + 1) ? toChange.shift()! : null;
    const action =
      sigil.shift() ??
      (changed && typist.changeOf(changed.sigil)) ??
      typist.nextEdit({ followsPause: schedule.followsPause(k) });
    const isDone = (await perform(action)) !== false;
    if (action.kind === 'sigil-key' && action.last) {
      toChange.push({ sigil: action.sigil, fromK: k + schedule.keysPerPeriod });
    }
    events.onTyped({ action, dueMs, sentMs, driverLagMs, isDone });
    if (nextLook !== undefined && sigil.length === 0) {
      await look(nextLook(), Math.min(startMs + schedule.dueMs(k + 1), endMs), options);
    }
    freeAtMs = timer.nowMs();
  }
}
