/** What the charts show: figures of a cell against the number of users, and figures of a series over time. */
import type { CellSummary } from '../../results/formats/summary.ts';
import {
  MAX_MEDIAN_END_TO_END_LATENCY_MS,
  MAX_MEDIAN_LOCAL_LATENCY_MS,
  MIN_THROUGHPUT_PERCENT,
  P95_FACTOR,
} from '../fully-functional.ts';
import { type HeadlineFigureName, headlineFigureOf } from '../headline-figures.ts';
import { savedStateRatio } from '../report/saved-state-ratio.ts';
import type { SeriesPoint } from '../series-point.ts';

/** The paper's threshold, drawn as a line. */
export interface Bound {
  value: number;
  kind: 'at least' | 'at most';
}

export interface Metric {
  /** Unique among the charts of one kind; part of file names. */
  id: string;
  title: string;
  unit: string;
  /** What a reader needs to know to read it. */
  hint: string;
  /** The axis at first; null where a logarithmic one makes no sense. */
  scale: 'linear' | 'log' | null;
  bound: Bound | null;
  /** The axis of a share that is nearly whole ends at the whole, and need not begin at 0. */
  whole?: number;
}

export interface CellMetric extends Metric {
  section: 'figures' | 'state';
  figureOf(cell: CellSummary): number | null;
  /** Which of the summary's intervals belongs to it; null where it has none. */
  interval: HeadlineFigureName | null;
}

export interface TimeMetric extends Metric {
  figureOf(point: SeriesPoint): number | null;
}

const atMost = (value: number): Bound => ({ value, kind: 'at most' });
const LOCAL_HINT = 'from a key to its showing on the own screen';
const CLIENT_HINT = 'per user: its share of Chrome’s processes';
const END_TO_END_HINT = 'from a key to its showing on another’s screen';

/** What both kinds of charts say of a figure. */
const THROUGHPUT = {
  id: 'throughput',
  title: 'Throughput',
  unit: '%',
  hint: 'edits typed, of those that fell due',
  scale: null,
  bound: { value: MIN_THROUGHPUT_PERCENT, kind: 'at least' },
  whole: 100,
} satisfies Metric;
const LOCAL_MEDIAN = {
  id: 'local-median',
  title: 'Local latency, median',
  unit: 'ms',
  hint: LOCAL_HINT,
  scale: 'log',
  bound: atMost(MAX_MEDIAN_LOCAL_LATENCY_MS),
} satisfies Metric;
const LOCAL_P95 = {
  id: 'local-p95',
  title: 'Local latency, 95th percentile',
  unit: 'ms',
  hint: LOCAL_HINT,
  scale: 'log',
  bound: atMost(P95_FACTOR * MAX_MEDIAN_LOCAL_LATENCY_MS),
} satisfies Metric;
const END_TO_END_MEDIAN = {
  id: 'end-to-end-median',
  title: 'End-to-end latency, median',
  unit: 'ms',
  hint: END_TO_END_HINT,
  scale: 'log',
  bound: atMost(MAX_MEDIAN_END_TO_END_LATENCY_MS),
} satisfies Metric;
const END_TO_END_P95 = {
  id: 'end-to-end-p95',
  title: 'End-to-end latency, 95th percentile',
  unit: 'ms',
  hint: END_TO_END_HINT,
  scale: 'log',
  bound: atMost(P95_FACTOR * MAX_MEDIAN_END_TO_END_LATENCY_MS),
} satisfies Metric;
const SERVER_CPU = {
  id: 'server-cpu',
  title: 'Server CPU',
  unit: '% of a core',
  hint: 'the framework’s server process',
  scale: 'linear',
  bound: null,
} satisfies Metric;
const USER_CPU = {
  id: 'user-cpu',
  title: 'Client CPU',
  unit: '% of a core',
  hint: CLIENT_HINT,
  scale: 'linear',
  bound: null,
} satisfies Metric;

/** A figure that has intervals over trials. */
function headline(name: HeadlineFigureName): Pick<CellMetric, 'figureOf' | 'interval'> {
  return { figureOf: (cell) => headlineFigureOf(cell, name), interval: name };
}

/** In the order in which they are shown: two in a row. */
export const CELL_METRICS: readonly CellMetric[] = [
  { ...LOCAL_MEDIAN, section: 'figures', ...headline('localLatencyMs.p50') },
  { ...LOCAL_P95, section: 'figures', ...headline('localLatencyMs.p95') },
  {
    ...END_TO_END_MEDIAN,
    section: 'figures',
    ...headline('endToEndLatencyMs.p50'),
  },
  {
    ...END_TO_END_P95,
    section: 'figures',
    ...headline('endToEndLatencyMs.p95'),
  },
  { ...SERVER_CPU, section: 'figures', ...headline('serverCpuPercent') },
  { ...USER_CPU, section: 'figures', ...headline('userCpuPercent') },
  { ...THROUGHPUT, section: 'figures', ...headline('throughputPercent') },
  {
    id: 'user-memory',
    section: 'figures',
    title: 'Client memory',
    unit: 'MiB',
    hint: CLIENT_HINT,
    scale: 'linear',
    bound: null,
    ...headline('userMemoryMiB'),
  },
  {
    id: 'saved-state',
    section: 'state',
    title: 'Saved state',
    unit: 'KiB',
    hint: 'the document as the framework stores it, in the end',
    scale: 'linear',
    bound: null,
    figureOf: (cell) => cell.savedStateKiB,
    interval: null,
  },
  {
    id: 'state-ratio',
    section: 'state',
    title: 'Saved state ÷ Quill’s',
    unit: 'times',
    hint: 'against Quill’s own JSON of the same document',
    scale: 'linear',
    bound: null,
    figureOf: savedStateRatio,
    interval: null,
  },
];

export const TIME_METRICS: readonly TimeMetric[] = [
  { ...LOCAL_MEDIAN, figureOf: (point) => point.localLatencyMs.p50 },
  { ...LOCAL_P95, figureOf: (point) => point.localLatencyMs.p95 },
  { ...END_TO_END_MEDIAN, figureOf: (point) => point.endToEndLatencyMs.p50 },
  { ...END_TO_END_P95, figureOf: (point) => point.endToEndLatencyMs.p95 },
  { ...SERVER_CPU, figureOf: (point) => point.serverCpuPercent },
  { ...USER_CPU, figureOf: (point) => point.userCpuPercent },
  { ...THROUGHPUT, figureOf: (point) => point.throughputPercent },
  {
    id: 'document-length',
    title: 'Document length',
    unit: 'characters',
    hint: 'as the screens hold it',
    scale: 'linear',
    bound: null,
    figureOf: (point) => point.documentCharacters,
  },
  {
    id: 'long-tasks',
    title: 'Long tasks',
    unit: '% of the time',
    hint: 'a page’s main thread in tasks of 50 ms or longer',
    scale: null,
    bound: null,
    figureOf: (point) => point.longTaskPercent,
  },
];
