/** The value that each calibrated figure has to have, and how far it may lie off, with the reason. */

import { SOON_SEEN_MS } from '../../analysis/figures/criterion.ts';
import type { FigureName } from '../../analysis/figures/figure.ts';
import { SIGIL_LENGTH } from '../../editors/base/sigils.ts';
import {
  FROZEN_KEYS,
  INJECTIONS,
  type InjectionName,
  KEYS_PER_SECOND,
  MEASURE_MS,
  sigilPeriodMs,
  USERS,
  WARM_UP_MS,
} from './injections.ts';

/** One frame at 60 per second, until which a change waits to be seen, and what the machine may add. */
const FRAME_MS = 1000 / 60;
const ALLOWANCE_MS = 3;

/** A figure, and what it has to be. */
export interface Expectation {
  name: string;
  /** Null: the share of trials that the framework failed. */
  figure: FigureName | null;
  /** True: its gain over that of the trial without defects. */
  isGain?: boolean;
  of: InjectionName;
  /** True if trials that the framework failed are those that count. */
  fails?: boolean;
  /** True if the figure needs more sigils than one trial has. */
  fullOnly?: boolean;
  unit: string;
  injected: number;
  /** How far the measured figure may lie below and above the injected one. */
  below: number;
  above: number;
  /** True if it is a time between two users' clocks: below, it may also lie off by what these may be wrong by. */
  isBetweenClocks?: boolean;
  /** Why these. */
  because: string;
}

const { held, busy, slowKeys, far, late, lost, changes } = INJECTIONS;
const MESSAGES_PER_SECOND = USERS * KEYS_PER_SECOND;
/** Until the middle of the measured window, the marker that opens a trial among them. */
const MESSAGES = SIGIL_LENGTH + (MESSAGES_PER_SECOND * (WARM_UP_MS + MEASURE_MS / 2)) / 1000;
/** Each message is kept in the relay's log too, with the bytes that were added to it. */
const KEPT_KIB = held.defects.serverKiB + held.defects.bytes / 1024;
const KEPT_MIB = (KEPT_KIB * MESSAGES) / 1024;
const EDITS_PER_WINDOW = (KEYS_PER_SECOND * MEASURE_MS) / 1000;
const EDIT_PERCENT = 100 / EDITS_PER_WINDOW;
const LOST_PERCENT = FROZEN_KEYS * EDIT_PERCENT;
/** Edits after a late one wait for it, up to the next late one. */
const LATE_STRETCH_MS = (1000 * late.defects.lateEvery) / late.keysPerSecond;
/** Three standard deviations of a quantile of one trial's sigils, if latencies lie evenly in that time. */
function lateScatterMs(p: number): number {
  const sigils = (USERS * MEASURE_MS) / sigilPeriodMs(late.keysPerSecond);
  return 3 * LATE_STRETCH_MS * Math.sqrt((p * (1 - p)) / sigils);
}
/** The share of both users' sigils on each other's screens that belong to one user's second half. */
const SIGILS_LOST_PERCENT = 100 / 2 / USERS;
const SIGIL_PERCENT = 100 / ((USERS * MEASURE_MS) / sigilPeriodMs(lost.keysPerSecond));

function within(distance: number): Pick<Expectation, 'below' | 'above'> {
  return { below: distance, above: distance };
}

const LOCAL_LATENCY = {
  name: 'local latency p50',
  figure: 'localLatencyMs.p50',
  isGain: true,
  unit: 'ms',
  below: FRAME_MS,
  above: FRAME_MS + ALLOWANCE_MS,
  because: 'each of both medians ends with a frame, so their difference is known to one',
} as const;

const END_TO_END = {
  figure: 'endToEndLatencyMs.p50',
  unit: 'ms',
  below: 0,
  above: FRAME_MS + ALLOWANCE_MS,
  isBetweenClocks: true,
  because: 'a frame and what key, relay and editor take come on top; below it, only what clocks may be wrong by',
} as const;

const CHANGE = {
  of: 'changes',
  unit: 'ms',
  below: 0,
  above: FRAME_MS + 2 * ALLOWANCE_MS,
  isBetweenClocks: true,
  because: 'a frame, and what selecting the sigil, key, relay and editor take; below, only what clocks may be wrong by',
} as const;

function lateEdits(part: 'p50' | 'p95', p: number): Expectation {
  const longest = late.defects.lateMs;
  const injected = longest - (1 - p) * LATE_STRETCH_MS;
  const scatterMs = lateScatterMs(p);
  return {
    name: `end to end ${part}, ${LATE_EDITS}`,
    figure: `endToEndLatencyMs.${part}`,
    of: 'late',
    unit: 'ms',
    injected,
    below: scatterMs,
    above: Math.min(scatterMs, longest - injected) + FRAME_MS + ALLOWANCE_MS,
    isBetweenClocks: true,
    because:
      'what a user types after a late edit waits for it, so latencies lie evenly between the delay and that less the time ' +
      'between two late edits; three standard deviations of the quantile of so many sigils',
  };
}

const LATE_EDITS = `every ${late.defects.lateEvery}th edit ${late.defects.lateMs / 1000} s late`;

const SERVER_CPU = {
  figure: 'serverCpuPercent',
  isGain: true,
  unit: '% of a core',
  ...within(1),
  because: 'an idle server takes 0.4 %, and the two samples at the ends of the window may miss a message each',
} as const;

