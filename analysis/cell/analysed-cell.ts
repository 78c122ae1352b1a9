/** What is known of a cell whose trials have run. Types only, so a browser may import them. */
import type { CellSummary, SeriesPoint } from '../../results/formats/summary.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import type { FigureName, HeadlineFigureName } from '../figures/figure.ts';

export interface AnalysedCell {
  /** `<framework>-<mode>-<users>`, as in the plan; unique in its run. */
  name: string;
  summary: CellSummary;
  trials: AnalysedTrial[];
  /** Over time, pooled over the valid trials; empty where there is none. */
  series: SeriesPoint[];
}

/** What is known of a trial that has run, but for its figures. */
export interface TrialJudgement {
  trial: number;
  verdict: Verdict['verdict'];
  reasons: string[];
  notes: string[];
  converged: boolean | null;
  /** Of the framework, as the records say; null where they cannot be read. */
  version: string | null;
  /** Whether the machine was short of cores, so that a bound that is missed may be the machine's. */
  isShortOfCores: boolean;
}

export interface AnalysedTrial extends TrialJudgement {
  /** Relative to the run's folder. */
  directory: string;
  /** The trial's own headline figures, which the intervals are made of; null for a trial that is not valid. */
  figures: Record<HeadlineFigureName, number | null> | null;
  /** The trial's own figures whose growth with the users is told; null for a trial that is not valid. */
  scaling: Partial<Record<FigureName, number | null>> | null;
}
