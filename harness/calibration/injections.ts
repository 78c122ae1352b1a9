/** What the calibration injects: a few trials, each with defects that do not disturb each other's figures. */
import type { Defects } from '../../editors/calibration/defects.ts';

export interface Injection {
  defects: Partial<Defects>;
  /** On the way from one user to the other, ms. */
  delayMs: number;
}

/** All users type, and each sees what the others do. */
export const USERS = 2;
export const KEYS_PER_SECOND = 6;
export const WARM_UP_MS = 2_000;
export const MEASURE_MS = 12_000;

/**
 * Where the brief effect would drown in what a Chrome or a Node takes anyway, more is injected, so that a bound can tell: 10
 * ms per remote edit; 200 KiB per message.
 */
export const INJECTIONS = {
  none: { defects: {}, delayMs: 0 },
  // Keys, memory and bytes have nothing in common.
  held: { defects: { keyMs: 20, pageMiB: 50, serverKiB: 200, bytes: 1000 }, delayMs: 0 },
  // What server and page burn is also on the way from user to user, and is reckoned there.
  busy: { defects: { serverMs: 5, editMs: 10, holdMs: 100 }, delayMs: 0 },
  // The child burns beside the way, and its messages reach nobody.
  slowKeys: { defects: { keyMs: 100, childMs: 5 }, delayMs: 0 },
  near: { defects: {}, delayMs: 60 },
  // One freeze in each measured window, of one of both users. A median of latencies does not see it.
  far: { defects: { freezeMs: 2_200, freezePeriodMs: MEASURE_MS }, delayMs: 170 },
} satisfies Record<string, Injection>;

export type InjectionName = keyof typeof INJECTIONS;
