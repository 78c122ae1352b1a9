/** The form of a scenario: what tells its cells apart, its figures and curves, and what its table says. Browser-safe. */
import type { ScenarioName } from '../../results/formats/documents.ts';
import { figureNamed } from '../figures/catalogue.ts';
import { type CellFigure, type FiguredCell, type MeasuredFigure, unitIn } from '../figures/figure.ts';
import { formatAmount, formatAmountWithin, NOTHING, roundAmount } from '../figures/figure-text.ts';
import { SPEED_FIGURES } from '../figures/machine-speed.ts';

/** A parameter that tells cells apart, as a column. */
export interface ScenarioParameter {
  /** As in `of` of a trial. */
  name: string;
  /** Above its column, in two lines. */
  short: readonly [string, string];
  /** Of a number: its unit; absent: a name. */
  unit?: string;
  /** The unit of one. */
  one?: string;
  /** The flag of `run` that chooses its values; absent: the experiment file alone does. */
  flag?: string;
}

interface ScenarioCurve {
  name: string;
  title: string;
  x: { label: string; unit: string };
  y: { label: string; unit: string };
}

export interface Scenario {
  name: ScenarioName;
  /** The measured process, in a phrase; null if nobody asks. */
  title: string | null;
  /** The first is who is measured: framework, engine or store. */
  parameters: readonly ScenarioParameter[];
  /** Those of `summary.json`, in its order. */
  figures: readonly MeasuredFigure[];
  /** Those of them that have intervals over trials. */
  withIntervals: readonly MeasuredFigure[];
  /** Those that each trial keeps of its own. */
  ofTrials: readonly MeasuredFigure[];
  /** Those of the table, in the order of reading. */
  inTable: readonly CellFigure[];
  /** Those that two runs are compared by. */
  compared: readonly MeasuredFigure[];
  /** Those whose growth is told, over the counts that cells differ in: by the trials of people who type, by the centres of other cells. */
  growing: readonly CellFigure[];
  /** A parameter by whose value published growth stands beside that of the cells. */
  publishedGrowthOf?: string;
  curves: readonly ScenarioCurve[];
  /** Below the table: what the headings mean. */
  legend: readonly string[];
  /** Below that, in a terminal. */
  foot: readonly string[];
  /** In the place of both, of the table in 80 columns; null: it has no such form. */
  shortLegend: readonly string[] | null;
  /**
   * True: people type. Cells are held against their criteria, and figures against the last calibration; messages name their trials, and
   * all parameters name a cell. Else the first does, which stands in each row of a table too, with those that vary.
   */
  isTyping: boolean;
  /** A figure as a summary keeps it. */
  round(value: number): number;
  /** The same of a single trial, for comparisons. */
  roundOfTrial(value: number): number;
  /** A figure of a cell in the table, and with its interval. */
  text(figure: CellFigure, cell: FiguredCell): string;
  textWithin(figure: CellFigure, cell: FiguredCell): string;
}

const PLAIN = { better: 'lower', places: ['terminal', 'compare'] } as const;

/**
 * A figure with the unit that its name tells, in the table and in comparisons; on the log scale if it is a time, and lower is better,
 * unless told otherwise. A trial has one value of it; on the log scale their centre is the geometric mean, else the mean.
 */
export function figure(
  name: string,
  label: string,
  short: readonly [string, string],
  entry: Pick<MeasuredFigure, 'what'> & Partial<MeasuredFigure>,
): MeasuredFigure {
  const unit = unitIn(name)!;
  const scale = entry.scale ?? (unit === 'ms' ? 'log' : 'linear');
  const source = { pooled: scale === 'log' ? 'geometric mean' : 'mean', column: name, mayLack: true } as const;
  return { ...PLAIN, name, label, short, unit, source, ...entry, scale };
}

/** The speed of every scenario's machine. */
const MACHINE_FIGURES: readonly MeasuredFigure[] = Object.values(SPEED_FIGURES).map((name) => ({
  ...figureNamed(name),
  places: [],
  source: { pooled: 'mean', column: name, mayLack: true },
}));

type DocumentsGiven = Pick<Scenario, 'name' | 'title' | 'parameters' | 'figures' | 'publishedGrowthOf' | 'legend'> &
  Partial<Pick<Scenario, 'curves'>>;

/** A scenario that measures single documents: a trial has one value of each figure, and tells no figure that it lacks. */
export function ofDocuments({ figures: given, ...scenario }: DocumentsGiven): Scenario {
  const figures = [...given, ...MACHINE_FIGURES].map((each) => ({ ...each, column: 'optional' as const }));
  const compared = figures.filter(({ places }) => places.includes('compare'));
  return {
    curves: [],
    ...scenario,
    figures,
    withIntervals: figures,
    ofTrials: figures,
    inTable: figures.filter(({ places }) => places.includes('terminal')),
    compared,
    growing: compared,
    foot: [`${NOTHING}: not measured, or not offered · figures: centres of the valid trials`],
    shortLegend: null,
    isTyping: false,
    round: roundAmount,
    roundOfTrial: (value) => value,
    text: ({ name }, cell) => formatAmount(cell.figures[name]),
    textWithin: ({ name }, cell) => formatAmountWithin(cell.figures[name] ?? null, cell.ci95[name]),
  };
}
