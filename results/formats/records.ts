/**
 * The record: what each process of a trial writes while it runs, and the only input of the analysis.
 *
 * One file per process (`user-000.ndjson.gz`, `server.ndjson.gz`, `coordinator.ndjson.gz`), one JSON object per line,
 * told apart by `type`. Times named `…Ms` that are instants are milliseconds since the Unix epoch on the clock of the
 * process that wrote the file (for a Chrome user: its page's clock); `clock` lines say how that clock stands against
 * the coordinator's. Counters (`cpuMs`, `sentBytes`, …) are cumulative, so that a lost line costs resolution only.
 */
import * as z from 'zod';
import { curveRecord, doneRecord, failureRecord, figureRecord, noteRecord, subjectRecord } from './documents.ts';
import { accountRecord, ownSigilsRecord, textSamplesRecord } from './editor-records.ts';
import { askedFaultRecord, connectionRecord, cursorRecord, surroundingsRecord } from './fault-records.ts';
import { count, instantMs, nameSchema } from './names.ts';
import { RESOURCE_RECORDS } from './resource-records.ts';
import { serverSeriesRecord, serversRecord, storeRecord } from './server-records.ts';
import { TYPING_RECORDS } from './typing-records.ts';

/** Raised with every change that a reader of the version before would not understand. */
export const SCHEMA_VERSION = 2;

/** Every process: its first line. */
const processRecord = z.object({
  type: z.literal('process'),
  schemaVersion: z.literal(SCHEMA_VERSION),
  role: z.enum(['user', 'server', 'coordinator']),
  /** The user's number, from 0; absent for the server and the coordinator. */
  user: count.optional(),
  framework: nameSchema,
  frameworkVersion: z.string(),
  mode: nameSchema,
  node: z.string(),
  chrome: z.string().nullable(),
  /** Limits of the process's container, as seen from inside; null: no limit. Absent if the process did not look. */
  limits: z.object({ cpus: z.number().nullable(), memoryMiB: z.number().nullable() }).optional(),
  /** Of a driver, and of who plays a crowd, its nice value: below that of others where it may go before them. */
  nice: z.int().optional(),
  /** Of a user: the least that its link adds, each way. Absent in records before 27 November. */
  leastDelayMs: z.number().nonnegative().optional(),
  /** Of a user at a server that somebody else runs: the shortest TCP handshake so far. Absent in records before 28 November. */
  handshakeMs: z.number().nonnegative().optional(),
  /** Of a user whose page is slowed down: by how much. */
  cpuSlowdown: z.number().positive().optional(),
  /** Of a user: for how long its client is to gather what it sends; 0: not at all. Absent in records before 27 November. */
  sendMs: z.number().nonnegative().optional(),
  atMs: instantMs,
});

/** Every process but the coordinator: one measurement of the clock. Coordinator's clock = this clock + offsetMs ± errorMs. */
const clockRecord = z.object({
  type: z.literal('clock'),
  atMs: instantMs,
  offsetMs: z.number(),
  errorMs: z.number().nonnegative(),
  /** The machine's own bound on its clock's distance from true time (AWS: ClockErrorBound); no part of errorMs. */
  sourceErrorMs: z.number().nonnegative().optional(),
});

/** User: the page's main thread was busy for 50 ms or longer (Chrome's Long Tasks API). */
const longTaskRecord = z.object({ type: z.literal('long-task'), atMs: instantMs, durationMs: z.number().positive() });

/**
 * User: the keys that the page got in about two seconds, as the browser timed them; `atMs` is the middle. Those in
 * neither list took less than 16 ms: the browser reports no more of them.
 */
const keyLatencyRecord = z.object({
  type: z.literal('key-latency'),
  atMs: instantMs,
  keys: count,
  /** From a key going down to the frame after its handlers; by the browser in steps of 8 ms. */
  slowMs: z.array(z.number().nonnegative()),
  /** The slowest of each key's events: down, input and up. */
  slowInteractionMs: z.array(z.number().nonnegative()),
});

