/** The form of a figure, as an entry of the catalogue. Browser-safe. */
import type { CellSummary } from '../../results/formats/summary.ts';
import type { Interval } from '../statistics/interval.ts';

/** The paths of all figures in an object of `summary.json`: `userCpuPercent`, `localLatencyMs.p50`. */
type FigurePath<T> = {
  [K in keyof T & string]: T[K] extends number | null ? K : T[K] extends object ? `${K}.${keyof T[K] & string}` : never;
}[keyof T & string];

type NoFigures =
  | 'users'
  | 'readers'
  | 'store'
  | 'servers'
  | 'trials'
  | 'validTrials'
  | 'failedTrials'
  | 'reasons'
  | 'notes'
  | 'missedBounds'
  | 'faults'
  | 'ci95'
  | 'serverSeries';
export type SummaryFigureName = FigurePath<Required<Omit<CellSummary, NoFigures | 'messages'>>>;
/** Figures over time that no summary has, and one that is made of two others. */
export type FigureName = SummaryFigureName | 'longTaskPercent' | 'savedStateRatio';

/** As the view `samples` calls them: the part of a percentile's name before the point. */
export type SampleName = FigureName extends infer Name
  ? Name extends `${infer Samples}.p${number}`
    ? Samples
    : never
  : never;

/** The kind of event that gives a figure its samples: it says how long users must type until a quantile is known. */
export type MeasuredOn =
  /** Of users who are live. */
  | 'own sigils'
  /** Of users who are live and of a crowd. */
  | 'anyone’s sigils'
  /** Of users who are not. */
  | 'the crowd’s sigils'
  /** Those that are deleted, or those that are formatted. */
  | 'changed sigils'
  | 'keys'
  | 'edits'
  | 'looks at text'
  | 'server loop';

/** A quantile, and the samples that it takes. */
export interface Quantile {
  p: number;
  /** The column that counts what is independent among the samples; without one, each sample is. */
  events?: string;
  measuredOn: MeasuredOn;
}

/**
 * Where a figure comes from, and how it is pooled over trials. A column is one of the views `trial_figures` and
 * `backing_figures` and, over time, of `bucket_figures`.
 */
export type Source =
  | ({ pooled: 'quantile'; samples: SampleName } & Quantile)
  | { pooled: 'count'; samples: SampleName }
  /**
   * Sum ÷ sum, in percent; `none` says why there may be no such sum. One that stands for a quantile is known only where
   * there are as many `events` as that quantile needs.
   */
  | { pooled: 'share'; part: string; whole: string; none: string; quantile?: Quantile & { events: string } }
  | { pooled: 'least' | 'greatest' | 'sum'; column: string }
  /** A trial of documents tells no figure that it lacks; of typing, a view tells all. */
  | { pooled: 'mean' | 'geometric mean'; column: string; mayLack?: true };

/** Made of two pooled figures. */
export interface Ratio {
  pooled: 'ratio';
  of: SummaryFigureName;
  to: SummaryFigureName;
}

/**
 * Where a figure is shown beside `summary.json` and `summary.csv`: `series`, the CSV files over time; `terminal`, the main
 * table; `report`, the table of all cells in the report; `resources` and `saved state`, the tables of one user count;
 * `baseline`, the table of what cells take more than one without a library;
 * `compare`, which gives it intervals over trials and a table per mode too; `scaling`, the table of how figures grow with the
 * users; `readers`, the table of what each reader adds; `store` and `servers`, the tables of what a store costs, and several servers; `sql`,
 * the table `cell_summaries`.
 */
export type Place =
  | 'series'
  | 'terminal'
  | 'report'
  | 'resources'
  | 'saved state'
  | 'baseline'
  | 'compare'
  | 'scaling'
  | 'readers'
  | 'store'
  | 'servers'
  | 'sql';

/** The demand of "fully functional", or of "smooth", on a figure; the former is drawn as a line in its charts. */
export interface Bound {
  value: number;
  kind: 'at least' | 'at most';
  from: 'the paper' | 'this project';
}

interface FigureChart {
  /** Unique among the charts of one kind; part of file names. */
  id: string;
  over: readonly ('users' | 'time')[];
  /**
   * `share`: a logarithmic axis makes no sense. `nearly whole`: and the axis ends at 100, and need not begin at 0. Else
   * both axes can be chosen, and the figure's scale is the first.
   */
  axis: 'any' | 'share' | 'nearly whole';
}

/** By the names of figures, such as `localLatencyMs.p50` or `applyMs`; absent or null: not measured. */
export type Figures = Readonly<Record<string, number | null>>;

/** The part of a cell that the texts of its figures need. */
export interface FiguredCell {
  figures: Figures;
  /** 95 % intervals over trials, by figure; null if there are too few trials, or the figure has no centre of trials. */
  ci95: Readonly<Record<string, Interval | null>>;
  validTrials: number;
  /** Names of figures that the last calibration missed a bound on. */
  missedBounds: readonly string[];
}

/** A figure of a cell of any scenario. */
export interface CellFigure {
  /** In `summary.json`, and its column in CSV files; of typing, a path. */
  name: string;
  /** In a sentence or heading, without the unit: `local latency, median`. */
  label: string;
  /** For a narrow heading in two lines, with the unit. Neighbours of one first line share a column, where space is dear. */
  short: readonly [string, string];
  /** Its heading in the main table, where `short` is too wide for it. */
  heading?: readonly [string, string];
  /** Left out of the main table where no cell has it. */
  column?: 'optional';
  /** Few runs have such a thing: a cell without it does not name the figure. */
  isSeldom?: true;
  unit: string;
  /** The whole of a percentage, such as `of a core`. */
  unitOf?: string;
  /** The explanation that a reader of the figure needs. */
  what: string;
  /** Latencies are skewed and what disturbs a trial multiplies them, so their scale is logarithmic. */
  scale: 'linear' | 'log';
  better: 'lower' | 'higher';
  source: Source | Ratio;
  places: readonly Place[];
  /**
   * Absent: `ci` does not compare it. Those that it does are few: each more would make all others less certain. A change for the worse by
   * more is a regression; null: none is.
   */
  regressionPercent?: number | null;
}

