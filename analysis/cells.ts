/** From trials to a cell: raw samples of the valid trials are pooled, then summarised; trials give the intervals. */
import type { CellSummary } from '../results/formats/summary.ts';
import type { Verdict } from '../results/formats/verdict.ts';
import { judgeFunctionality, MISSED, UNKNOWN } from './fully-functional.ts';
import { HEADLINE_FIGURES, mapHeadlineFigures } from './headline-figures.ts';
import { interval95 } from './statistics/interval.ts';
import { meanOfKnown, onlyKnown, percentOf, roundFigure } from './statistics/known-figures.ts';
import { medianAndP95, pool } from './statistics/pooled-latency.ts';
import { quantileOrNull } from './statistics/quantile.ts';
import type { TrialFigures } from './trial-figures.ts';

/** What is shared by a cell's trials. */
export interface CellIdentity {
  framework: string;
  mode: string;
  users: number;
}

/** A trial that has run. Only a valid one has figures. */
export interface JudgedTrial {
  trial: number;
  verdict: Verdict['verdict'];
  reasons: string[];
  notes: string[];
  converged: boolean | null;
  /** Of the framework, as the records say; null where they cannot be read. */
  version: string | null;
  figures: TrialFigures | null;
}

/** Summarises the trials that have run of one cell; at least one. */
export function summarizeCell(identity: CellIdentity, trials: readonly JudgedTrial[]): CellSummary {
  const valid = onlyKnown(trials.map(({ figures }) => figures));
  const figures = { ...poolFigures(valid), ...averageFigures(valid) };
  const functionality = judgeFunctionality(figures);
  return {
    ...identity,
    version: versionOf(trials),
    trials: trials.length,
    validTrials: valid.length,
    verdict: verdictOf(trials),
    reasons: [
      ...sayOnce(trials, ({ reasons }) => reasons),
      ...functionality.missed.map((reason) => `${MISSED}${reason}`),
    ],
    notes: [
      ...sayOnce(trials, ({ notes }) => notes),
      ...noteUnknown(valid.length, functionality.unknown),
      ...noteBrokenSigils(valid),
      ...noteTrialsWithout(valid),
    ],
    ...figures,
    converged: convergedOf(trials),
    fullyFunctional: functionality.fullyFunctional,
    ci95: intervalsOf(valid),
  };
}

/** Figures that all samples of all valid trials give together. */
function poolFigures(trials: readonly TrialFigures[]) {
  const offered = sum(trials, ({ edits }) => edits.offered);
  const performed = sum(trials, ({ edits }) => edits.performed);
  const expected = sum(trials, ({ sigils }) => sigils.expected);
  const arrived = sum(trials, ({ sigils }) => sigils.arrived);
  const lagsMs = pool(trials.map(({ scheduleLagsMs }) => scheduleLagsMs));
  return {
    throughputPercent: roundFigure(percentOf(performed, offered)),
    worstUserThroughputPercent: roundFigure(leastOf(trials.map(({ edits }) => edits.worstUserPercent))),
    sigilsArrivedPercent: roundFigure(percentOf(arrived, expected)),
    localLatencyMs: latency(trials.map(({ localLatenciesMs }) => localLatenciesMs)),
    responseTimeMs: latency(trials.map(({ responseTimesMs }) => responseTimesMs)),
    endToEndLatencyMs: latency(trials.map(({ endToEndLatenciesMs }) => endToEndLatenciesMs)),
    scheduleLagMs: medianAndP95(lagsMs),
    sigilsFiltered: {
      neverSent: sum(trials, ({ filtered }) => filtered.neverSent),
      beforeSent: sum(trials, ({ filtered }) => filtered.beforeSent),
      repeated: sum(trials, ({ filtered }) => filtered.repeated),
      outOfOrder: sum(trials, ({ filtered }) => filtered.outOfOrder),
    },
    clockErrorMs: roundFigure(greatestOf(trials.map(({ clockErrorMs }) => clockErrorMs))),
  };
}

