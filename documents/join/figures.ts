/** Figures of a trial, from the marks of its newcomers. */
import { onlyKnown, quantile } from '../../analysis/statistics/quantile.ts';
import { sumOf } from '../../harness/server/server-sample.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { figureLines, KIB, MIB, noteLines } from '../measurement.ts';
import type { JoinMarks } from './page/newcomer.ts';

/** Of fewer newcomers, a 95th percentile would only say how long the slowest waited. */
const LEAST_FOR_P95 = 20;
/** Below this, less was typed than the experiment asks for; a trial of typing is not fully functional then, either. */
const TYPED_ENOUGH_PERCENT = 98;

/** A newcomer who was caught up in the end. */
export interface Joined {
  marks: JoinMarks;
  /** CPU time of the server meanwhile, ms; null if other documents had a part in it, or the system does not tell. */
  serverCpuMs: number | null;
}

export interface JoinOutcome {
  /** In their order; at least one. */
  joins: readonly Joined[];
  /** CPU of each worker of the server while all type and nobody joins, percent of a core; null if that is not known. */
  loadPercents: readonly number[] | null;
  /** Of the server's processes together, at the end; null if the system does not tell. */
  serverMemoryBytes: number | null;
  keys: { due: number; typed: number };
  /** Errors that pages threw or wrote to their consoles. */
  pageErrors: readonly string[];
}

/** CPU times of the server's workers so far, ms; null: not known. */
type CpuMs = readonly (number | null)[];

/** The CPU time of all workers between two readings, ms; null if one of them is not known. */
export function cpuMsBetween(before: CpuMs, after: CpuMs): number | null {
  const from = sumOf(before, (ms) => ms);
  const to = sumOf(after, (ms) => ms);
  return from === null || to === null ? null : to - from;
}

/** CPU of each worker between two readings, percent of a core; null if one of them is not known. */
export function loadPercentsOf(read: { before: CpuMs; after: CpuMs; passedMs: number }): number[] | null {
  const [before, after] = [onlyKnown(read.before), onlyKnown(read.after)];
  if (before.length < read.before.length || after.length < read.after.length) return null;
  return after.map((cpuMs, worker) => (100 * (cpuMs - before[worker]!)) / read.passedMs);
}

export function linesOf({ joins, loadPercents, serverMemoryBytes, keys, pageErrors }: JoinOutcome): RecordLine[] {
  const marksOf = (name: keyof JoinMarks) => joins.map(({ marks }) => marks[name]);
  const median = (values: readonly (number | null)[]) => quantileOf(values, 0.5);
  const typableMs = marksOf('typableMs');
  const figures = figureLines({
    'firstTextMs.p50': median(marksOf('firstTextMs')),
    'wholeMs.p50': median(marksOf('wholeMs')),
    'typableMs.p50': median(typableMs),
    'typableMs.p95': joins.length < LEAST_FOR_P95 ? null : quantileOf(typableMs, 0.95),
    'typableMs.worst': quantileOf(typableMs, 1),
    'caughtUpMs.p50': median(marksOf('caughtUpMs')),
    receivedKiB: scaled(median(marksOf('receivedBytes')), KIB),
    sentKiB: scaled(median(marksOf('sentBytes')), KIB),
    'blockedMs.p50': median(marksOf('blockedMs')),
    'serverCpuMs.p50': median(joins.map(({ serverCpuMs }) => serverCpuMs)),
    serverCpuPercent: loadPercents?.reduce((sum, percent) => sum + percent) ?? null,
    busiestServerPercent: loadPercents && Math.max(...loadPercents),
    serverMemoryMiB: scaled(serverMemoryBytes, MIB),
    typedPercent: typedPercent(keys),
  });
  return [...figures, ...notesOf({ keys, pageErrors })];
}

function notesOf({ keys, pageErrors }: Pick<JoinOutcome, 'keys' | 'pageErrors'>): RecordLine[] {
  const percent = typedPercent(keys) ?? 100;
  return noteLines({
    'typed-less': [
      percent < TYPED_ENOUGH_PERCENT,
      `users typed ${Math.round(percent)} % of the keys that were due, so newcomers met less than was asked for; the cores of this machine are taken`,
    ],
    'page-errors': [
      pageErrors.length > 0,
      `newcomers’ pages had ${pageErrors.length} errors, the first: ${pageErrors[0]?.slice(0, 300)}`,
    ],
  });
}

function typedPercent({ due, typed }: JoinOutcome['keys']): number | null {
  return due === 0 ? null : (100 * typed) / due;
}

/** Null if one is not known. */
function quantileOf(values: readonly (number | null)[], p: number): number | null {
  const known = onlyKnown(values);
  return known.length === 0 || known.length < values.length ? null : quantile(Float64Array.from(known).sort(), p);
}

function scaled(value: number | null, by: number): number | null {
  return value === null ? null : value / by;
}
