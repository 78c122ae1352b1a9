/**
 * Lines of the record that tell what processes take of machines and networks, and how far the instrument is in time. Rules for all
 * lines stand in `records.ts`.
 */
import * as z from 'zod';
import { count, instantMs } from './names.ts';

/** User: how long the document is on this screen. */
const documentRecord = z.object({ type: z.literal('document'), atMs: instantMs, characters: count });

/**
 * Since the start. User: payload of the framework's WebSockets in this page; without a browser, bytes of its TCP sockets, as
 * at the server.
 */
const networkRecord = z.object({
  type: z.literal('network'),
  atMs: instantMs,
  sentBytes: count,
  receivedBytes: count,
  sentMessages: count.nullable(),
  receivedMessages: count.nullable(),
});

/**
 * Any process: CPU used since its start and memory held now by `of`, which serves `users` users.
 * `chrome` is the process tree that the users' editors run in, `driver` the Node process that types into it. Without a
 * browser that is one process: it writes `chrome` lines only, since nothing tells the two apart. `crowd` is the process that
 * plays users. `server` is the process tree of the framework's server, `gate` the harness's process before one that is a
 * program of its own. `machine` is all that runs on the machine (`cpuMs` over all its `cores`). Memory is the proportional
 * set size of `chrome`, `driver` and `server`; null if it cannot be read. `waitedMs` is how long a server's threads were
 * ready since each began, while others had the cores, all together; absent if the system does not tell.
 */
const resourcesRecord = z.object({
  type: z.literal('resources'),
  atMs: instantMs,
  of: z.enum(['chrome', 'driver', 'crowd', 'server', 'gate', 'coordinator', 'machine']),
  /** Which host: users that share one Chrome share its figures, written once, by its first user. */
  host: z.string(),
  users: count,
  cores: z.int().positive().nullable(),
  cpuMs: z.number().nonnegative(),
  waitedMs: z.number().nonnegative().optional(),
  memoryBytes: count.nullable(),
});

/**
 * Server, unless it is a program of its own, and the first user of each process without a browser: how late its event loop
 * was since the line before: so many times by at most so many ms, above the pair before. Of a server that somebody else runs, by the
 * quantiles that it tells.
 */
const loopDelayRecord = z.object({
  type: z.literal('loop-delay'),
  atMs: instantMs,
  delays: z.array(z.tuple([count, z.number()])),
});

/**
 * User: how late its delay line sent chunks on since the line before, against what was planned (below zero: sooner); as in
 * `loop-delay`. Absent if its link adds nothing.
 */
const delayLineRecord = z.object({
  type: z.literal('delay-line'),
  atMs: instantMs,
  delays: z.array(z.tuple([count, z.number()])),
});

/**
 * Coordinator, before and after a trial while nothing of it runs: the speed of its machine, in turns of a fixed loop of
 * JavaScript per µs, on one core and on all at once.
 */
const machineSpeedRecord = z.object({
  type: z.literal('machine-speed'),
  atMs: instantMs,
  oneCore: z.number().positive(),
  allCores: z.number().positive(),
});

/** Any process, once of each machine or container: CPU time that it wanted and did not get, since the machine's start. */
const withheldRecord = z.object({
  type: z.literal('withheld'),
  atMs: instantMs,
  cores: z.int().positive(),
  /** By the hypervisor, all cores together; null if the kernel does not tell. */
  stealMs: z.number().nonnegative().nullable(),
  /** By the limit of its control group, or of one around it, all cores together; null if no group has one. */
  throttledMs: z.number().nonnegative().nullable(),
});

/** User, before it types and in the end: what its page holds after a garbage collection. */
const pageMemoryRecord = z.object({
  type: z.literal('page-memory'),
  atMs: instantMs,
  /** JavaScript objects and, from 27 November on, their buffers; memories of WebAssembly are not among them. */
  heapBytes: count,
  /** Memories of WebAssembly, whole, as they were asked for; those of workers are not among them. Absent if nobody counts them. */
  wasmBytes: count.optional(),
});

/**
 * User 0, in the end: the payload of some of its last messages, and what `permessage-deflate` would make of it, each
 * message by itself, with what came before on the connection as its context.
 */
const compressionRecord = z.object({
  type: z.literal('compression'),
  atMs: instantMs,
  sentBytes: count,
  deflatedSentBytes: count,
  receivedBytes: count,
  deflatedReceivedBytes: count,
});

export const RESOURCE_RECORDS = [
  loopDelayRecord,
  delayLineRecord,
  withheldRecord,
  machineSpeedRecord,
  pageMemoryRecord,
  compressionRecord,
  documentRecord,
  networkRecord,
  resourcesRecord,
] as const;