/** Figures that are means over time or users within a trial: their mean over the valid trials that have them. */
function averageFigures(trials: readonly TrialFigures[]) {
  const mean = (figureOf: (trial: TrialFigures) => number | null) => roundFigure(meanOfKnown(trials.map(figureOf)));
  return {
    serverCpuPercent: mean(({ resources }) => resources.serverCpuPercent),
    serverMemoryMiB: mean(({ resources }) => resources.serverMemoryMiB),
    userCpuPercent: mean(({ resources }) => resources.userCpuPercent),
    userMemoryMiB: mean(({ resources }) => resources.userMemoryMiB),
    driverCpuPercent: mean(({ resources }) => resources.driverCpuPercent),
    driverCpuMsPerEdit: mean(({ resources }) => resources.driverCpuMsPerEdit),
    machineCpuPercent: mean(({ resources }) => resources.machineCpuPercent),
    userNetworkKiBps: {
      sent: mean(({ network }) => network.userSentKiBps),
      received: mean(({ network }) => network.userReceivedKiBps),
    },
    userBytesPerEdit: {
      sent: mean(({ network }) => network.userSentBytesPerEdit),
      received: mean(({ network }) => network.userReceivedBytesPerEdit),
    },
    serverNetworkKiBps: {
      sent: mean(({ network }) => network.serverSentKiBps),
      received: mean(({ network }) => network.serverReceivedKiBps),
    },
    savedStateKiB: mean(({ documents }) => documents.savedStateKiB),
    quillStateKiB: mean(({ documents }) => documents.quillStateKiB),
    documentCharacters: mean(({ documents }) => documents.documentCharacters),
  };
}

/** Intervals over the trials' own figures; a trial with too few samples for a percentile adds none to its interval. */
function intervalsOf(trials: readonly TrialFigures[]): CellSummary['ci95'] {
  return mapHeadlineFigures(({ of, scale }) => {
    const interval = interval95(onlyKnown(trials.map(of)), scale);
    return interval && { low: roundFigure(interval.low), high: roundFigure(interval.high) };
  });
}

function latency(samplesOfTrials: readonly Float64Array[]): CellSummary['localLatencyMs'] {
  const samples = pool(samplesOfTrials);
  return { ...medianAndP95(samples), p99: roundFigure(quantileOrNull(samples, 0.99)), samples: samples.length };
}

function verdictOf(trials: readonly JudgedTrial[]): CellSummary['verdict'] {
  const valid = trials.filter(({ verdict }) => verdict === 'valid').length;
  if (valid === trials.length) return 'valid';
  if (valid > 0) return 'partly valid';
  return trials.every(({ verdict }) => verdict === 'unknown') ? 'unknown' : 'invalid';
}

function convergedOf(trials: readonly JudgedTrial[]): boolean | null {
  if (trials.some(({ converged }) => converged === false)) return false;
  return trials.every(({ converged }) => converged === true) ? true : null;
}

function versionOf(trials: readonly JudgedTrial[]): string {
  const versions = new Set(onlyKnown(trials.map(({ version }) => version)));
  return versions.size > 0 ? [...versions].sort().join(', ') : 'unknown';
}

/** "trials 1 and 3: …" once, rather than the same sentence for each. */
function sayOnce(trials: readonly JudgedTrial[], messagesOf: (trial: JudgedTrial) => string[]): string[] {
  const trialsOf = new Map<string, Set<number>>();
  for (const trial of trials) {
    for (const message of messagesOf(trial)) {
      trialsOf.set(message, (trialsOf.get(message) ?? new Set()).add(trial.trial));
    }
  }
  const list = new Intl.ListFormat('en');
  return [...trialsOf].map(([message, numbers]) => {
    const named = list.format([...numbers].map(String));
    return `${numbers.size === 1 ? 'trial' : 'trials'} ${named}: ${message}`;
  });
}

function noteUnknown(validTrials: number, unknown: readonly string[]): string[] {
  return validTrials === 0 || unknown.length === 0 ? [] : [`${UNKNOWN}${unknown.join('; ')}`];
}

function noteBrokenSigils(trials: readonly TrialFigures[]): string[] {
  const broken = sum(trials, ({ sigils }) => sigils.broken);
  const sent = sum(trials, ({ sigils }) => sigils.sent);
  return broken === 0
    ? []
    : [`concurrent edits broke ${broken} of ${sent} sigils, which are left out of the arrived ones`];
}

/** Trials with fewest samples are often the worst, so an interval without them flatters. */
function noteTrialsWithout(trials: readonly TrialFigures[]): string[] {
  const counted = HEADLINE_FIGURES.map(({ label, of }) => ({ label, having: onlyKnown(trials.map(of)).length }));
  const partial = counted.filter(({ having }) => having > 0 && having < trials.length);
  return [...Map.groupBy(partial, ({ having }) => having)].map(
    ([having, figures]) =>
      `only ${having} of ${trials.length} valid trials have a figure of their own for ${figures.map(({ label }) => label).join('; ')}; the others, with too few samples or none, are left out of the interval`,
  );
}

function sum(trials: readonly TrialFigures[], figureOf: (trial: TrialFigures) => number): number {
  return trials.reduce((total, trial) => total + figureOf(trial), 0);
}

function leastOf(figures: readonly (number | null)[]): number | null {
  const known = onlyKnown(figures);
  return known.length === 0 ? null : Math.min(...known);
}

function greatestOf(figures: readonly (number | null)[]): number | null {
  const known = onlyKnown(figures);
  return known.length === 0 ? null : Math.max(...known);
}
