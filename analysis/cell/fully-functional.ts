/** The two criteria of a cell: does everyone type unhindered, and see the others' edits soon? */
import type { Message } from '../../results/formats/verdict.ts';
import { BOUNDED_FIGURES, figureNamed, SMOOTH_FIGURES } from '../figures/catalogue.ts';
import { type Bound, type Figure, type FiguredCell, figureOf } from '../figures/figure.ts';
import { countOf } from '../figures/figure-text.ts';
import type { Interval } from '../statistics/interval.ts';
import { neededSamples } from '../statistics/quantile.ts';
import { aboutCell, CRITERION_CODES } from './messages.ts';

/** Words before bounds that may have been missed for want of cores alone. */
export const SHORT_OF_CORES = 'the machine was full, which may be why it missed';
const SHOWN_DIGITS = 4;

/** Help against each cause for which a criterion is not judged, in the order in which it is given. */
const ADVICE = {
  'short of cores': 'use fewer users, or a quieter machine',
  'too few samples': 'measure longer',
  'interval spans the bound': 'run more trials',
} as const;

/** A figure that is not known, or not clearly on one side of its bound. */
interface Unknown {
  text: string;
  /** Null: nothing helps. */
  cause: keyof typeof ADVICE | null;
}

type Figured = Pick<FiguredCell, 'figures'>;

interface Judgement {
  /** Null if no bound is missed, but a figure that is needed is not known, or not clearly on one side of its bound. */
  holds: boolean | null;
  /** The bounds missed, and by how much. */
  missed: string[];
  unknown: Unknown[];
}

/** How the figures came to be. */
interface Circumstances {
  trials: number;
  /** Trials that the framework failed. */
  failedTrials: number;
  /** The faults that the experiment asked for, in words; empty or absent if there were none. */
  faults?: string;
  /** The same figures of the trials whose machine was not short of cores; null if it was in none. */
  calm: Figured | null;
  /** The 95 % interval over trials; null if there are too few, or the figure is a sum or an extreme. */
  intervalOf(figure: Figure): Interval | null;
}

interface Held {
  figure: Figure;
  bound: Bound;
  value: number | null;
}

type CriterionName = keyof typeof CRITERION_CODES;

/** The paper's bounds, and those of this project's stricter criterion, which a page that freezes cannot pass. */
const BOUNDS: Readonly<Record<CriterionName, readonly Pick<Held, 'figure' | 'bound'>[]>> = {
  paper: BOUNDED_FIGURES.map((figure) => ({ figure, bound: figure.bound })),
  smooth: SMOOTH_FIGURES.map((figure) => ({ figure, bound: figure.smoothBound })),
};

/**
 * Holds a cell's figures against a criterion. It demands its bounds, and that the framework failed no trial. A bound that is
 * missed only where the machine was short of cores may be the machine's miss, so that is not known; nor is one that the
 * figure's interval spans. Figures that hold what the experiment asked to break say nothing of a bound.
 */
export function judgeBy(
  criterion: CriterionName,
  cell: Figured,
  { trials, failedTrials, faults = '', calm, intervalOf }: Circumstances,
): Judgement {
  const failed = failedTrials > 0 ? [`${failedTrials} of ${countOf(trials, 'trial')} failed`] : [];
  if (faults !== '') {
    return {
      holds: failedTrials > 0 ? false : null,
      missed: failed,
      unknown: [{ cause: null, text: `the figures hold what the experiment asked to break: ${faults}` }],
    };
  }
  const held = BOUNDS[criterion].map(({ figure, bound }) => hold(figure, bound, cell));
  const isUnclear = ({ figure, bound, value }: Held) => value !== null && spans(intervalOf(figure), bound);
  const misses = held.filter((each) => isMissed(each) && !isUnclear(each) && !isOpen(each));
  const isMachines = (miss: Held) => calm !== null && !isMissed({ ...miss, value: figureOf(calm, miss.figure) });
  const missed = [...failed, ...misses.filter((miss) => !isMachines(miss)).map((miss) => describe(miss))];
  const machines = misses.filter(isMachines).map((miss) => describe(miss));
  const because = (cause: Unknown['cause'], texts: readonly string[]) =>
    texts.map((text): Unknown => ({ text, cause }));
  const isAtLeastMissed = (each: Held) => isMissed(each) && isOpen(each);
  const open = held.filter(isAtLeastMissed).map((each) => describe(each));
  const unclear = held
    .filter((each) => isUnclear(each) && !isAtLeastMissed(each))
    .map((each) => describeUnclear(each, intervalOf(each.figure)!));
  const unknown = [
    ...because('short of cores', machines.length > 0 ? [`${SHORT_OF_CORES} ${machines.join(', ')}`] : []),
    ...because(null, open),
    ...because('interval spans the bound', unclear),
    ...held
      .filter(({ figure, value }) => value === null && figure.mayBeUnknown !== true)
      .map(({ figure }) => describeMissing(figure, cell)),
  ];
  return { holds: missed.length > 0 ? false : unknown.length > 0 ? null : true, missed, unknown };
}

