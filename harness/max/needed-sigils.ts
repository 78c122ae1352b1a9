/** How many sigils a trial needs, so that every figure of a criterion is known, and how long users type them. */
import { BOUNDED_FIGURES, SMOOTH_FIGURES } from '../../analysis/figures/catalogue.ts';
import type { Figure } from '../../analysis/figures/figure.ts';
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
}

/** @param hasKeys true if the users' keys are timed, so that they can stand in for sigils */
export function neededSigils(criterion: Criterion, { hasKeys }: { hasKeys: boolean }): NeededSigils {
  const figures = figuresOf(criterion);
  const isByKeys = ({ standIn }: Figure) => criterion.name !== 'where' && hasKeys && standIn !== undefined;
  const local = figures.filter((figure) => !isAnybodys(figure) && !isByKeys(figure));
  return {
    local: Math.max(1, ...local.map(sigilsFor)),
    remote: Math.max(1, ...figures.filter(isAnybodys).map(sigilsFor)),
  };
}

function figuresOf(criterion: Criterion): readonly Figure[] {
  if (criterion.name === 'where') return criterion.conditions.map(({ figure }) => figure);
  return criterion.name === 'paper' ? BOUNDED_FIGURES : SMOOTH_FIGURES;
}

/** Events that every third sigil gives: users delete a third of them, and format a third. */
const CHANGES = ['deletions', 'formats'];
const SIGILS_A_CHANGE = 3;

function isAnybodys({ source }: Figure): boolean {
  if (source.pooled === 'share') return ['sigilsForOthers', ...CHANGES].includes(source.quantile?.events ?? '');
  return (
    source.pooled === 'quantile' &&
    ['endToEndLatencyMs', 'endToEndFromCrowdMs', 'endToEndLessBatchMs'].includes(source.samples)
  );
}

/** Latencies are measured on sigils; of keys and of the server's loop there are far more samples. */
const ON_SIGILS = [
  'localLatencyMs',
  'responseTimeMs',
  'endToEndLatencyMs',
  'endToEndAmongProbesMs',
  'endToEndFromCrowdMs',
  'endToEndLessBatchMs',
];

function sigilsFor({ source }: Figure): number {
  if (source.pooled === 'share') {
    if (source.quantile === undefined) return 1;
    return neededSamples(source.quantile.p) * (CHANGES.includes(source.quantile.events) ? SIGILS_A_CHANGE : 1);
  }
  return source.pooled === 'quantile' && ON_SIGILS.includes(source.samples) ? neededSamples(source.p) : 1;
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
