/** The value that each calibrated figure has to have, and how far it may lie off, with the reason. */

import { SOON_SEEN_MS } from '../../analysis/figures/criterion.ts';
import type { FigureName } from '../../analysis/figures/figure.ts';
import { SIGIL_LENGTH } from '../../editors/base/sigils.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
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
  /** Null: the verdict. */
  figure: FigureName | null;
  of: InjectionName;
  /** True if trials that the framework failed are those that count. */
  fails?: boolean;
  /** True if the figure needs more sigils than one trial has. */
  fullOnly?: boolean;
  unit: string;
  injected: number;
  /** The figure; null if it was not measured. */
  measure: (cell: CellSummary, sound: CellSummary) => number | null;
  /** How far the measured figure may lie below and above the injected one. */
  below: (cell: CellSummary) => number;
  above: number;
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

/** The figure's gain over that of the trial without defects. */
function gain(figure: (cell: CellSummary) => number | null): Expectation['measure'] {
  return (cell, sound) => {
    const [with_, without] = [figure(cell), figure(sound)];
    return with_ === null || without === null ? null : with_ - without;
  };
}

function localLatency(of: InjectionName, injected: number): Expectation {
  return {
    name: 'local latency p50',
    figure: 'localLatencyMs.p50',
    of,
    unit: 'ms',
    injected,
    measure: gain(({ localLatencyMs }) => localLatencyMs.p50),
    below: () => FRAME_MS,
    above: FRAME_MS + ALLOWANCE_MS,
    because: 'each of both medians ends with a frame, so their difference is known to one',
  };
}

function endToEnd(of: InjectionName, injected: number, how: string): Expectation {
  return {
    name: `end to end p50, ${how}`,
    figure: 'endToEndLatencyMs.p50',
    of,
    unit: 'ms',
    injected,
    measure: ({ endToEndLatencyMs }) => endToEndLatencyMs.p50,
    below: ({ clockErrorMs }) => clockErrorMs ?? 0,
    above: FRAME_MS + ALLOWANCE_MS,
    because: 'a frame and what key, relay and editor take come on top; below it, only what clocks may be wrong by',
  };
}

function changed(change: 'deletion' | 'format', injected: number): Expectation {
  const figure = `${change}LatencyMs` as const;
  return {
    name: `${change} p50, server holds ${change}s`,
    figure: `${figure}.p50`,
    of: 'changes',
    unit: 'ms',
    injected,
    measure: (cell) => cell[figure].p50,
    below: ({ clockErrorMs }) => clockErrorMs ?? 0,
    above: FRAME_MS + 2 * ALLOWANCE_MS,
    because:
      'a frame, and what selecting the sigil, key, relay and editor take; below, only what clocks may be wrong by',
  };
}

function lateEdits(part: 'p50' | 'p95', p: number, fullOnly: boolean): Expectation {
  const longest = late.defects.lateMs;
  const injected = longest - (1 - p) * LATE_STRETCH_MS;
  const scatterMs = lateScatterMs(p);
  return {
    name: `end to end ${part}, every ${late.defects.lateEvery}th edit ${longest / 1000} s late`,
    figure: `endToEndLatencyMs.${part}`,
    of: 'late',
    fullOnly,
    unit: 'ms',
    injected,
    measure: ({ endToEndLatencyMs }) => endToEndLatencyMs[part],
    below: ({ clockErrorMs }) => scatterMs + (clockErrorMs ?? 0),
    above: Math.min(scatterMs, longest - injected) + FRAME_MS + ALLOWANCE_MS,
    because:
      'what a user types after a late edit waits for it, so latencies lie evenly between the delay and that less the time ' +
      'between two late edits; three standard deviations of the quantile of so many sigils',
  };
}

function cpu(
  name: string,
  of: InjectionName,
  { msPerSecond, figure }: { msPerSecond: number; figure: 'serverCpuPercent' | 'userCpuPercent' },
): Expectation {
  const ofServer = figure === 'serverCpuPercent';
  return {
    name,
    figure,
    of,
    unit: '% of a core',
    injected: msPerSecond / 10,
    measure: gain((cell) => cell[figure]),
    below: () => (ofServer ? 1 : 2),
    above: ofServer ? 1 : 2,
    because: ofServer
      ? 'an idle server takes 0.4 %, and the two samples at the ends of the window may miss a message each'
      : 'what a Chrome takes for typing differs that much from trial to trial',
  };
}

