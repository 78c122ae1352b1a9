/** Scales: where a value lies on an axis, and its labels. */
import { formatTick } from '../../figures/figure-text.ts';
import { BOUND } from '../palette.ts';
import type { Axis, ChartModel, Mark, Place } from './form.ts';

const MOST_TICKS = 7;
/** Of less than a decade a logarithmic axis has hardly a label. */
const FAR_APART = 10;
/** A bound farther off than this many times the largest figure is named in the hint, not drawn: it would squeeze all else. */
const BOUND_REACH = { linear: 1.5, log: 3 };

export interface Scale {
  least: number;
  greatest: number;
  isLog: boolean;
  ticks: readonly number[];
  /** From 0, the axis' beginning, to 1, its end; what lies beyond is at the end. NaN if a logarithmic axis has no place for it. */
  at(value: number): number;
}

/** @param ends `round`: labels around all values; `exact`: labels between the ends */
export function linearScale(least: number, greatest: number, ends: 'round' | 'exact' = 'round'): Scale {
  const step = roundUp((greatest - least) / (MOST_TICKS - 1) || 1);
  const first = Math.floor(least / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(greatest / step - 1e-9));
  const ticks = range(first, last).map((count) => count * step);
  if (ends === 'round') return scaleOf([ticks[0]!, ticks.at(-1)!], ticks);
  const inside = ticks.filter((tick) => tick >= least && tick <= greatest);
  return scaleOf([least, greatest], inside);
}

/** Labels around all values, at least two of them. @param values above 0, at least one */
export function logScale(values: readonly number[]): Scale {
  const least = 1 / roundUp(1 / Math.min(...values));
  const greatest = Math.max(roundUp(Math.max(...values)), roundUp(least * 1.01));
  const powers = range(Math.floor(Math.log10(least) + 1e-9), Math.floor(Math.log10(greatest) + 1e-9));
  const labels = (digits: readonly number[]) =>
    powers
      .flatMap((power) => digits.map((digit) => digit * 10 ** power))
      .filter((tick) => tick >= least * (1 - 1e-9) && tick <= greatest * (1 + 1e-9));
  const [fine, coarse] = [labels([1, 2, 5]), labels([1])];
  const every = Math.ceil(coarse.length / MOST_TICKS);
  const ticks = fine.length <= MOST_TICKS ? fine : coarse.filter((_, index) => index % every === 0);
  return scaleOf([least, greatest], ticks, true);
}

function scaleOf([least, greatest]: readonly [number, number], ticks: readonly number[], isLog = false): Scale {
  const measure = isLog ? Math.log10 : Number;
  const length = measure(greatest) - measure(least) || 1;
  const at = (value: number) =>
    isLog && value <= 0 ? Number.NaN : Math.min(1, Math.max(0, (measure(value) - measure(least)) / length));
  return { least, greatest, isLog, ticks, at };
}

/** 1, 2 or 5 times a power of ten, at least so much. */
function roundUp(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  return [1, 2, 5, 10].map((times) => times * power).find((round) => round >= least * (1 - 1e-9))!;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The scale that figures are read on: of all charts that share it. */
export function figureScale(model: ChartModel, isLog: boolean): Scale {
  const { bound, whole } = model;
  const figures = figuresBeside(model);
  const values = [
    ...figures,
    ...endsBeside(model),
    ...(bound !== null && showsBound(model, isLog) ? [bound.value] : []),
  ];
  const positive = values.filter((value) => value > 0);
  if (isLog && positive.length > 0) return logScale(positive);
  if (whole !== null) return linearScale(Math.min(whole, ...values) - 1, whole);
  return linearScale(Math.min(0, ...figures), Math.max(0, ...values));
}

/** True if the chart begins with a logarithmic axis: where figures multiply, and lie far apart. */
export function beginsLogarithmic(model: ChartModel): boolean {
  return model.scale === 'log' && areFarApart([...figuresBeside(model), ...endsBeside(model)]);
}

/** True if values above 0 lie so far apart that on a linear axis the small ones were all alike. */
export function areFarApart(values: readonly number[]): boolean {
  const positive = values.filter((value) => value > 0);
  return Math.max(...positive) >= FAR_APART * Math.min(...positive);
}

/** True if the axis is long enough to hold the bound. */
export function showsBound(model: ChartModel, isLog: boolean): boolean {
  const { bound } = model;
  if (bound === null || bound.kind === 'at least') return bound !== null;
  return bound.value <= BOUND_REACH[isLog ? 'log' : 'linear'] * Math.max(0, ...figuresBeside(model));
}

/** Of all charts that share axes. */
function figuresBeside({ lines, beside = lines }: ChartModel): number[] {
  return beside.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
}

function endsBeside({ lines, beside = lines }: ChartModel): number[] {
  return beside.flatMap(({ points }) =>
    points.flatMap(({ interval }) => (interval === null ? [] : [interval.low, interval.high])),
  );
}

export function axisOf({ ticks, isLog, at }: Scale, title: string): Axis {
  const labels = ticks.map((value) => ({ at: at(value), text: formatTick(value) }));
  return { title: isLog ? `${title}, logarithmic` : title, ticks: labels, isOfNames: false };
}

/** The line of a bound and its label, if the axis reaches so far. @param isAcross true if figures are read from left to right */
export function boundMarks(
  { bound }: ChartModel,
  scale: Scale,
  { isAcross, isRight }: { isAcross: boolean; isRight: boolean },
): Mark[] {
  if (bound === null || bound.value > scale.greatest || bound.value < scale.least) return [];
  const at = scale.at(bound.value);
  const place = (along: number): Place => (isAcross ? [at, along] : [along, at]);
  // Above its line, or below it if there is no room.
  const down = isAcross ? 10 : at > 0.93 ? 12 : -4;
  return [
    { colour: BOUND, from: place(0), to: place(1), widthPx: 1, dash: [4, 3] },
    {
      colour: BOUND,
      words: `${bound.kind === 'at least' ? '≥' : '≤'} ${formatTick(bound.value)}`,
      at: place(isAcross || isRight ? 1 : 0),
      shiftPx: [isRight ? -4 : 4, down],
      align: isRight ? 'right' : 'left',
    },
  ];
}