/** One that the records give, and no other figure. */
export type MeasuredFigure = CellFigure & { source: Source };

/** A figure of people who type. */
export interface Figure extends CellFigure {
  name: FigureName;
  /** In the middle of a sentence: `median local latency`. */
  inSentence: string;
  unit:
    | '%'
    | 'ms'
    | 'MiB'
    | 'KiB'
    | 'KiB/s'
    | 'bytes'
    | 'characters'
    | 'characters/s'
    | 'edits/s'
    | 'messages/s'
    | 'samples'
    | 'sigils'
    | 'receipts'
    | 'turns/µs'
    | 'times';
  bound: Bound | null;
  smoothBound?: Bound;
  /** The figure that a bound is held against where this one has too few samples: never a kinder one. */
  standIn?: FigureName;
  /** A criterion can do without it: crowds and older records do not tell. */
  mayBeUnknown?: true;
  /** It is so much or more: one below its bound says nothing. */
  isAtLeast?: true;
  /** No summary has it. */
  isOverTimeOnly?: true;
  chart: FigureChart | null;
}

export type BoundedFigure = Figure & { bound: Bound };
export type ChartedFigure = Figure & { chart: FigureChart };

/** A figure with intervals over trials. */
export type HeadlineFigureName = keyof CellSummary['ci95'];
export type HeadlineFigure = Figure & { name: HeadlineFigureName; source: Source };

export function isHeadline(figure: CellFigure): figure is HeadlineFigure {
  return figure.places.includes('compare');
}

/** A figure of a cell, pooled over its valid trials, or of one bucket of time; null if it was not measured. */
export function figureOf(
  { figures }: Pick<FiguredCell, 'figures'>,
  { name, source }: Pick<CellFigure, 'name' | 'source'>,
): number | null {
  const own = figures[name] ?? null;
  // Rows of the site keep a ratio, not its parts.
  if (own !== null || source.pooled !== 'ratio') return own;
  const [of, to] = [figures[source.of] ?? null, figures[source.to] ?? null];
  return of === null || to === null || to === 0 ? null : of / to;
}

/** `% of a core`. */
export function longUnit({ unit, unitOf }: Pick<CellFigure, 'unit' | 'unitOf'>): string {
  return unitOf === undefined ? unit : `${unit} ${unitOf}`;
}

/** `User CPU`, for headings. */
export function titleOf({ label }: { label: string }): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** The properties of most figures; an entry tells those that differ. */
const PLAIN = { scale: 'linear', better: 'lower', bound: null, places: [], chart: null } as const;

/** Units by the words at the end of a name, or before a point or `Per` in it. */
const UNITS = { Percent: '%', Ms: 'ms', MiB: 'MiB', KiBps: 'KiB/s', KiB: 'KiB' } as const;

/** The unit that a figure's name ends with; undefined if the name tells none. */
export function unitIn(name: string): (typeof UNITS)[keyof typeof UNITS] | undefined {
  const [word] = /(?:Percent|Ms|MiB|KiBps|KiB)(?=\.|Per|$)/.exec(name) ?? [];
  return UNITS[word as keyof typeof UNITS];
}

/** A figure with the unit that its name tells, the mean of the column of its name, unless the entry tells otherwise. */
export function figure(
  name: FigureName,
  label: string,
  short: Figure['short'],
  entry: Pick<Figure, 'what'> & Partial<Figure>,
): Figure {
  return { ...PLAIN, name, label, inSentence: label, short, unit: unitIn(name)!, source: mean(name), ...entry };
}

const PERCENTILES = {
  p50: [0.5, 'median'],
  p95: [0.95, '95th percentile'],
  p98: [0.98, '98th percentile'],
  p99: [0.99, '99th percentile'],
} as const;

/** Samples in ms, and the words for their percentiles. */
export interface Samples extends Omit<Quantile, 'p'> {
  samples: SampleName;
  label: string;
  /** The first line of the heading. */
  short: string;
  what: string;
}

/** A percentile of samples that are skewed to the right: on the log scale. */
export function percentile(part: keyof typeof PERCENTILES, { label, short, what, ...samples }: Samples): Figure {
  const [p, word] = PERCENTILES[part];
  return figure(`${samples.samples}.${part}` as FigureName, `${label}, ${word}`, [short, part], {
    inSentence: part === 'p50' ? `${word} ${label}` : `${word} of ${label}`,
    what,
    scale: 'log',
    source: { pooled: 'quantile', p, ...samples },
  });
}

export function sampleCount({ samples, label }: Samples, short: string, what: string): Figure {
  return figure(`${samples}.samples` as FigureName, `${label}, samples`, [short, 'samples'], {
    unit: 'samples',
    what,
    better: 'higher',
    source: { pooled: 'count', samples },
  });
}

const OVER_BOTH = ['users', 'time'] as const;

export function chart(id: string, given: Partial<FigureChart> = {}): FigureChart {
  return { id, over: OVER_BOTH, axis: 'any', ...given };
}

/** Of a column of the view that is not named as its figure. */
export function mean(column: string): Source {
  return { pooled: 'mean', column };
}
