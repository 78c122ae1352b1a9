/** The calibration's table: what was injected beside what was measured, with a bound for each, and why it is that one. */
import type { CellSummary } from '../../results/formats/summary.ts';
import { alignTable } from '../text-table.ts';
import { GIVE_UP_MS } from '../users/typing/schedule.ts';
import { INJECTIONS, type InjectionName, KEYS_PER_SECOND, MEASURE_MS, USERS, WARM_UP_MS } from './injections.ts';

/** One frame at 60 per second, until which a change waits to be seen, and what the machine may add. */
const FRAME_MS = 1000 / 60;
const ALLOWANCE_MS = 3;

/** A figure, and what it has to be. */
interface Expectation {
  name: string;
  of: InjectionName;
  unit: string;
  injected: number;
  /** What the figure was; null where it was not measured. */
  measure: (cell: CellSummary, sound: CellSummary) => number | null;
  /** How far the measured figure may lie below and above the injected one. */
  below: (cell: CellSummary) => number;
  above: number;
  /** Why these. */
  because: string;
}

export interface CalibrationRow {
  figure: string;
  mode: string;
  unit: string;
  injected: number;
  /** Null where no trial was valid, or the figure was not measured. */
  measured: number | null;
  from: number;
  to: number;
  withinBound: boolean;
  because: string;
  /** Why there is no valid trial. */
  reasons: string[];
}

/** The cells of one mode, by what was injected. */
export type MeasuredCells = Record<InjectionName, CellSummary>;

const { held, busy, slowKeys, near, far } = INJECTIONS;
const MESSAGES_PER_SECOND = USERS * KEYS_PER_SECOND;
/** Each message is kept in the relay's log too, with the bytes that were added to it. */
const KEPT_KIB = held.defects.serverKiB + held.defects.bytes / 1024;
const KEPT_MIB = (KEPT_KIB * MESSAGES_PER_SECOND * (WARM_UP_MS + MEASURE_MS / 2)) / 1000 / 1024;
const LOST_PERCENT = (100 * (far.defects.freezeMs - GIVE_UP_MS)) / MEASURE_MS;
const EDITS_PER_WINDOW = (KEYS_PER_SECOND * MEASURE_MS) / 1000;
const EDIT_PERCENT = 100 / EDITS_PER_WINDOW;

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
    of,
    unit: 'ms',
    injected,
    measure: ({ endToEndLatencyMs }) => endToEndLatencyMs.p50,
    below: ({ clockErrorMs }) => clockErrorMs ?? 0,
    above: FRAME_MS + ALLOWANCE_MS,
    because: 'a frame and what key, relay and editor take come on top; below it, only what clocks may be wrong by',
  };
}

function cpu(name: string, of: InjectionName, msPerSecond: number, figure: 'serverCpuPercent' | 'userCpuPercent') {
  const ofServer = figure === 'serverCpuPercent';
  return {
    name,
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

function share(name: string, injected: number, figure: 'throughputPercent' | 'worstUserThroughputPercent') {
  return {
    name,
    of: 'far' as const,
    unit: '%',
    injected,
    measure: (cell: CellSummary) => cell[figure],
    below: () => 2 * EDIT_PERCENT,
    above: 2 * EDIT_PERCENT,
    because: 'a freeze ends between two keys, and jitter moves each by up to one interval: two edits of one user',
  };
}

function bytes(name: string, figure: 'sent' | 'received'): Expectation {
  return {
    name,
    of: 'held',
    unit: 'bytes',
    injected: held.defects.bytes,
    measure: gain(({ userBytesPerEdit }) => userBytesPerEdit[figure]),
    below: () => 0.07 * held.defects.bytes,
    above: 0.07 * held.defects.bytes,
    because: 'bytes are read every 5 s, and two edits more or fewer may lie between two readings, of 30',
  };
}

export const EXPECTATIONS: readonly Expectation[] = [
  localLatency('held', held.defects.keyMs),
  localLatency('slowKeys', slowKeys.defects.keyMs),
  endToEnd('none', 0, 'nothing on the way'),
  endToEnd('near', near.delayMs, 'delay line'),
  endToEnd('far', far.delayMs, 'delay line'),
  endToEnd('busy', busy.defects.holdMs + busy.defects.serverMs + busy.defects.editMs, 'server holds'),
  share('worst user’s throughput', 100 - LOST_PERCENT, 'worstUserThroughputPercent'),
  share('throughput, one of two frozen', 100 - LOST_PERCENT / USERS, 'throughputPercent'),
  cpu('server CPU', 'busy', busy.defects.serverMs * MESSAGES_PER_SECOND, 'serverCpuPercent'),
  cpu('server CPU, in its child', 'slowKeys', slowKeys.defects.childMs * MESSAGES_PER_SECOND, 'serverCpuPercent'),
  cpu('user CPU', 'busy', busy.defects.editMs * KEYS_PER_SECOND * (USERS - 1), 'userCpuPercent'),
  {
    name: 'user memory',
    of: 'held',
    unit: 'MiB',
    injected: held.defects.pageMiB,
    measure: gain(({ userMemoryMiB }) => userMemoryMiB),
    below: () => 8,
    above: 8,
    because: 'two Chromes of the same kind differ by that much',
  },
  {
    name: 'server memory, mean of the window',
    of: 'held',
    unit: 'MiB',
    injected: KEPT_MIB,
    measure: gain(({ serverMemoryMiB }) => serverMemoryMiB),
    below: () => 5,
    above: 5,
    because: 'Node collects garbage when it likes: two idle servers differ by that much',
  },
  bytes('bytes sent per edit', 'sent'),
  bytes('bytes received per remote edit', 'received'),
];

/** The table's rows of one mode. What was not measured is a miss: nothing vouches for the figure. */
export function rowsOf(mode: string, cells: MeasuredCells): CalibrationRow[] {
  return EXPECTATIONS.map(({ name, of, unit, injected, measure, below, above, because }) => {
    const [cell, sound] = [cells[of], cells.none];
    const measured = cell.validTrials === 0 || sound.validTrials === 0 ? null : measure(cell, sound);
    const [from, to] = [injected - below(cell), injected + above];
    const withinBound = measured !== null && measured >= from && measured <= to;
    const reasons = [...new Set([cell, sound].flatMap((each) => (each.validTrials === 0 ? each.reasons : [])))];
    return { figure: name, mode, unit, injected, measured, from, to, withinBound, because, reasons };
  });
}

/** For the terminal; below the table, what each missed bound rests on. */
export function formatRows(rows: readonly CalibrationRow[]): string {
  const number = (value: number) => value.toFixed(1);
  const table = alignTable([
    ['figure', 'mode', 'injected', 'measured', 'bound', 'unit', ''],
    ...rows.map(({ figure, mode, unit, injected, measured, from, to, withinBound }) => [
      figure,
      mode,
      number(injected),
      measured === null ? '–' : number(measured),
      `${number(from)} to ${number(to)}`,
      unit,
      withinBound ? '✓' : '✗',
    ]),
  ]);
  const missed = rows.filter(({ withinBound }) => !withinBound);
  const lines = missed.map(({ figure, mode, because, reasons }) =>
    [`missed: ${figure} in ${mode}. The bound: ${because}.`, ...reasons].join(' '),
  );
  return lines.length === 0 ? table : [table, '', ...lines].join('\n');
}
