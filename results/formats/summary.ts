/**
 * `summary.json`: an experiment's results, one object per cell. Tables, charts and the report are views of it.
 * A figure that was not measured is null, never 0. CPU is in percent of one core, per user if the name says user.
 */
import * as z from 'zod';
import { ASKED_FAULTS } from './fault-records.ts';
import { environmentSchema, instantSchema, lineSchema, nameSchema, versionSchema } from './names.ts';
import type { Phase } from './records.ts';
import { addUp, cellVerdict } from './verdict.ts';

export const SUMMARY_SCHEMA_VERSION = 1;

/** The greatest number of users: markers number them with two base-36 digits. */
const MOST_USERS = 36 ** 2;
/** A figure beyond this is no measurement. */
const MOST = 1e12;
const DAY_MS = 86_400_000;

const number = z.number().min(-MOST).max(MOST);
/** May fall, or be early. */
const signed = number.nullable();
const figure = z.number().min(0).max(MOST).nullable();
const timeMs = z.number().min(0).max(DAY_MS).nullable();
const share = z.number().min(0).max(100).nullable();
/** Of all cores; the system counts in ticks, which do not end with the window. */
const shareOfMachine = z.number().min(0).max(101).nullable();
const count = z.int().min(0).max(MOST);
const users = z.int().min(1).max(MOST_USERS);

const latency = z.object({ p50: timeMs, p95: timeMs, p99: timeMs, samples: count });
/** Null in older summaries. */
const changeLatency = z
  .object({ p50: timeMs, p95: timeMs, samples: count })
  .default({ p50: null, p95: null, samples: 0 });
/** Absent where the users are at one server. */
const serverLatency = z.object({ p50: timeMs.default(null), p95: timeMs.default(null) }).optional();
/** Absent of cells without a store or several servers. */
const seldom = figure.optional();
/** Null in older summaries, and where no page is slowed down. */
const pageLatency = z.object({ p50: timeMs, p95: timeMs }).default({ p50: null, p95: null });
/** 95 % confidence interval over trials; null if there are too few trials for one. */
const interval = z
  .object({ low: number, high: number })
  .refine(({ low, high }) => low <= high, 'it ends before it begins');
const ci95 = interval.nullable();

/** A figure of a fault over trials: the mean of those that have it, and in how many it never came. */
const faultFigure = z.object({ mean: figure, ci95, never: count });

/** How users fared when something broke that the experiment asked to break; docs/data/resilience.md. */
export const faultSummarySchema = z.object({
  /** Its place in the experiment's list, from 0. */
  fault: count,
  kind: z.enum(ASKED_FAULTS),
  /** How many users it struck. */
  users: z.int().min(0).max(MOST_USERS),
  /** When it began, in seconds of typing, and how long it lasted; null if it did not end. Means over trials. */
  atS: number,
  forS: figure,
  /** Valid trials in which it happened. */
  trials: z.int().min(1).max(MOST),
  typingAgainMs: faultFigure,
  arrivedMs: faultFigure,
  agreeMs: faultFigure,
  sigilsMissingPercent: faultFigure,
  /** Of the whole trial. */
  lostCharacters: faultFigure,
  doubledCharacters: faultFigure,
  usersGone: faultFigure,
  cursorJumps: faultFigure,
  largestCursorJump: faultFigure,
  frozenMs: faultFigure,
});

const NOT_ADDED_UP = 'its counts of trials do not add up';