/** One of so many users is frozen. */
function throughput(users: number): Omit<Expectation, 'name' | 'figure'> {
  return {
    of: 'far',
    unit: '%',
    injected: 100 - LOST_PERCENT / users,
    ...within((2 * EDIT_PERCENT) / users),
    because:
      'the freeze begins at a key, and takes whole sigils; two edits of one user, for a key that changes nothing and for a ' +
      'page that stands still for longer than ordered',
  };
}

const LOST_SIGILS = {
  of: 'lost',
  fails: true,
  unit: '%',
  injected: 100 - SIGILS_LOST_PERCENT,
  ...within(2 * SIGIL_PERCENT),
  because: 'half-way is counted in edits, and a sigil is at a random place in its period: up to two sigils of one user',
} as const;
const FROM_HALF_WAY = 'edits lost at one of both from half-way on';

const ADDED_BYTES = {
  of: 'held',
  isGain: true,
  unit: 'bytes',
  injected: held.defects.bytes,
  ...within(0.07 * held.defects.bytes),
  because: 'bytes are read every 5 s, and two edits more or fewer may lie between two readings, of 30',
} as const;

const MEMORY = { of: 'held', isGain: true, unit: 'MiB' } as const;

const ON_THE_WAY_MS = held.delayMs + held.defects.keyMs;
const AT_THE_SERVER_MS = busy.defects.holdMs + busy.defects.serverMs + busy.defects.editMs;

/** Of a core, of work that takes so many ms. */
function cpuPercent(workMs: number, timesPerSecond: number): number {
  return (workMs * timesPerSecond) / 10;
}

export const EXPECTATIONS: readonly Expectation[] = [
  { ...LOCAL_LATENCY, of: 'held', injected: held.defects.keyMs },
  { ...LOCAL_LATENCY, of: 'slowKeys', injected: slowKeys.defects.keyMs },
  { ...END_TO_END, of: 'none', injected: 0, name: 'end to end p50, nothing on the way' },
  { ...END_TO_END, of: 'held', injected: ON_THE_WAY_MS, name: 'end to end p50, delay line and busy key' },
  { ...END_TO_END, of: 'far', injected: far.delayMs, name: 'end to end p50, delay line' },
  { ...END_TO_END, of: 'busy', injected: AT_THE_SERVER_MS, name: 'end to end p50, server holds' },
  {
    ...CHANGE,
    injected: changes.defects.deletionMs,
    name: 'deletion p50, server holds deletions',
    figure: 'deletionLatencyMs.p50',
  },
  {
    ...CHANGE,
    injected: changes.defects.formatMs,
    name: 'format p50, server holds formats',
    figure: 'formatLatencyMs.p50',
  },
  lateEdits('p50', 0.5),
  { ...lateEdits('p95', 0.95), fullOnly: true },
  {
    name: `seen in time, ${LATE_EDITS}`,
    figure: 'seenInTimePercent',
    of: 'late',
    fullOnly: true,
    unit: '%',
    injected: 0,
    ...within(0),
    because: `every edit waits for a late one for longer than ${SOON_SEEN_MS / 1000} s`,
  },
  { ...LOST_SIGILS, name: `sigils arrived, ${FROM_HALF_WAY}`, figure: 'sigilsArrivedPercent' },
  { ...LOST_SIGILS, name: `seen in time, ${FROM_HALF_WAY}`, figure: 'seenInTimePercent' },
  {
    name: 'trials failed, edits lost at one of both',
    figure: null,
    of: 'lost',
    fails: true,
    unit: '%',
    injected: 100,
    ...within(0),
    because: 'users whose documents differ fail every trial',
  },
  { ...throughput(1), name: 'worst user’s throughput', figure: 'worstUserThroughputPercent' },
  { ...throughput(USERS), name: 'throughput, one of two frozen', figure: 'throughputPercent' },
  { ...SERVER_CPU, of: 'busy', injected: cpuPercent(busy.defects.serverMs, MESSAGES_PER_SECOND), name: 'server CPU' },
  {
    ...SERVER_CPU,
    of: 'slowKeys',
    injected: cpuPercent(slowKeys.defects.childMs, MESSAGES_PER_SECOND),
    name: 'server CPU, in its child',
  },
  {
    name: 'user CPU',
    figure: 'userCpuPercent',
    isGain: true,
    of: 'busy',
    unit: '% of a core',
    injected: cpuPercent(busy.defects.editMs, KEYS_PER_SECOND * (USERS - 1)),
    ...within(2),
    because: 'what a Chrome takes for typing differs that much from trial to trial',
  },
  {
    ...MEMORY,
    name: 'user memory',
    figure: 'userMemoryMiB',
    injected: held.defects.pageMiB,
    ...within(8),
    because: 'two Chromes of the same kind differ by that much',
  },
  {
    ...MEMORY,
    name: 'server memory, mean of the window',
    figure: 'serverMemoryMiB',
    injected: KEPT_MIB,
    ...within(5),
    because: 'Node collects garbage when it likes: two idle servers differ by that much',
  },
  { ...ADDED_BYTES, name: 'bytes sent per edit', figure: 'userBytesPerEdit.sent' },
  { ...ADDED_BYTES, name: 'bytes received per remote edit', figure: 'userBytesPerEdit.received' },
];
