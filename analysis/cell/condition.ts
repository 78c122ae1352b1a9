/** A condition on a cell's figures, as people write it: `endToEndLatencyMs.p95 < 500`. */
import { didYouMean } from '../../results/nearest.ts';
import { UserError } from '../../results/user-error.ts';
import { SUMMARY_FIGURES } from '../figures/catalogue.ts';
import { type Figure, type FiguredCell, figureOf } from '../figures/figure.ts';

/** Operators that hold a value against a bound. */
export const HOLDS = {
  '<': (value: number, bound: number) => value < bound,
  '<=': (value: number, bound: number) => value <= bound,
  '>': (value: number, bound: number) => value > bound,
  '>=': (value: number, bound: number) => value >= bound,
} as const;
const OPERATORS = Object.keys(HOLDS) as (keyof typeof HOLDS)[];

export interface Condition {
  /** As the person wrote it. */
  text: string;
  figure: Figure;
  operator: keyof typeof HOLDS;
  bound: number;
}

const FORM = /^\s*([^\s<>=]+)\s*([<>=!]+)\s*(\S+)\s*$/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** @throws UserError (exit code 2) that says what is wrong, and what is valid there */
export function parseCondition(text: string): Condition {
  const [, name, operator, number] = FORM.exec(text) ?? [];
  if (name === undefined) throw refuse(text, 'it is not of the form FIGURE OPERATOR NUMBER');
  const figure = SUMMARY_FIGURES.find((each) => each.name === name);
  if (figure === undefined) {
    const meant = didYouMean(
      name,
      SUMMARY_FIGURES.map((each) => each.name),
    );
    const lines = SUMMARY_FIGURES.map((each) => `  ${each.name} (${each.unit})`);
    throw refuse(text, `there is no figure ${name}${meant}; there are\n${lines.join('\n')}\n`, 'Write');
  }
  const known = OPERATORS.find((each) => each === operator);
  if (known === undefined) throw refuse(text, `"${operator}" is none of ${OPERATORS.join(', ')}`);
  if (!NUMBER.test(number!))
    throw refuse(text, `"${number}" is no number; ${name} is in ${figure.unit}, without its unit`);
  return { text: text.trim(), figure, operator: known, bound: Number(number) };
}

function refuse(text: string, problem: string, advice = '; write'): UserError {
  return new UserError(`the condition "${text}": ${problem}${advice}, for example, "endToEndLatencyMs.p95 < 500"`);
}

/** Null where the cell lacks the figure. */
export function holdsCondition(
  { figure, operator, bound }: Condition,
  cell: Pick<FiguredCell, 'figures'>,
): boolean | null {
  const value = figureOf(cell, figure);
  return value === null ? null : HOLDS[operator](value, bound);
}