export const cellSummarySchema = z.object({
  framework: nameSchema,
  /** The server's part: `library` over a relay, `deployed` with its own; `unknown` of runs that did not write it. */
  tier: z.enum(['library', 'deployed', 'unknown']).default('unknown'),
  version: versionSchema,
  mode: nameSchema,
  users,
  /** How many more only read; absent: none. */
  readers: count.optional(),
  /** Where the server keeps documents; absent: in memory alone. */
  store: nameSchema.optional(),
  /** How many servers share the document; absent: one. */
  servers: count.optional(),
  ...cellVerdict,
  /** Figures by their names here that the project's last calibration missed a bound on, in this mode; absent in older ones. */
  missedBounds: z.array(lineSchema).optional(),
  // Figures: `analysis/figures/` says what each is. One with a default is younger than some summaries.
  throughputPercent: share,
  worstUserThroughputPercent: share,
  sigilsArrivedPercent: share,
  sigilsBrokenPercent: share,
  sigilsSeen: count,
  responseInTimePercent: share,
  keysInTimePercent: share,
  seenInTimePercent: share,
  textInTimePercent: share.default(null),
  textAgeMs: z.object({ p50: timeMs, p95: timeMs }).default({ p50: null, p95: null }),
  deletionsInTimePercent: share.default(null),
  formatsInTimePercent: share.default(null),
  localLatencyMs: latency,
  responseTimeMs: latency,
  endToEndLatencyMs: latency,
  deletionLatencyMs: changeLatency,
  formatLatencyMs: changeLatency,
  keyLatencyMs: z.object({ p50: timeMs, p95: timeMs, p98: timeMs, samples: count }),
  interactionToNextPaintMs: z.object({ p98: timeMs }),
  scheduleLagMs: z.object({ p50: signed, p95: signed }),
  insertedCharactersPerSecond: figure,
  largestEditCharacters: figure,
  serverCpuPercent: figure,
  serverIdleCpuPercent: figure,
  serverWaitPercent: figure.default(null),
  serverMemoryMiB: figure,
  serverPeakMemoryMiB: figure.default(null),
  serverLoopDelayMs: z.object({ p99: figure }),
  serverMemoryKiBPer1000Edits: signed,
  userHeapMiB: figure,
  userHeapMiBPerMinute: signed.default(null),
  userWasmMiB: figure,
  userCpuPercent: figure,
  userCpuMsPerRemoteEdit: figure,
  userMemoryMiB: figure,
  driverCpuPercent: figure,
  driverCpuMsPerEdit: figure,
  machineCpuPercent: shareOfMachine,
  machineSpeed: z.object({ oneCore: figure, allCores: figure }).default({ oneCore: null, allCores: null }),
  machineStealPercent: shareOfMachine,
  throttledPercent: figure,
  delayLineLateMs: z.object({ p50: signed, p99: signed }),
  userNetworkKiBps: z.object({ sent: figure, received: figure }),
  userBytesPerEdit: z.object({ sent: figure, received: figure }),
  userDeflatedBytesPerEdit: z.object({ sent: figure, received: figure }),
  serverNetworkKiBps: z.object({ sent: figure, received: figure }),
  endToEndAmongProbesMs: z.object({ p50: timeMs, p95: timeMs }),
  endToEndFromCrowdMs: z.object({ p50: timeMs, p95: timeMs }),
  endToEndLessBatchMs: z.object({ p50: timeMs, p95: timeMs }).default({ p50: null, p95: null }),
  crowdLateMs: signed,
  crowdCpuPercent: figure,
  crowdMemoryMiB: figure,
  slowPagesLocalLatencyMs: pageLatency,
  slowPagesEndToEndMs: pageLatency,
  otherPagesLocalLatencyMs: pageLatency,
  otherPagesEndToEndMs: pageLatency,
  editsPerSecond: figure.default(null),
  agentCharactersPerSecond: figure.default(null),
  readerReceivedKiBps: figure.default(null),
  readerMessagesPerSecond: figure.default(null),
  endToEndSameServerMs: serverLatency,
  endToEndOtherServerMs: serverLatency,
  busiestServerCpuPercent: share.optional(),
  brokerCpuPercent: seldom,
  storeCpuPercent: seldom,
  storeMemoryMiB: seldom,
  serverWrittenBytesPerEdit: seldom,
  storeWrittenBytesPerEdit: seldom,
  writtenBytesPerCharacter: seldom,
  storeGrowthBytesPerCharacter: signed.optional(),
  storeSizeKiB: seldom,
  /**
   * Series that a server of somebody else's tells by itself, by their names; of a counter per second, as `name/s`. Of any size: a limit
   * of a process may be 2^64. Absent: none was asked for.
   */
  serverSeries: z.record(lineSchema, z.number()).optional(),
  savedStateKiB: figure,
  quillStateKiB: figure,
  documentCharacters: figure,
  worstUserLongTaskPercent: share,
  converged: z.boolean().nullable(),
  clockErrorMs: figure,
  sigilsFiltered: z.object({
    neverSent: count,
    beforeSent: count,
    brokenWhileTyped: count,
    brokenLater: count,
    repeated: count,
    outOfOrder: count,
  }),
  /** The paper's criterion; null if a figure that it needs is not known, or its interval spans the bound. */
  fullyFunctional: z.boolean().nullable(),
  /** This project's stricter criterion, "smooth"; null if it is not known, or not clear. */
  smooth: z.boolean().nullable(),
  /**
   * An interval is for the centre of the trials' own figures (for latencies the geometric mean of their quantiles, else
   * the mean). A latency or throughput above pools all samples of the valid trials instead, so it need not lie in the
   * middle of its interval, nor within it. A trial that lacks the figure adds nothing; `notes` say so.
   */
  ci95: z.object({
    throughputPercent: ci95,
    'localLatencyMs.p50': ci95,
    'localLatencyMs.p95': ci95,
    'endToEndLatencyMs.p50': ci95,
    'endToEndLatencyMs.p95': ci95,
    serverCpuPercent: ci95,
    userCpuPercent: ci95,
    userMemoryMiB: ci95,
  }),
  /** The faults that were asked for, in the order of the experiment's list; absent if there were none. */
  faults: z.array(faultSummarySchema).optional(),
});

