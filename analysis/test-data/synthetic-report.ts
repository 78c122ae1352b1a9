/** Made report data of any size, for tests and benches: no measurement, but shaped like one. */
import type { CellSummary, SeriesPoint } from '../../results/formats/summary.ts';
import { readCell } from '../cell/cell-json.ts';
import { judgeBy, tellJudgement } from '../cell/fully-functional.ts';
import { aboutCell, tellMessages } from '../cell/messages.ts';
import { HEADLINE_FIGURES, SUMMARY_FIGURES } from '../figures/catalogue.ts';
import { COMPANY_FIGURES } from '../figures/company-figures.ts';
import { BUCKET_S } from '../figures/criterion.ts';
import { figureOf, type HeadlineFigure, type HeadlineFigureName } from '../figures/figure.ts';
import { nestFigures } from '../figures/nested.ts';
import type { ReportedTrial } from '../page/cells-section.ts';
import type { ReportCell, TypingReport } from '../report/report-data.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { Tier, TypingCell } from '../scenarios/cell.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';

interface ReportSize {
  frameworks: readonly string[];
  modes: readonly string[];
  userCounts: readonly number[];
  trials: number;
  /** Of typing, warm-up and profile included. */
  seconds: number;
  /** Of the frameworks that have one; the others' is unknown. */
  tiers?: Readonly<Record<string, Tier>>;
}

/** As the paper's: five frameworks, 16 to 144 users, 300 s of warm-up, 60 s measured, 10 s of profile. */
export const PAPER_GRID: ReportSize = {
  frameworks: ['collabs', 'collabs-novc', 'yjs', 'sharedb', 'automerge'],
  modes: ['optquill', 'noquill'],
  userCounts: [16, 32, 48, 64, 80, 96, 112, 128, 144],
  trials: 3,
  seconds: 370,
};

const MEASURED_S = 60;
const PROFILED_S = 10;
const NOT_AGREED = aboutCell('not-settled', 'decides', 'the replicas did not agree within the settle time');

/**
 * Frameworks grow slower in their order; the last one's largest cell has no valid trial, and the second's smallest one
 * too few samples.
 */
export function syntheticReport(size: ReportSize): TypingReport {
  const { frameworks, modes, userCounts, trials } = size;
  const cells = modes.flatMap((mode, modeIndex) =>
    frameworks.flatMap((framework, index) =>
      userCounts.map((users) =>
        makeCell(size, {
          framework,
          tier: size.tiers?.[framework] ?? 'unknown',
          mode,
          users,
          weight: (1 + index) * (modeIndex === 0 ? 1 : 0.3),
          isValid: index < frameworks.length - 1 || users < Math.max(...userCounts) || frameworks.length === 1,
          hasSamples: index !== 1 || users > Math.min(...userCounts),
        }),
      ),
    ),
  );
  const planned = cells.length * trials;
  return {
    scenario: 'typing',
    runs: [
      {
        directory: '.',
        experiment: 'synthetic',
        startedAt: '2026-01-02T03:04:05.678Z',
        environment: {
          scriptorium: '0.1.0',
          node: 'v24.0.0',
          cpu: 'made',
          cores: 2,
          fleet: 'local',
          packages: { yjs: '1.2.3', quill: '2.0.0' },
        },
        plan: { name: 'synthetic', frameworks, modes, users: userCounts, trials, typing: { keysPerSecond: 6 } },
        plannedTrials: planned,
        finishedTrials: planned,
        validTrials: cells.reduce((sum, { validTrials }) => sum + validTrials, 0),
      },
    ],
    cells,
    published: null,
    problems: [],
  };
}

interface CellWish {
  framework: string;
  tier: Tier;
  mode: string;
  users: number;
  /** How slow it is. */
  weight: number;
  isValid: boolean;
  hasSamples: boolean;
}

function makeCell({ trials, seconds }: ReportSize, wish: CellWish): ReportCell {
  const { framework, mode, users, isValid } = wish;
  const name = `${framework}-${mode}-${users}`;
  const cell = readCell(makeSummary(wish, trials), 'typing') as TypingCell;
  return {
    ...cell,
    run: 0,
    name,
    ran: Array.from({ length: trials }, (_, index) => makeTrial({ name, cell, isValid, index })),
    series: isValid ? makeSeries(seconds, wish) : [],
  };
}

