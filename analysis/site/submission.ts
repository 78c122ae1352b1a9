/** A run as others hand it in: its small summary, and the rules that it must keep. */
import * as z from 'zod';
import { documentSummarySchema } from '../../results/formats/documents.ts';
import { type Summary, summarySchema } from '../../results/formats/summary.ts';
import { countOf } from '../figures/figure-text.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { isOfDocuments, type KeptRun } from './kept-runs.ts';

/** Facts without which nobody can judge a figure, or measure it again. */
const NEEDED = ['scriptorium', 'node', 'os', 'cpu', 'cores', 'memoryMiB'] as const;

/** Each rule that a run breaks, with what to do; empty if it can be handed in. */
export function submissionProblems({ summary, plan }: KeptRun): string[] {
  const { environment, cells } = summary;
  const { error } = (isOfDocuments(summary) ? documentSummarySchema : summarySchema).safeParse(summary);
  const missing = NEEDED.filter((name) => environment[name] === undefined || environment[name] === null);
  const unjudged = cells.length > 0 && cells.every(({ validTrials, failedTrials }) => validTrials + failedTrials === 0);
  return [
    ...(error === undefined
      ? []
      : [`the summary is not of schema version 1: ${z.prettifyError(error)} → report the run again`]),
    ...(missing.length === 0 ? [] : [`the environment lacks ${missing.join(', ')} → measure with a present version`]),
    ...(cells.length === 0 ? ['it has no cell → run it to its end'] : []),
    ...shortCells(summary),
    ...(unjudged
      ? [
          'no trial is valid or failed: it says nothing of a framework → ./scriptorium doctor tells what disturbs this machine',
        ]
      : []),
    ...(plan.experiment === undefined ? ['the plan is missing → hand in the folder that run wrote'] : []),
  ];
}

/** A cell of a trial or two has no interval. */
function shortCells(summary: KeptRun['summary']): string[] {
  return (summary.cells as Summary['cells']).flatMap(({ framework, mode, users, trials }, index) => {
    const name = isOfDocuments(summary) ? `cell ${index + 1}` : `${framework}, ${mode}, ${users} users`;
    return trials >= MIN_TRIALS
      ? []
      : [`${name}: ${countOf(trials, 'trial')}, at least ${MIN_TRIALS} → --trials ${MIN_TRIALS}`];
  });
}

/** `26 cells of 13 frameworks: 24 valid, 2 failed; AMD EPYC, 2 cores`, for the reader of a pull request. */
export function describeSubmission({ summary }: KeptRun): string {
  const { environment, cells } = summary;
  const verdicts = [...Map.groupBy(cells as { verdict: string }[], ({ verdict }) => verdict)];
  return [
    `${summary.experiment}, ${summary.startedAt}`,
    `${countOf(cells.length, 'cell')}: ${verdicts.map(([verdict, own]) => `${own.length} ${verdict}`).join(', ')}`,
    `${environment.cpu}, ${environment.cores} cores, ${environment.os}; Scriptorium ${environment.scriptorium}`,
  ].join('\n  ');
}
