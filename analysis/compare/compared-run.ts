/** A run as it is compared: of typing or of documents, told by the same properties. */
import type { Parameters } from '../../results/formats/document-records.ts';
import { modeWithPresence } from '../../results/formats/run-directory.ts';
import type { Scenario } from '../../results/formats/scenarios.ts';
import { scenarioOf } from '../../results/run-folder/run-files.ts';
import type { Cell } from '../cell/cell.ts';
import { HEADLINE_FIGURES } from '../figures/catalogue.ts';
import { analyseRun } from '../run/analyse-run.ts';
import { analyseDocumentRun, documentSummaryOf } from '../documents/analyse.ts';
import { nameOf } from '../documents/table.ts';
import type { ComparedFigure } from './figure-change.ts';
import { type Functional, functionalOf } from './functional.ts';

export interface ComparedCell extends Cell {
  /** For people; it begins with what is measured. */
  title: string;
  /** Null for documents by themselves. */
  functional: Functional | null;
}

export interface ComparedRun {
  directory: string;
  scenario: Scenario;
  plan: { experiment: Record<string, unknown> & { name: string }; startedAt: string };
  environment: Record<string, unknown>;
  cells: ComparedCell[];
  /** The cells that were to run. */
  planned: Parameters[];
  /** The figures that runs of this scenario are compared by. */
  figures: readonly ComparedFigure[];
}

/** @throws UserError (exit code 2) if the run cannot be read */
export async function readComparedRun(directory: string): Promise<ComparedRun> {
  return (await scenarioOf(directory)) === 'typing' ? readTyping(directory) : readDocuments(directory);
}

async function readTyping(directory: string): Promise<ComparedRun> {
  const { cells, ...run } = await analyseRun(directory);
  return {
    ...run,
    scenario: 'typing',
    cells: cells.map((cell) => {
      const { framework, mode, users } = cell.summary;
      return { ...cell, title: `${framework}, ${mode}, ${users} users`, functional: functionalOf(cell.summary) };
    }),
    planned: run.plan.trials.map((trial) => ({
      ...{ framework: trial.framework, mode: modeWithPresence(trial), users: trial.users },
    })),
    figures: HEADLINE_FIGURES,
  };
}

async function readDocuments(directory: string): Promise<ComparedRun> {
  const { cells, catalogue, ...run } = await analyseDocumentRun(directory);
  const summary = documentSummaryOf({ ...run, catalogue, cells });
  return {
    ...run,
    scenario: catalogue.scenario,
    cells: cells.map((cell) => ({ ...cell, title: nameOf(summary, cell.summary), functional: null })),
    planned: run.plan.trials.map(({ of }) => of),
    figures: catalogue.figures.filter(({ places }) => places.includes('compare')),
  };
}