/** As a run of an older version has it: figures that are younger are missing, and shown as not measured. */
export const olderCellSchema = cellSummarySchema
  .extend({ ci95: cellSummarySchema.shape.ci95.partial() })
  .partial()
  .required({ framework: true, version: true, mode: true, users: true, trials: true, validTrials: true })
  .required({ failedTrials: true, verdict: true, reasons: true, notes: true })
  .loose()
  .refine(addUp, NOT_ADDED_UP);

/** How a figure grows with the number of users: like users to the power of `exponent`. */
const scalingLawSchema = z.object({
  framework: nameSchema,
  mode: nameSchema,
  /** The figure's name. */
  figure: lineSchema,
  exponent: number,
  /** 95 % interval, by what the trials leave over of a straight line on log-log scales. */
  ci95: interval,
  /** The user counts that it was found over, ascending; at least three. */
  users: z.array(users),
  /** Trials that have the figure. */
  trials: z.int().min(1).max(MOST),
});

const perReader = z.object({ value: number, ci95 });

/** Costs of a reader: slopes over cells that differ in their number of readers alone. */
const readerCostSchema = z.object({
  framework: nameSchema,
  /** Without the readers' part. */
  mode: nameSchema,
  users,
  /** The numbers of readers that it was found over, ascending. */
  readers: z.array(count),
  costs: z.array(
    z.object({
      /** The figure's name, and its own unit for each reader. */
      figure: lineSchema,
      perReader,
      /** Of CPU, µs for each reader and edit; null of other figures. */
      usPerEdit: perReader.nullable(),
    }),
  ),
});

/** Costs of a store over memory, or of several servers over one: cells of one run that differ in nothing else, trial by trial. */
const backingCostSchema = z.object({
  framework: nameSchema,
  /** Of the cell with more. */
  mode: nameSchema,
  users,
  of: z.enum(['store', 'servers']),
  costs: z.array(
    z.object({
      figure: lineSchema,
      /** By how much the figure is more, in its own unit; of a latency, times how much. */
      is: z.enum(['more', 'times']),
      value: number,
      ci95,
      /** Trials that have the figure in both cells. */
      pairs: z.int().min(1).max(MOST),
    }),
  ),
});

export const summarySchema = z.object({
  schemaVersion: z.literal(SUMMARY_SCHEMA_VERSION),
  experiment: nameSchema,
  startedAt: instantSchema,
  environment: environmentSchema,
  cells: z.array(cellSummarySchema.refine(addUp, NOT_ADDED_UP)),
  /** Absent in older summaries. */
  scaling: z.array(scalingLawSchema).optional(),
  /** Absent where nobody only read. */
  readerCosts: z.array(readerCostSchema).optional(),
  /** Absent where no cell has a store, or several servers, beside its like without. */
  backingCosts: z.array(backingCostSchema).optional(),
});

export type CellSummary = z.infer<typeof cellSummarySchema>;
export type FaultSummary = z.infer<typeof faultSummarySchema>;
export type ScalingLaw = z.infer<typeof scalingLawSchema>;
export type ReaderCost = z.infer<typeof readerCostSchema>;
export type BackingCost = z.infer<typeof backingCostSchema>;
export type Summary = z.infer<typeof summarySchema>;

/**
 * One bucket of time, with the figures that exist over time. A latency belongs to the bucket in which its
 * sigil was sent.
 */
export interface SeriesPoint {
  /** Seconds from the start of typing to the start of the bucket. */
  fromS: number;
  /** `warm-up`, `measure` or `profile`: the phase in the middle of the bucket, in the first valid trial. */
  phase: Phase;
  /** By name, as a cell has them. */
  figures: Readonly<Record<string, number | null>>;
}