/** User: errors so far in its page that nothing caught, or that were written to its console. */
const pageErrorsRecord = z.object({
  type: z.literal('page-errors'),
  atMs: instantMs,
  errors: count.positive(),
  /** The first of them, cut short if it is long. */
  message: z.string(),
});

/** User: the state of model and editor once typing had stopped; the convergence proof compares these. */
export const settledRecord = z.object({
  type: z.literal('settled'),
  atMs: instantMs,
  /**
   * SHA-256 of canonical deltas: of the framework's model, of that part of it that an editor can show, and of the
   * editor; then of plain text: the editor's, and what the screen shows. Null if it is not open to inspection: of
   * another's service there is the screen at most.
   */
  modelDigest: z.string().nullable(),
  shownModelDigest: z.string().nullable(),
  editorDigest: z.string().nullable(),
  editorTextDigest: z.string().nullable(),
  screenTextDigest: z.string().nullable(),
  characters: count.nullable(),
  /** Characters that this user's own edits put into and took out of its editor during the whole trial; null: not known. */
  insertedCharacters: count.nullable(),
  deletedCharacters: count.nullable(),
  /** Characters that the driver typed and the browser acknowledged; the editor must have taken them all. */
  typedCharacters: count,
  /** Null if there is no such state, or nobody can see it. */
  savedStateBytes: count.nullable(),
  quillStateBytes: count.nullable(),
});

/**
 * User who takes part in presence, in the end, when all are still there: how many others' cursors, each with its name, are on
 * its screen; if nothing is rendered, how many would be.
 */
const cursorsSeenRecord = z.object({ type: z.literal('cursors-seen'), atMs: instantMs, others: count });

/**
 * User, in the end: digests of the document as others would get it from this user or from the server, to compare with
 * `modelDigest`: loaded from this user's saved state; null if none can be loaded; and, of one user, as one who joins
 * then gets it; null if it was not tried.
 */
const copiesRecord = z.object({
  type: z.literal('copies'),
  atMs: instantMs,
  savedDigest: z.string().nullable(),
  lateDigest: z.string().nullable(),
  /** Why there is none although it was tried. */
  lateProblem: z.string().nullable(),
});

/** User: its connection to the framework's server broke, and the library brought it back. */
const reconnectedRecord = z.object({ type: z.literal('reconnected'), atMs: instantMs });

/** Kinds of users that are no probes: `recorded` ones send messages that were computed before, and hold no document. */
const CROWDS = ['recorded', 'live'] as const;
export type CrowdKind = (typeof CROWDS)[number];

/** Coordinator: first the trial's identity and what is expected of it, then each phase as it begins. */
const trialRecord = z.object({
  type: z.literal('trial'),
  atMs: instantMs,
  cell: z.string(),
  framework: nameSchema,
  mode: nameSchema,
  users: z.int().positive(),
  trial: z.int().positive(),
  seed: count,
  /** Names of the processes that must have left records in the end. */
  processes: z.array(z.string()),
  /** How many of the users type, those with the lowest numbers; the others watch. */
  writers: count.optional(),
  /** How many of the users, those with the lowest numbers, are live in the mode and measured; absent: all. */
  probes: z.int().positive().optional(),
  /** The kind of the users that are no probes. */
  crowd: z.enum(CROWDS).optional(),
  /** True if they are played, and their messages must be read in the order in which they are sent. */
  crowdRestsOnOrder: z.boolean().optional(),
  /** Parts of the library that were replaced to make the crowd's users cheaper; absent: none. */
  crowdPatched: z.string().optional(),
  /** Members with the numbers after the users': agents, then readers with a client. Absent in records before 28 November. */
  agents: count.optional(),
  clientReaders: count.optional(),
  /** Readers who are sockets: one more member, the last, stands for all of them. */
  socketReaders: count.optional(),
  /** Where the server keeps the document; absent: in memory alone. */
  store: nameSchema.optional(),
  /** How many servers share the document; absent: one. User n is at server n % servers, from 0. */
  servers: z.int().min(2).optional(),
  /** All users are at server 0; absent: they take turns. */
  affinity: z.literal('document').optional(),
  /** The document's name at a server that somebody else runs, which may keep it. */
  document: z.string().optional(),
  /** How wrong a user's clock may be known for its measurements to count. */
  clockErrorLimitMs: z.number().positive().optional(),
});