/** The sizes from which a cell's figures are made. */
function sizesOf({ weight, users }: CellWish): { localMs: number; endToEndMs: number; cpuPercent: number } {
  return {
    localMs: 1.5 + weight * (users / 8) ** 2 * 0.5,
    endToEndMs: 30 + weight * (users / 4) ** 2 * 2,
    cpuPercent: weight * users * 0.31,
  };
}

function makeSummary(wish: CellWish, trials: number): CellSummary {
  const { framework, tier, mode, users, weight, isValid } = wish;
  const known = (value: number) => (isValid ? rounded(value) : null);
  const figures = makeTypingFigures(wish);
  // Figures that nothing below gives a value of its own.
  // Nobody stands beside these users, and nothing behind their server.
  const namesAndValues = SUMMARY_FIGURES.filter(({ isSeldom }) => isSeldom !== true).map(
    (figure) => [figure.name, COMPANY_FIGURES.includes(figure) ? null : known(1)] as const,
  );
  const others = nestFigures(namesAndValues) as unknown as CellSummary;
  const judgement = judgeBy('paper', readCell(figures as unknown as CellSummary, 'typing'), {
    ...{ trials, failedTrials: 0, calm: null },
    intervalOf: () => null,
  });
  return {
    ...others,
    framework,
    tier,
    version: '1.2.3',
    mode,
    users,
    trials,
    validTrials: isValid ? trials : 0,
    failedTrials: 0,
    verdict: isValid ? 'valid' : 'invalid',
    ...tellMessages(isValid ? tellJudgement('paper', judgement) : [{ ...NOT_AGREED, trials: [1, 2, 3] }]),
    ...figures,
    worstUserThroughputPercent: figures.throughputPercent,
    responseTimeMs: figures.localLatencyMs,
    ...makeResourceFigures(wish),
    savedStateKiB: known(10 * weight),
    quillStateKiB: known(6),
    documentCharacters: known(users * 100),
    converged: isValid,
    sigilsFiltered: { neverSent: 12, beforeSent: 0, brokenWhileTyped: 5, brokenLater: 9, repeated: 4, outOfOrder: 0 },
    fullyFunctional: isValid ? judgement.holds : null,
    smooth: isValid ? true : null,
    ci95: makeIntervals(wish, { trials, throughputPercent: figures.throughputPercent ?? 0 }),
  };
}

function makeResourceFigures(wish: CellWish) {
  const { users, weight, isValid } = wish;
  const known = (value: number) => (isValid ? rounded(value) : null);
  return {
    serverCpuPercent: known(sizesOf(wish).cpuPercent),
    userCpuPercent: known(7 + weight * 2),
    userMemoryMiB: known(110 + weight * 5),
    driverCpuPercent: known(users * 0.4),
    machineCpuPercent: known(40),
    machineSpeed: { oneCore: known(300), allCores: known(550) },
    userNetworkKiBps: { sent: known(0.1), received: known(0.1 * users) },
    userBytesPerEdit: { sent: known(40), received: known(35) },
    userDeflatedBytesPerEdit: { sent: known(30), received: known(20) },
    serverNetworkKiBps: { sent: known(0.1 * users ** 2), received: known(0.1 * users) },
  };
}

function makeTypingFigures(wish: CellWish) {
  const { localMs, endToEndMs } = sizesOf(wish);
  const { isValid, hasSamples, users } = wish;
  const known = (value: number) => (isValid ? rounded(value) : null);
  return {
    throughputPercent: known(Math.min(100, 100 - Math.max(0, localMs - 100) / 30)),
    sigilsArrivedPercent: known(100),
    sigilsBrokenPercent: known(1),
    sigilsSeen: isValid ? (hasSamples ? 120 : 40) : 0,
    responseInTimePercent: known(99),
    keysInTimePercent: known(98),
    seenInTimePercent: known(100),
    textInTimePercent: known(99),
    textAgeMs: { p50: known(endToEndMs), p95: known(endToEndMs * 2) },
    deletionsInTimePercent: known(99),
    formatsInTimePercent: known(98),
    deletionLatencyMs: { p50: known(endToEndMs), p95: null, samples: isValid ? 40 : 0 },
    formatLatencyMs: { p50: known(endToEndMs), p95: null, samples: isValid ? 40 : 0 },
    worstUserLongTaskPercent: known(1.5),
    keyLatencyMs: hasSamples
      ? { p50: known(16), p95: known(24), p98: known(32), samples: isValid ? 300 * users : 0 }
      : { p50: null, p95: null, p98: null, samples: 0 },
    localLatencyMs: {
      p50: known(localMs),
      p95: hasSamples ? known(localMs * 2.1) : null,
      p99: null,
      samples: isValid ? 40 : 0,
    },
    endToEndLatencyMs: { p50: known(endToEndMs), p95: known(endToEndMs * 1.9), p99: null, samples: isValid ? 120 : 0 },
  };
}