function throughput(
  name: string,
  users: number,
  figure: 'throughputPercent' | 'worstUserThroughputPercent',
): Expectation {
  const within = (2 * EDIT_PERCENT) / users;
  return {
    name,
    figure,
    of: 'far',
    unit: '%',
    injected: 100 - LOST_PERCENT / users,
    measure: (cell) => cell[figure],
    below: () => within,
    above: within,
    because:
      'the freeze begins at a key, and takes whole sigils; two edits of one user, for a key that changes nothing and for a ' +
      'page that stands still for longer than ordered',
  };
}

function lostSigils(name: string, figure: 'sigilsArrivedPercent' | 'seenInTimePercent'): Expectation {
  return {
    name: `${name}, edits lost at one of both from half-way on`,
    figure,
    of: 'lost',
    fails: true,
    unit: '%',
    injected: 100 - SIGILS_LOST_PERCENT,
    measure: (cell) => cell[figure],
    below: () => 2 * SIGIL_PERCENT,
    above: 2 * SIGIL_PERCENT,
    because:
      'half-way is counted in edits, and a sigil is at a random place in its period: up to two sigils of one user',
  };
}

function bytes(name: string, part: 'sent' | 'received'): Expectation {
  return {
    name,
    figure: `userBytesPerEdit.${part}`,
    of: 'held',
    unit: 'bytes',
    injected: held.defects.bytes,
    measure: gain(({ userBytesPerEdit }) => userBytesPerEdit[part]),
    below: () => 0.07 * held.defects.bytes,
    above: 0.07 * held.defects.bytes,
    because: 'bytes are read every 5 s, and two edits more or fewer may lie between two readings, of 30',
  };
}

function memory(
  name: string,
  figure: 'userMemoryMiB' | 'serverMemoryMiB',
  { injected, within, because }: { injected: number; within: number; because: string },
): Expectation {
  return {
    name,
    figure,
    of: 'held',
    unit: 'MiB',
    injected,
    measure: gain((cell) => cell[figure]),
    below: () => within,
    above: within,
    because,
  };
}

export const EXPECTATIONS: readonly Expectation[] = [
  localLatency('held', held.defects.keyMs),
  localLatency('slowKeys', slowKeys.defects.keyMs),
  endToEnd('none', 0, 'nothing on the way'),
  endToEnd('held', held.delayMs + held.defects.keyMs, 'delay line and busy key'),
  endToEnd('far', far.delayMs, 'delay line'),
  endToEnd('busy', busy.defects.holdMs + busy.defects.serverMs + busy.defects.editMs, 'server holds'),
  changed('deletion', changes.defects.deletionMs),
  changed('format', changes.defects.formatMs),
  lateEdits('p50', 0.5, false),
  lateEdits('p95', 0.95, true),
  {
    name: `seen in time, every ${late.defects.lateEvery}th edit ${late.defects.lateMs / 1000} s late`,
    figure: 'seenInTimePercent',
    of: 'late',
    fullOnly: true,
    unit: '%',
    injected: 0,
    measure: ({ seenInTimePercent }) => seenInTimePercent,
    below: () => 0,
    above: 0,
    because: `every edit waits for a late one for longer than ${SOON_SEEN_MS / 1000} s`,
  },
  lostSigils('sigils arrived', 'sigilsArrivedPercent'),
  lostSigils('seen in time', 'seenInTimePercent'),
  {
    name: 'trials failed, edits lost at one of both',
    figure: null,
    of: 'lost',
    fails: true,
    unit: '%',
    injected: 100,
    measure: ({ failedTrials, trials }) => (100 * failedTrials) / trials,
    below: () => 0,
    above: 0,
    because: 'users whose documents differ fail every trial',
  },
  throughput('worst user’s throughput', 1, 'worstUserThroughputPercent'),
  throughput('throughput, one of two frozen', USERS, 'throughputPercent'),
  cpu('server CPU', 'busy', { msPerSecond: busy.defects.serverMs * MESSAGES_PER_SECOND, figure: 'serverCpuPercent' }),
  cpu('server CPU, in its child', 'slowKeys', {
    msPerSecond: slowKeys.defects.childMs * MESSAGES_PER_SECOND,
    figure: 'serverCpuPercent',
  }),
  cpu('user CPU', 'busy', {
    msPerSecond: busy.defects.editMs * KEYS_PER_SECOND * (USERS - 1),
    figure: 'userCpuPercent',
  }),
  memory('user memory', 'userMemoryMiB', {
    injected: held.defects.pageMiB,
    within: 8,
    because: 'two Chromes of the same kind differ by that much',
  }),
  memory('server memory, mean of the window', 'serverMemoryMiB', {
    injected: KEPT_MIB,
    within: 5,
    because: 'Node collects garbage when it likes: two idle servers differ by that much',
  }),
  bytes('bytes sent per edit', 'sent'),
  bytes('bytes received per remote edit', 'received'),
];