export const PHASES = [
  'serve',
  'admit',
  'ready',
  'idle',
  'warm-up',
  'measure',
  'profile',
  'settle',
  'collect',
  'done',
] as const;
export type Phase = (typeof PHASES)[number];
/** The phases whose figures change while they last. */
export const TYPING_PHASES: readonly Phase[] = ['warm-up', 'measure', 'profile'];
const phaseRecord = z.object({ type: z.literal('phase'), atMs: instantMs, phase: z.enum(PHASES) });

/**
 * Coordinator, once typing has stopped: whether all replicas and editors were seen to hold one document within the settle
 * time. `not-compared`: what could be seen did agree, but not all could. Absent if the trial ended before.
 */
const convergenceRecord = z.object({
  type: z.literal('convergence'),
  atMs: instantMs,
  proof: z.enum(['reached', 'not-reached', 'not-compared']),
});

/**
 * Coordinator, of a recorded crowd: the document that all that users sent makes elsewhere, in another order, to compare with
 * `modelDigest`; null if there was none, for this reason.
 */
const replayRecord = z.object({
  type: z.literal('replay'),
  atMs: instantMs,
  modelDigest: z.string().nullable(),
  problem: z.string().nullable(),
});

/**
 * The codes of failures that are the framework's: its server ended or did not listen in time, its client gave up or never came
 * so far, its page did not answer. All others are the harness's.
 */
export const FRAMEWORK_FAILURES = [
  ...['server-process', 'server-lost', 'server-late'],
  ...['client-lost', 'never-ready', 'no-answer'],
] as const;

/** Any process: something failed (`fault` is the former word). On the coordinator's record, `user` says whose process. */
const faultRecord = z.object({
  type: z.literal('fault'),
  atMs: instantMs,
  message: z.string(),
  user: count.optional(),
  /** Coordinator only: this failure ended the trial before its time; programs tell failures apart by their code. */
  code: z.string().optional(),
});

export const recordSchema = z.discriminatedUnion('type', [
  processRecord,
  clockRecord,
  ...TYPING_RECORDS,
  longTaskRecord,
  keyLatencyRecord,
  pageErrorsRecord,
  ...RESOURCE_RECORDS,
  storeRecord,
  serversRecord,
  serverSeriesRecord,
  settledRecord,
  accountRecord,
  textSamplesRecord,
  ownSigilsRecord,
  cursorsSeenRecord,
  copiesRecord,
  reconnectedRecord,
  connectionRecord,
  cursorRecord,
  trialRecord,
  phaseRecord,
  surroundingsRecord,
  convergenceRecord,
  replayRecord,
  askedFaultRecord,
  faultRecord,
  subjectRecord,
  figureRecord,
  curveRecord,
  noteRecord,
  failureRecord,
  doneRecord,
]);

/** One line of a record. */
export type RecordLine = z.infer<typeof recordSchema>;
/** A line of one type, as `RecordOf<'typing'>`. */
export type RecordOf<T extends RecordLine['type']> = Extract<RecordLine, { type: T }>;

/** The speed of a machine, in turns of a fixed loop per µs. */
export type MachineSpeed = Pick<RecordOf<'machine-speed'>, 'oneCore' | 'allCores'>;

/** The name of a process's record, without its ending: `user-007`, `server`, `coordinator`. */
export function recordName(process: { role: 'user' | 'server' | 'coordinator'; user?: number }): string {
  return process.role === 'user' ? `user-${String(process.user).padStart(3, '0')}` : process.role;
}
