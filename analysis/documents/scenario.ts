/** The form of a document scenario's figures, and of the catalogues beside this file. Browser-safe. */
import type { DocumentScenario } from '../../results/formats/documents.ts';
import { type CiRole, unitIn } from '../figures/figure.ts';
import { SPEED_FIGURES } from '../figures/machine-speed.ts';

/** A parameter that tells cells apart, as a column. */
export interface ScenarioParameter {
  /** As in `of` of a trial. */
  name: string;
  /** Above its column, in two lines. */
  short: [string, string];
  /** Of a number: its unit; absent: a name. */
  unit?: string;
  /** The flag of `run` that chooses its values; absent: the experiment file alone does. */
  flag?: string;
}

export interface ScenarioFigure {
  /** With its unit, as in `summary.json`. */
  name: string;
  label: string;
  /** Above its column, in two lines. */
  short: [string, string];
  unit: string;
  /** The explanation that a reader of the figure needs. */
  what: string;
  /** Times multiply: their centre is the geometric mean, and a change a ratio. */
  scale: 'linear' | 'log';
  better: 'lower' | 'higher';
  /** `main`: in the table that a run prints, too; `compare`: among those that two runs are compared by. */
  places: readonly ('main' | 'compare')[];
  ci: CiRole | null;
}

const PLAIN = { better: 'lower', places: [], ci: null } as const;

/** A figure with the unit that its name tells; on the log scale if it is a time, and lower is better, unless told otherwise. */
export function figure(
  name: string,
  label: string,
  short: [string, string],
  entry: Pick<ScenarioFigure, 'what'> & Partial<ScenarioFigure>,
): ScenarioFigure {
  const unit = unitIn(name)!;
  return { ...PLAIN, name, label, short, unit, scale: unit === 'ms' ? 'log' : 'linear', ...entry };
}

const SPEED = {
  unit: 'turns/µs',
  better: 'higher',
  what: 'turns of a fixed loop of JavaScript, before and after each trial',
} as const;

/** Figures of every scenario's machine. */
export const MACHINE_FIGURES: readonly ScenarioFigure[] = [
  figure(SPEED_FIGURES.oneCore, 'machine speed, one core', ['speed', 'one core'], SPEED),
  figure(SPEED_FIGURES.allCores, 'machine speed, all cores', ['speed', 'all cores'], SPEED),
];

interface ScenarioCurve {
  name: string;
  title: string;
  x: { label: string; unit: string };
  y: { label: string; unit: string };
}

export interface ScenarioCatalogue {
  scenario: DocumentScenario;
  /** The measured process, in a phrase. */
  title: string;
  /** The first is who is measured: engine, framework or store. */
  parameters: readonly ScenarioParameter[];
  figures: readonly ScenarioFigure[];
  curves: readonly ScenarioCurve[];
  /** Below the table: what the headings mean. */
  legend: readonly string[];
}
