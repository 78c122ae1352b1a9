/** Thresholds of a comparison: `endToEndLatencyMs.p95 > +10%`. One that holds fails the command. */
import { didYouMean } from '../../results/nearest.ts';
import { UserError } from '../../results/user-error.ts';
import { HOLDS } from '../cell/condition.ts';
import { HEADLINE_FIGURES } from '../figures/catalogue.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { areFindings } from '../statistics/welch.ts';
import type { CellChange, Comparison, Design } from './compared-run.ts';
import type { FigureChange } from './figure-change.ts';

export interface Threshold {
  /** As the person wrote it. */
  text: string;
  figure: string;
  operator: keyof typeof HOLDS;
  bound: number;
  /** `percent`: of the change against base; `difference`: new - base, in the figure's unit; `value`: the new figure itself. */
  kind: 'percent' | 'difference' | 'value';
}

const FORM =
  /^\s*(?<name>[A-Za-z0-9.]+)\s*(?<operator>>=|<=|>|<)\s*(?<sign>[+-]?)(?<digits>\d+(?:\.\d+)?)\s*(?<percent>%?)\s*$/;
type Parts = Record<'name' | 'sign' | 'digits' | 'percent', string> & Pick<Threshold, 'operator'>;

/**
 * @param figures of document scenarios, which may be named beside the headline figures; which a run has, only its scenario tells
 * @throws UserError (exit code 2) that says what the expression may be, with the list of figures
 */
export function parseThreshold(text: string, figures: readonly { name: string }[] = []): Threshold {
  const parts = FORM.exec(text)?.groups;
  if (parts === undefined) throw refuse(text, 'it is not of the form FIGURE OPERATOR BOUND');
  const { name, operator, sign, digits, percent } = parts as Parts;
  const names = [...HEADLINE_FIGURES, ...figures].map((each) => each.name);
  const figure = names.find((each) => each === name);
  if (figure === undefined) throw refuse(text, `there is no figure ${name}${didYouMean(name, names)}`);
  if (sign === '' && percent !== '') {
    throw refuse(text, `${digits}% has no sign: a change is +${digits}% or -${digits}%, the figure itself has no %`);
  }
  if (sign === (operator.startsWith('>') ? '-' : '+')) {
    // Chance is ruled out of a change to the side of the operator, so no lack of a gain would ever fail.
    throw refuse(
      text,
      `${operator} takes no ${sign}: > finds a rise by more than +${digits}, < a fall by more than -${digits}`,
    );
  }
  const bound = Number(`${sign}${digits}`);
  return { text, figure, operator, bound, kind: sign === '' ? 'value' : percent === '%' ? 'percent' : 'difference' };
}

function refuse(text: string, problem: string): UserError {
  const figures = HEADLINE_FIGURES.map(({ name, unit }) => `  ${name} (${unit})`).join('\n');
  return new UserError(
    `--fail-if "${text}": ${problem}. Write, for example,\n  "endToEndLatencyMs.p95 > +10%"  a change against base, in percent\n  "localLatencyMs.p50 > +5"       a change, in the figure's unit\n  "throughputPercent < 98"        the new figure itself\nwith >, >=, < or <=, and one of the figures\n${figures}`,
  );
}

/**
 * Why thresholds fail, one sentence each; empty if none does.
 *
 * A change fails where its estimate passes the bound, and it is more than chance for all thresholds and cells together.
 * A figure that one of the runs lacks fails too, and so does a cell that has not run: a gate must not open for want of a
 * measurement.
 *
 * @param options.onEstimate let the estimate alone decide where there are too few trials for an interval
 * @throws UserError (exit code 2) if there are, and it may not
 */
export function failedThresholds(
  comparison: Comparison,
  thresholds: readonly Threshold[],
  options: { onEstimate?: boolean } = {},
): string[] {
  const gates = gatesOf(comparison, thresholds);
  if (options.onEstimate !== true) refuseTooFew(gates);
  return judgeThresholds(comparison, thresholds).map(({ text }) => text);
}

/** The answer about a threshold that does not simply hold back. */
export interface Failure {
  /** One sentence. */
  text: string;
  /** `missed`: the condition holds; `unknown`: no measurement says. */
  kind: 'missed' | 'unknown';
  /** Of the comparison. */
  cell: string;
  figure: string;
}