function makeIntervals(wish: CellWish, of: { trials: number; throughputPercent: number }): CellSummary['ci95'] {
  const { localMs, endToEndMs, cpuPercent } = sizesOf(wish);
  const around = (value: number, spread: number) =>
    wish.isValid && of.trials >= MIN_TRIALS ? { low: value * (1 - spread), high: value * (1 + spread) } : null;
  return {
    throughputPercent: around(of.throughputPercent, 0.002),
    'localLatencyMs.p50': around(localMs, 0.15),
    'localLatencyMs.p95': wish.hasSamples ? around(localMs * 2.1, 0.2) : null,
    'endToEndLatencyMs.p50': around(endToEndMs, 0.2),
    'endToEndLatencyMs.p95': around(endToEndMs * 1.9, 0.3),
    serverCpuPercent: around(cpuPercent, 0.05),
    userCpuPercent: around(7 + wish.weight * 2, 0.05),
    userMemoryMiB: around(110 + wish.weight * 5, 0.02),
  };
}

/** Its medians lie around the cell's, the rest is the cell's. */
function makeTrial(of: { name: string; cell: TypingCell; isValid: boolean; index: number }): ReportedTrial {
  const { name, cell, isValid, index } = of;
  const own = mapHeadlineFigures((figure) => {
    const value = figureOf(cell, figure);
    const isMedian = figure.source.pooled === 'quantile' && figure.source.p === 0.5;
    return value === null ? null : rounded(isMedian ? value * (0.9 + 0.1 * index) : value);
  });
  const scaling = Object.fromEntries(SCENARIOS.typing.growing.map((figure) => [figure.name, figureOf(cell, figure)]));
  const directory = `trials/${name}-${index + 1}`;
  return {
    trial: index + 1,
    directory,
    verdict: isValid ? 'valid' : 'invalid',
    messages: isValid ? [] : [NOT_AGREED],
    converged: isValid,
    version: '1.2.3',
    figures: isValid ? { ...scaling, ...own } : null,
    isShortOfCores: false,
    cpuProfiles: ['server', 'user-000', 'user-001'].map((process) => `${directory}/profiles/${process}.cpuprofile`),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function makeSeries(seconds: number, wish: CellWish): SeriesPoint[] {
  const { users, hasSamples } = wish;
  const { localMs, endToEndMs, cpuPercent } = sizesOf(wish);
  const warmUpS = seconds - MEASURED_S - PROFILED_S;
  return Array.from({ length: Math.ceil(seconds / BUCKET_S) }, (_, bucket) => {
    const fromS = bucket * BUCKET_S;
    /** Settles at 1, with a ripple so that lines do not lie on one another. */
    const growth = (0.5 + (0.5 * fromS) / seconds) * (1 + 0.1 * Math.sin(bucket * 1.7 + users));
    return {
      fromS,
      phase: fromS < warmUpS ? 'warm-up' : fromS < warmUpS + MEASURED_S ? 'measure' : 'profile',
      figures: {
        throughputPercent: rounded(Math.min(100, 101 - growth)),
        'localLatencyMs.p50': rounded(localMs * growth),
        'localLatencyMs.p95': hasSamples ? rounded(localMs * growth * 2) : null,
        'localLatencyMs.samples': users,
        'endToEndLatencyMs.p50': rounded(endToEndMs * growth),
        'endToEndLatencyMs.p95': rounded(endToEndMs * growth * 1.9),
        'endToEndLatencyMs.samples': users * (users - 1),
        serverCpuPercent: rounded(cpuPercent * growth),
        serverMemoryMiB: rounded(70 * growth),
        userCpuPercent: rounded(8 * growth),
        userMemoryMiB: rounded(110 * growth),
        machineCpuPercent: rounded(40 * growth),
        documentCharacters: users * fromS * 3,
        longTaskPercent: rounded(growth * 2),
      },
    };
  });
}

/** One value per headline figure. */
function mapHeadlineFigures<T>(give: (figure: HeadlineFigure) => T): Record<HeadlineFigureName, T> {
  return Object.fromEntries(HEADLINE_FIGURES.map((figure) => [figure.name, give(figure)])) as Record<
    HeadlineFigureName,
    T
  >;
}
