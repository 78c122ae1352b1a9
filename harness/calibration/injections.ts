/** The calibration's injections: a few trials, each with defects that do not disturb each other's figures. */

import { SIGIL_LENGTH } from '../../editors/base/sigils.ts';
import type { Defects } from '../../editors/calibration/defects.ts';
import type { Typing } from '../experiment/experiment.ts';

export interface Injection {
  defects: Partial<Defects>;
  /** On the way from one user to the other, ms. */
  delayMs: number;
  /** Absent: `KEYS_PER_SECOND`. */
  keysPerSecond?: number;
  /** Absent: the usual one. */
  rhythm?: Typing['rhythm'];
  /** How long users wait for one document; `SETTLE_MS` if absent. */
  settleMs?: number;
  /** Sigils are deleted and formatted, too. */
  changesSigils?: boolean;
  /** In these modes only, where a calibration is quick; absent: in all. */
  quickModes?: readonly string[];
}

/** All users type, and each sees what the others do. */
export const USERS = 2;
export const KEYS_PER_SECOND = 6;
/** Longer than until the first edit that comes late. */
export const WARM_UP_MS = 2_000;
export const MEASURE_MS = 10_000;
export const SETTLE_MS = 10_000;

/** Where sigils are counted, twice as many of them. */
const QUICK_KEYS_PER_SECOND = 2 * KEYS_PER_SECOND;

/** Waiting for what is late takes longest of all, and modes differ little in it. */
const QUICK_SIGIL_MODES = ['noquill'];

/** How much a user types before half of the measured window is over, with the marker that it may have opened the trial with. */
const HALF_OF_MESSAGES = SIGIL_LENGTH + (QUICK_KEYS_PER_SECOND * (WARM_UP_MS + MEASURE_MS / 2)) / 1000;

/**
 * A freeze that costs user 0 exactly as many keys as a sigil's period has, on a machine of any speed. In a regular rhythm
 * this user's periods begin with the sigil. The page stands still at the fourth sigil's last key but one, which is under way,
 * and so is typed whole. The keys up to the next sigil are given up, and that one too, since its first key is.
 * A freeze longer by 0.2 s or shorter by 0.4 s, or one that begins three keys off, costs as many.
 */
const PERIOD_KEYS = 2 * SIGIL_LENGTH;
const FREEZE = { freezeMs: 2_700, freezeAt: SIGIL_LENGTH + 3 * PERIOD_KEYS + SIGIL_LENGTH - 1 };
/** The keys that the freeze takes, of one user. */
export const FROZEN_KEYS = PERIOD_KEYS;

/**
 * Where the brief effect would drown in what a Chrome or a Node takes anyway, more is injected, so that a bound can tell: 10
 * ms per remote edit; 200 KiB per message.
 */
export const INJECTIONS = {
  none: { defects: {}, delayMs: 0 },
  // Keys, memory and bytes have nothing in common. What a key waits for its binding is on the way too, and is reckoned there.
  held: { defects: { keyMs: 20, pageMiB: 50, serverKiB: 200, bytes: 1000 }, delayMs: 60 },
  // So is what server and page burn.
  busy: { defects: { serverMs: 5, editMs: 10, holdMs: 100 }, delayMs: 0 },
  // The child burns beside the way, and its messages reach nobody.
  slowKeys: { defects: { keyMs: 100, childMs: 5 }, delayMs: 0 },
  // One freeze in the measured window, of one of both users. A median of latencies does not see it.
  far: { defects: FREEZE, delayMs: 170, rhythm: 'regular' },
  late: {
    defects: { lateEvery: 20, lateMs: 10_000 },
    delayMs: 0,
    keysPerSecond: QUICK_KEYS_PER_SECOND,
    settleMs: 20_000,
    quickModes: QUICK_SIGIL_MODES,
  },
  // Those of user 0, from half-way on: a trial that the framework fails.
  lost: {
    defects: { lostAfter: HALF_OF_MESSAGES },
    delayMs: 0,
    keysPerSecond: QUICK_KEYS_PER_SECOND,
    settleMs: 2_000,
    quickModes: QUICK_SIGIL_MODES,
  },
  // Of three sigils one is deleted and one formatted, so the most sigils are just enough for a median of each.
  changes: {
    defects: { deletionMs: 150, formatMs: 300 },
    delayMs: 0,
    keysPerSecond: QUICK_KEYS_PER_SECOND,
    changesSigils: true,
    quickModes: QUICK_SIGIL_MODES,
  },
} satisfies Record<string, Injection>;

export const MODES = ['optquill', 'noquill'];

/** The conditions of an injection. */
export function modesOf(name: InjectionName, { full }: { full: boolean }): readonly string[] {
  const { quickModes = MODES }: Injection = INJECTIONS[name];
  return full ? MODES : quickModes;
}

/** The shortest that leaves half of the keys to the trace. */
export function sigilPeriodMs(keysPerSecond: number): number {
  return Math.ceil((2 * SIGIL_LENGTH * 1000) / keysPerSecond);
}

export type InjectionName = keyof typeof INJECTIONS;
