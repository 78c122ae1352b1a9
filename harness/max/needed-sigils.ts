/** How many sigils a trial needs, so that every figure of a criterion is known, and how long users type them. */
import { BOUNDED_FIGURES, SMOOTH_FIGURES } from '../../analysis/figures/catalogue.ts';
import type { Figure, MeasuredOn, Quantile } from '../../analysis/figures/figure.ts';
import { neededSamples } from '../../analysis/statistics/quantile.ts';
import { MODES } from '../../frameworks/modes.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { Criterion } from './outcome.ts';

/** The sigils that one trial needs, so that every figure of the criterion is known. */
export interface NeededSigils {
  /** Typed by users who are live: what shows on their own screens. */
  local: number;
  /** Typed by anybody, the crowd included: what shows on others'. */
  remote: number;
  /** Typed by the crowd alone. */
  crowd: number;
}

/** @param hasKeys true if the users' keys are timed, so that they can stand in for sigils */
export function neededSigils(criterion: Criterion, { hasKeys }: { hasKeys: boolean }): NeededSigils {
  const isByKeys = ({ standIn }: Figure) => criterion.name !== 'where' && hasKeys && standIn !== undefined;
  const needs = figuresOf(criterion).map((figure) => (isByKeys(figure) ? NONE : sigilsFor(figure)));
  return {
    local: Math.max(1, ...needs.map(({ local }) => local)),
    remote: Math.max(1, ...needs.map(({ remote }) => remote)),
    crowd: Math.max(0, ...needs.map(({ crowd }) => crowd)),
  };
}

function figuresOf(criterion: Criterion): readonly Figure[] {
  if (criterion.name === 'where') return criterion.conditions.map(({ figure }) => figure);
  return criterion.name === 'paper' ? BOUNDED_FIGURES : SMOOTH_FIGURES;
}

const NONE: NeededSigils = { local: 0, remote: 0, crowd: 0 };

/** Sigils that are typed for one event. Of keys, and of what else a figure is measured on, there are far more than needed. */
const SIGILS_FOR_ONE: Partial<Record<MeasuredOn, NeededSigils>> = {
  'own sigils': { ...NONE, local: 1 },
  'anyone’s sigils': { ...NONE, remote: 1 },
  'the crowd’s sigils': { ...NONE, crowd: 1 },
  // Users delete a third of them, and format a third.
  'changed sigils': { ...NONE, remote: 3 },
};

function sigilsFor(figure: Figure): NeededSigils {
  const quantile = quantileOf(figure);
  const forOne = quantile === undefined ? undefined : SIGILS_FOR_ONE[quantile.measuredOn];
  if (quantile === undefined || forOne === undefined) return NONE;
  const events = neededSamples(quantile.p);
  return { local: events * forOne.local, remote: events * forOne.remote, crowd: events * forOne.crowd };
}

function quantileOf({ source }: Figure): Quantile | undefined {
  if (source.pooled === 'quantile') return source;
  return source.pooled === 'share' ? source.quantile : undefined;
}

/** Of the sigils of a short trial some are broken by others' edits, or fall due just outside the window. */
const SHORT_TRIAL_MARGIN = 1.2;

/**
 * How long the users of the smallest cell type before each trial can be judged by both criteria.
 *
 * @returns ms, in whole seconds; at least the experiment's own. One user has nobody who could see a sigil: its own
 */
export function judgedMeasureMs({ modes, users, durations, typing }: Experiment): number {
  const fewest = Math.min(...users);
  if (fewest < 2) return durations.measureMs;
  const needed = modes.flatMap((mode) => {
    const { needsChrome: hasKeys } = MODES[mode];
    return (['paper', 'smooth'] as const).flatMap((name) => Object.values(neededSigils({ name }, { hasKeys })));
  });
  const seconds = (SHORT_TRIAL_MARGIN * Math.max(...needed) * typing.sigilPeriodMs) / fewest / 1000;
  return Math.max(durations.measureMs, Math.ceil(seconds) * 1000);
}
