/** From the files of a document scenario's run to its cells. */
import type { DocumentCell, DocumentSummary } from '../../results/formats/documents.ts';
import type { DocumentPlanFile, DocumentTrial } from '../../results/formats/run-directory.ts';
import { readDocumentPlan, readEnvironment } from '../../results/run-folder/run-files.ts';
import type { Cell } from '../cell/cell.ts';
import {
  type CollectedFigure,
  cellTrials,
  collectCell,
  type JudgedCell,
  type JudgedTrial,
  judgeCells,
  poolFigures,
  warnOfTrialSpeeds,
} from '../cell/collect-cell.ts';
import { tellMessages } from '../cell/messages.ts';
import { roundAmount } from '../figures/figure-text.ts';
import { onlyKnown } from '../statistics/quantile.ts';
import type { ScenarioCatalogue, ScenarioFigure } from './scenario.ts';
import { CATALOGUES } from './table.ts';

type AnalysedDocumentCell = Cell<DocumentCell>;

export interface AnalysedDocumentRun {
  directory: string;
  plan: DocumentPlanFile;
  environment: Record<string, unknown>;
  catalogue: ScenarioCatalogue;
  /** Those of which at least one trial has run, in the order of the plan. */
  cells: AnalysedDocumentCell[];
}

/**
 * Analyses every trial that has run, as `analyseRun` does.
 *
 * @throws UserError (2) where plan or environment cannot be read
 */
export async function analyseDocumentRun(
  directory: string,
  { keeps = false }: { keeps?: boolean } = {},
): Promise<AnalysedDocumentRun> {
  const plan = await readDocumentPlan(directory);
  const environment = await readEnvironment(directory);
  const catalogue = CATALOGUES[plan.experiment.scenario];
  const cells: AnalysedDocumentCell[] = [];
  for await (const cell of judgeCells(directory, plan.trials, { keeps })) cells.push(analyseCell(cell, catalogue));
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

function analyseCell(cell: JudgedCell<DocumentTrial>, catalogue: ScenarioCatalogue): AnalysedDocumentCell {
  const { name } = cell;
  const parameters = cell.planned[0].of;
  const figures = catalogue.figures.map(collectedFigure);
  const trials = cell.judged.map((trial) => withEveryFigure(trial, catalogue));
  const valid = onlyKnown(trials.map((trial) => trial.figures));
  const round = (value: number) => roundAmount(value)!;
  const { ci95, ...collected } = collectCell(trials, { intervals: figures, round, namesTrials: false });
  return {
    name,
    parameters,
    summary: {
      ...parameters,
      ...collected,
      ...tellMessages([...collected.messages, ...warnOfTrialSpeeds(valid)]),
      ...poolFigures(valid, { figures, round: roundAmount }),
      ci95,
      curves: Object.fromEntries(
        catalogue.curves.flatMap(({ name }) => {
          const curves = valid.flatMap(({ curves }) => curves[name] ?? []);
          return curves.length === 0 ? [] : [[name, centreCurve(curves)]];
        }),
      ),
    },
    trials: cellTrials({ ...cell, judged: trials }, ({ columns }) => columns),
  };
}

/** A document's figure is one column of each trial: times multiply, anything else adds. */
function collectedFigure({ name, scale }: ScenarioFigure): CollectedFigure {
  return { name, scale, source: { pooled: scale === 'log' ? 'geometric mean' : 'mean', column: name } };
}

/** With null for each figure that a valid trial did not tell. */
function withEveryFigure({ figures, ...trial }: JudgedTrial, catalogue: ScenarioCatalogue): JudgedTrial {
  const columns = Object.fromEntries(catalogue.figures.map(({ name }) => [name, figures?.columns[name] ?? null]));
  return { ...trial, figures: figures && { ...figures, columns } };
}

/** Trials of a cell have their points at the same places; where one has fewer, the others' stand alone. */
function centreCurve(curves: readonly { x: number[]; y: number[] }[]): { x: number[]; y: (number | null)[] } {
  const x = [...new Set(curves.flatMap((curve) => curve.x))].sort((a, b) => a - b);
  const at = curves.map((curve) => new Map(curve.x.map((place, index) => [place, curve.y[index]!])));
  const y = x.map((place) => {
    const values = at.flatMap((curve) => curve.get(place) ?? []).sort((a, b) => a - b);
    return roundAmount(values[Math.floor((values.length - 1) / 2)] ?? null);
  });
  return { x, y };
}
