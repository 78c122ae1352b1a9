/** From the files of a document scenario's run to its cells. Reads files only, and writes none. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Parameters } from '../../results/formats/document-records.ts';
import type { DocumentCell, DocumentSummary } from '../../results/formats/document-summary.ts';
import type { DocumentPlanFile } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { readDocumentPlan, readEnvironment } from '../../results/run-folder/run-files.ts';
import { interval95 } from '../statistics/interval.ts';
import { meanOfKnown, onlyKnown } from '../statistics/known-figures.ts';
import { type DocumentTrialResult, readDocumentTrial } from '../trial/document-trial.ts';
import { roundAmount } from './amount.ts';
import { CATALOGUES } from './catalogue.ts';
import type { ScenarioCatalogue } from './scenario.ts';

export interface AnalysedDocumentCell {
  name: string;
  of: Parameters;
  summary: DocumentCell;
  /** Those that have run, in order. */
  trials: (DocumentTrialResult & { trial: number; directory: string })[];
}

export interface AnalysedDocumentRun {
  directory: string;
  plan: DocumentPlanFile;
  environment: Record<string, unknown>;
  catalogue: ScenarioCatalogue;
  /** Those of which at least one trial has run, in the order of the plan. */
  cells: AnalysedDocumentCell[];
}

/** @throws UserError (2) where plan or environment cannot be read */
export async function analyseDocumentRun(directory: string): Promise<AnalysedDocumentRun> {
  const plan = await readDocumentPlan(directory);
  const environment = await readEnvironment(directory);
  const catalogue = CATALOGUES[plan.experiment.scenario];
  const cells: AnalysedDocumentCell[] = [];
  for (const [name, planned] of Map.groupBy(plan.trials, ({ cell }) => cell)) {
    const ran = planned.filter((trial) => existsSync(join(directory, trial.directory)));
    if (ran.length === 0) continue;
    const trials = await Promise.all(
      ran.map(async (trial) => ({
        ...(await readDocumentTrial(join(directory, trial.directory))),
        trial: trial.trial,
        directory: trial.directory,
      })),
    );
    const { of } = ran[0]!;
    cells.push({ name, of, trials, summary: summarize(of, trials, catalogue) });
  }
  return { directory, plan, environment, catalogue, cells };
}

export function documentSummaryOf({ plan, environment, cells }: AnalysedDocumentRun): DocumentSummary {
  return {
    schemaVersion: 1,
    experiment: plan.experiment.name,
    scenario: plan.experiment.scenario,
    startedAt: plan.startedAt,
    environment,
    cells: cells.map(({ summary }) => summary),
  };
}

/** A cell's figure is the centre of its valid trials': the geometric mean of times, the mean of anything else. */
export function centreOf(values: readonly number[], scale: 'linear' | 'log'): number | null {
  if (scale === 'linear' || values.some((value) => value <= 0)) return meanOfKnown(values);
  const mean = meanOfKnown(values.map(Math.log));
  return mean === null ? null : Math.exp(mean);
}

function summarize(of: Parameters, trials: readonly DocumentTrialResult[], catalogue: ScenarioCatalogue): DocumentCell {
  const valid = trials.filter(({ verdict }) => verdict.verdict === 'valid');
  const valuesOf = (name: string) => onlyKnown(valid.map(({ figures }) => figures[name] ?? null));
  const said = (list: (verdict: Verdict) => Verdict['reasons']) => [
    ...new Set(trials.flatMap(({ verdict }) => list(verdict).map(({ message }) => message))),
  ];
  return {
    ...of,
    version: onlyKnown(trials.map(({ version }) => version))[0] ?? 'unknown',
    trials: trials.length,
    validTrials: valid.length,
    failedTrials: trials.filter(({ verdict }) => verdict.verdict === 'failed').length,
    verdict: verdictOf(trials, valid.length),
    reasons: said(({ reasons }) => reasons),
    notes: said(({ notes }) => notes),
    ...Object.fromEntries(
      catalogue.figures.map(({ name, scale }) => [name, roundAmount(centreOf(valuesOf(name), scale))]),
    ),
    ci95: Object.fromEntries(
      catalogue.figures.map(({ name, scale }) => {
        const interval = interval95(valuesOf(name), scale);
        return [name, interval && { low: roundAmount(interval.low)!, high: roundAmount(interval.high)! }];
      }),
    ),
    curves: Object.fromEntries(
      catalogue.curves.flatMap(({ name }) => {
        const curves = onlyKnown(valid.map(({ curves }) => curves[name] ?? null));
        return curves.length === 0 ? [] : [[name, centreCurve(curves)]];
      }),
    ),
  };
}

/** Trials of a cell have their points at the same places; where one has fewer, the others' stand alone. */
function centreCurve(curves: readonly { x: number[]; y: number[] }[]): { x: number[]; y: (number | null)[] } {
  const x = [...new Set(curves.flatMap((curve) => curve.x))].sort((a, b) => a - b);
  const at = curves.map((curve) => new Map(curve.x.map((each, index) => [each, curve.y[index]!])));
  const y = x.map((each) => {
    const values = at.flatMap((curve) => curve.get(each) ?? []).sort((a, b) => a - b);
    return roundAmount(values[Math.floor((values.length - 1) / 2)] ?? null);
  });
  return { x, y };
}

function verdictOf(trials: readonly DocumentTrialResult[], valid: number): DocumentCell['verdict'] {
  if (valid === trials.length) return 'valid';
  if (valid > 0) return 'partly valid';
  const all = (kind: Verdict['verdict']) => trials.every(({ verdict }) => verdict.verdict === kind);
  return all('failed') ? 'failed' : all('unknown') ? 'unknown' : 'invalid';
}