/** Where the figure itself has too few samples, its stand-in's value is held, under the stand-in's name. */
function hold(figure: Figure, bound: Bound, cell: Figured): Held {
  const value = figureOf(cell, figure);
  if (value !== null || figure.standIn === undefined) return { figure, bound, value };
  const standIn = figureNamed(figure.standIn);
  const standInValue = figureOf(cell, standIn);
  return standInValue === null ? { figure, bound, value } : { figure: standIn, bound, value: standInValue };
}

function isMissed({ value, bound }: Held): boolean {
  if (value === null) return false;
  return bound.kind === 'at least' ? value < bound.value : value > bound.value;
}

/** One that is at least so much may be more. */
function isOpen({ figure }: Held): boolean {
  return figure.isAtLeast === true;
}

function spans(interval: Interval | null, { value }: Bound): boolean {
  return interval !== null && interval.low < value && value < interval.high;
}

/** Such as `throughput (97.96 %, at least 98 %)`: the figure, its value, its bound, and more in the brackets. */
function describe(held: Held, ...more: string[]): string {
  const { figure, bound, value } = held;
  const { unit } = figure;
  const rounded = Number(value!.toPrecision(SHOWN_DIGITS));
  // Rounding must not hide on which side of its bound a value lies.
  const shown = rounded === bound.value ? value : rounded;
  const facts = [`${shown} ${unit}${isOpen(held) ? ' or more' : ''}`, `${bound.kind} ${bound.value} ${unit}`, ...more];
  return `${figure.inSentence} (${facts.join(', ')})`;
}

function describeUnclear(held: Held, { low, high }: Interval): string {
  const [from, to] = [low, high].map((end) => {
    const rounded = Math.round(end * 10) / 10;
    return rounded === held.bound.value ? Number(end.toPrecision(SHOWN_DIGITS)) : rounded;
  });
  return describe(held, `interval ${from} to ${to} ${held.figure.unit}`);
}

/** Advice against the causes, such as ` → measure longer`; empty: nothing helps. */
export function adviceOn(causes: readonly Unknown['cause'][]): string {
  const advice = Object.entries(ADVICE).filter(([cause]) => causes.some((each) => each === cause));
  return advice.length === 0 ? '' : ` → ${advice.map(([, help]) => help).join('; ')}`;
}

function describeMissing(figure: Figure, { figures }: Figured): Unknown {
  const because = (why: string, cause: Unknown['cause']) => ({ text: `${figure.inSentence} (${why})`, cause });
  const { source } = figure;
  if (source.pooled === 'share') {
    if (source.quantile === undefined) return because(source.none, null);
    const needed = neededSamples(source.quantile.p);
    return because(`fewer than the ${needed} sigils needed, or ${source.none}`, 'too few samples');
  }
  if (source.pooled !== 'quantile') return because('not measured', null);
  const seen =
    source.events === undefined
      ? `${figures[`${source.samples}.samples`] ?? null} samples`
      : `${figures[source.events] ?? null} sigils`;
  return because(`${seen}, ${neededSamples(source.p)} needed`, 'too few samples');
}

/** A judgement as messages of its cell: one for each bound missed, and one for all that is not known. */
export function tellJudgement(criterion: CriterionName, { missed, unknown }: Judgement): Message[] {
  const codes = CRITERION_CODES[criterion];
  const texts = unknown.map(({ text }) => text).join('; ') + adviceOn(unknown.map(({ cause }) => cause));
  return [
    ...missed.map((text) => aboutCell(codes.missed, 'decides', text)),
    ...(unknown.length === 0 ? [] : [aboutCell(codes.unknown, 'decides', texts)]),
  ];
}
