/** A run as others hand it in: its small summary, and the rules that it must keep. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { documentSummarySchema } from '../../results/formats/documents.ts';
import { nameSchema } from '../../results/formats/names.ts';
import { summarySchema } from '../../results/formats/summary.ts';
import { UserError } from '../../results/user-error.ts';
import { isSettled } from '../campaign/ladder.ts';
import { judgeBy } from '../cell/fully-functional.ts';
import { countOf } from '../figures/figure-text.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { Cell } from '../scenarios/cell.ts';
import { nameOf as cellName } from '../scenarios/cell-name.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { KEPT_ENDING, type KeptRun, nameOf, problemsText, readKeptFile } from './kept-file.ts';
import { MEASURED_FOLDER } from './kept-runs.ts';

/** Clocks of others may be in another zone by mistake. */
const DAY_MS = 86_400_000;
/** Facts without which nobody can judge a figure, or measure it again. */
const NEEDED = ['scriptorium', 'node', 'os', 'cpu', 'cores', 'memoryMiB'] as const;

/** A packed run that somebody hands in. @throws UserError (1) if it breaks a rule, (2) if it is no packed run */
export async function readSubmitted(path: string): Promise<KeptRun> {
  const kept = await readKeptFile(path);
  requireRules(kept, path);
  const name = `${nameOf(kept)}${KEPT_ENDING}`;
  if (basename(path) !== name)
    throw new UserError(`${path} must be named by its start and its experiment: ${name}`, { exitCode: 1 });
  return kept;
}

/** @throws UserError (1) if the run breaks a rule, or the project has one of its name */
export function requireRules(kept: KeptRun, path: string): void {
  const problems = submissionProblems(kept);
  if (problems.length === 0) return;
  const list = problems.map((problem) => `  ✗ ${problem}`).join('\n');
  throw new UserError(`${path} cannot be handed in:\n${list}\nThe rules: docs/project/submitting.md`, { exitCode: 1 });
}

/** Each rule that a run breaks, with what to do; empty if it can be handed in. */
export function submissionProblems(kept: KeptRun): string[] {
  const { summary, written, rungs } = kept;
  const { environment, cells } = summary;
  const { error } = ('scenario' in written ? documentSummarySchema : summarySchema).safeParse(written);
  const missing = NEEDED.filter((name) => environment[name] === undefined || environment[name] === null);
  const isUnjudged = cells.every(({ validTrials, failedTrials }) => validTrials + failedTrials === 0);
  const isTaken = existsSync(join(MEASURED_FOLDER, `${nameOf(kept)}${KEPT_ENDING}`));
  const problems = [
    error && `the summary is not of schema version 1: ${problemsText(error)} → report the run again`,
    missing.length > 0 && `the environment lacks ${missing.join(', ')} → measure with a present version`,
    cells.length === 0 && rungs === undefined && 'it has no cell → run it to its end',
    isTaken && `the project has a run named ${nameOf(kept)} → measure one of your own`,
    cells.some(contradictsTrials) && 'a cell’s verdict contradicts its trials → report the run again',
    cells.some(contradictsFigures) && 'a cell’s answer contradicts its figures → report the run again',
    !hasOwnReplicates(kept) && 'figures of single trials are not those of the valid trials → report the run again',
    Date.parse(summary.startedAt) > Date.now() + DAY_MS &&
      `it began in the future (${summary.startedAt}) → set the clock`,
    ...unnamedCells(summary),
    ...shortCells(kept),
    isUnjudged &&
      rungs === undefined &&
      cells.length > 0 &&
      'no trial is valid or failed: it says nothing of a framework → ./scriptorium doctor tells what disturbs this machine',
  ];
  return problems.filter((problem) => typeof problem === 'string');
}

/** True if so many valid and failed trials make another verdict. */
function contradictsTrials({ verdict, trials, validTrials, failedTrials }: Cell): boolean {
  if (validTrials > 0) return verdict !== (validTrials === trials ? 'valid' : 'partly valid');
  return failedTrials === trials ? verdict !== 'failed' : verdict !== 'invalid' && verdict !== 'unknown';
}

/** True if a cell says that it meets a criterion, or that it does not, and what it holds says the opposite. */
function contradictsFigures(cell: Cell): boolean {
  const { trials, validTrials, failedTrials, fullyFunctional, smooth } = cell;
  const isContradicted = (answer: boolean | null, criterion: 'paper' | 'smooth') => {
    if (answer === null) return false;
    const { holds } = judgeBy(criterion, cell, { trials, failedTrials, calm: null, intervalOf: () => null });
    return holds === !answer || (answer && validTrials === 0);
  };
  return isContradicted(fullyFunctional, 'paper') || isContradicted(smooth, 'smooth');
}

function hasOwnReplicates({ summary: { cells }, replicates }: KeptRun): boolean {
  if (replicates === undefined) return true;
  const most = (index: number) => Math.max(0, ...Object.values(replicates[index]!).map((values) => values.length));
  return replicates.length === cells.length && cells.every(({ validTrials }, index) => most(index) <= validTrials);
}

/** The framework, engine or store that was measured. */
function unnamedCells({ scenario, cells }: KeptRun['summary']): string[] {
  const { name } = SCENARIOS[scenario].parameters[0]!;
  const areNamed = cells.every(({ parameters }) => nameSchema.safeParse(parameters[name]).success);
  return areNamed ? [] : [`a cell names no ${name} → report the run again`];
}

/** A cell of a trial or two has no interval; that of a ladder's rung has as many as settle whether its count holds. */
function shortCells({ summary, rungs }: KeptRun): string[] {
  const told = (cell: Cell, rest: string) => `${cellName(summary, cell)}: ${countOf(cell.trials, 'trial')}, ${rest}`;
  if (rungs === undefined) {
    const short = summary.cells.filter(({ trials }) => trials < MIN_TRIALS);
    return short.map((cell) => told(cell, `at least ${MIN_TRIALS} → --trials ${MIN_TRIALS}`));
  }
  const settled = new Set<unknown>(rungs.filter(isSettled).map(({ framework }) => framework));
  const open = summary.cells.filter(({ parameters }) => !settled.has(parameters.framework));
  return open.map((cell) => told(cell, 'and the count is still open → go on with the campaign'));
}

/** `26 cells of 13 frameworks: 24 valid, 2 failed; AMD EPYC, 2 cores`, for the reader of a pull request. */
export function describeSubmission({ summary }: KeptRun): string {
  const { environment, cells } = summary;
  const verdicts = [...Map.groupBy(cells, ({ verdict }) => verdict)];
  return [
    `${summary.experiment}, ${summary.startedAt}`,
    `${countOf(cells.length, 'cell')}: ${verdicts.map(([verdict, own]) => `${own.length} ${verdict}`).join(', ')}`,
    `${environment.cpu}, ${environment.cores} cores, ${environment.os}; Scriptorium ${environment.scriptorium}`,
  ].join('\n  ');
}