/** As `failedThresholds`, telling what was missed from what nothing is known of; it refuses nothing. */
export function judgeThresholds(comparison: Comparison, thresholds: readonly Threshold[]): Failure[] {
  const gates = gatesOf(comparison, thresholds);
  // Gated figures were chosen beforehand, so they need not pay for the figures that are merely shown.
  const judged = gates.filter(({ threshold, change }) => threshold.kind !== 'value' && change.p !== null);
  const findings = areFindings(judged.map(oneSidedP));
  const found = new Set(judged.filter((_, index) => findings[index]));
  return thresholds.flatMap((threshold) => [
    ...gates
      .filter((each) => each.threshold === threshold)
      .flatMap((each): Failure[] => {
        const problem = problemOf(threshold, each.change, found.has(each), comparison.design);
        const cell = each.cell.name;
        return problem === null ? [] : [{ ...failureOf(threshold, cell, problem.text), kind: problem.kind }];
      }),
    ...comparison.notRun.map(
      (cell): Failure => ({ ...failureOf(threshold, cell, 'no trial of it has run on both sides'), kind: 'unknown' }),
    ),
  ]);
}

function failureOf({ text, figure }: Threshold, cell: string, problem: string): Omit<Failure, 'kind'> {
  return { text: `${cell}: ${text}: ${problem}`, cell, figure };
}

/** Chance's share of a change at least as far to the side that the threshold watches; nobody asks about the other side. */
function oneSidedP({ threshold: { operator }, change }: Gate): number {
  const isToThatSide = operator.startsWith('>') === change.difference! > 0;
  return isToThatSide ? change.p! / 2 : 1 - change.p! / 2;
}

interface Gate {
  threshold: Threshold;
  cell: CellChange;
  change: FigureChange;
}

/** @throws UserError (exit code 2) where no cell has such a figure */
function gatesOf({ cells }: Comparison, thresholds: readonly Threshold[]): Gate[] {
  return thresholds.flatMap((threshold) => {
    const gates = cells.flatMap((cell) => {
      const change = cell.figures.find(({ figure }) => figure.name === threshold.figure);
      return change === undefined ? [] : [{ threshold, cell, change }];
    });
    if (gates.length > 0) return gates;
    const names = [...new Set(cells.flatMap(({ figures }) => figures.map(({ figure }) => figure.name)))].join(', ');
    const problem = `these runs have no figure ${threshold.figure}; they have ${names}`;
    throw new UserError(`--fail-if "${threshold.text}": ${problem}`);
  });
}

/** The same trials' luck that moves an estimate would decide over a change, so that is a person's choice. */
function refuseTooFew(gated: readonly Gate[]): void {
  const few = gated.find(({ threshold, change }) => threshold.kind !== 'value' && change.word === 'too few trials');
  if (few === undefined) return;
  const { threshold, cell, change } = few;
  throw new UserError(
    `--fail-if "${threshold.text}" cannot be judged: ${cell.name} has ${change.trials.base} trials of base and ${change.trials.new} of new with that figure, and to tell a change from chance takes ${MIN_TRIALS} of each; run more, or let the estimate alone decide with --fail-on-estimate`,
  );
}

const COMPARED: Record<Design, string> = {
  apart: 'between two runs made apart',
  'in pairs': 'in pairs within one run',
};

function problemOf(
  { kind, operator, bound }: Threshold,
  change: FigureChange,
  isFinding: boolean,
  design: Design,
): Pick<Failure, 'text' | 'kind'> | null {
  const { figure, word } = change;
  const seen = { percent: change.changePercent, difference: change.difference, value: change.new }[kind];
  const unknown = (text: string) => ({ text, kind: 'unknown' }) as const;
  if (seen === null && change.base !== null && change.new !== null)
    return unknown('it could not be compared, for of 0 or less there is no change in percent');
  if (seen === null && word === 'no ratio (0 or less)') {
    return unknown('it could not be compared, for a trial’s figure is 0 or less, of which there is no ratio');
  }
  if (seen === null) return unknown('it could not be compared, for it was not measured in both runs');
  if (!HOLDS[operator](seen, bound)) return null;
  const sign = kind !== 'value' && seen > 0 ? '+' : '';
  const value = `${sign}${seen.toFixed(1)} ${kind === 'percent' ? '%' : figure.unit}`;
  if (kind === 'value') return { text: `it is ${value}`, kind: 'missed' };
  if (word === 'too few trials') return unknown(`it changed by ${value} (${word}: chance is not ruled out)`);
  return isFinding ? { text: `it changed by ${value}, ${COMPARED[design]}`, kind: 'missed' } : null;
}
