/**
 * Lines of the record that tell of what stands behind a framework's server: its store, and other servers of the same documents.
 * Written by the server's host, each second, in trials that have such. Rules for all lines stand in `records.ts`.
 */
import * as z from 'zod';
import { count, instantMs } from './names.ts';

/** Cumulative, also over a restart of what is counted; null: nobody tells. */
const cpuMs = z.number().nonnegative().nullable();
const bytes = count.nullable();

/**
 * The store of a trial. `cpuMs`, `memoryBytes` and `writtenBytes` are of its own program: null if it has none, as it is a part of the
 * server. `serverWrittenBytes` is of all servers. Both count bytes of files, and nothing that goes to sockets.
 */
export const storeRecord = z.object({
  type: z.literal('store'),
  atMs: instantMs,
  cpuMs,
  memoryBytes: bytes,
  writtenBytes: bytes,
  serverWrittenBytes: bytes,
  /** Of all files of the store, with those that an empty one has. */
  sizeBytes: bytes,
});

/**
 * Several servers: CPU of each, by its number, of the program by which they tell each other of changes, and of the harness's process
 * through which all that goes between them passes (absent in older records).
 */
export const serversRecord = z.object({
  type: z.literal('servers'),
  atMs: instantMs,
  cpuMs: z.array(cpuMs),
  brokerCpuMs: cpuMs,
  linksCpuMs: cpuMs.optional(),
});

/**
 * A server that somebody else runs: of the series that it tells by itself, those that were asked for, each summed over its labels. A
 * counter only grows.
 */
export const serverSeriesRecord = z.object({
  type: z.literal('server-series'),
  atMs: instantMs,
  series: z.array(z.object({ name: z.string(), kind: z.enum(['gauge', 'counter']), value: z.number() })),
});
