/** The costs of a trial's servers: of one, and of several as if they were one. */
import { createDelayGroups, type GroupedDelays, LOOP_STEP_MS } from '../probes/this-process.ts';

/** The costs of a server since the trial's start. */
export interface ServerSample {
  /** When the system was asked, which tells CPU time up to then. */
  atMs: number;
  /** By the server's last report, or the gate's, which may be a quarter of a second old, and older if it is busy. Null: nobody counts. */
  traffic: { atMs: number; sentBytes: number; receivedBytes: number } | null;
  /** CPU time of the server's process and all that it started; null if it cannot be read. */
  cpuMs: number | null;
  /** How long their threads were ready, while others had the cores, all together; null if it cannot be read. */
  waitedMs: number | null;
  /** Null if it was not read this time, or cannot be. */
  memoryBytes: number | null;
  /** CPU time of the process before a server that is a program of its own; null for any other. */
  gateCpuMs: number | null;
  /** How late the server's event loop was since the sample before; null if it is another program's. */
  delays: GroupedDelays | null;
  /** Bytes that it wrote to files; null if it keeps no documents in any, or if that cannot be read. */
  serverWrittenBytes: number | null;
}

/**
 * The sample of several servers, which were read at about the same time.
 *
 * @param samples one or more
 * @param between the part of their traffic that went to and from other servers, and no users
 */
export function together(
  samples: readonly ServerSample[],
  between: { sentBytes: number; receivedBytes: number } = { sentBytes: 0, receivedBytes: 0 },
): ServerSample {
  const [first] = samples;
  if (samples.length === 1) return first!;
  const traffic = samples.flatMap((sample) => sample.traffic ?? []);
  return {
    atMs: first!.atMs,
    traffic: {
      atMs: Math.min(...traffic.map(({ atMs }) => atMs)),
      sentBytes: Math.max(0, traffic.reduce((sum, { sentBytes }) => sum + sentBytes, 0) - between.sentBytes),
      receivedBytes: Math.max(
        0,
        traffic.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0) - between.receivedBytes,
      ),
    },
    cpuMs: sumOf(samples, ({ cpuMs }) => cpuMs),
    waitedMs: sumOf(samples, ({ waitedMs }) => waitedMs),
    memoryBytes: sumOf(samples, ({ memoryBytes }) => memoryBytes),
    gateCpuMs: sumOf(samples, ({ gateCpuMs }) => gateCpuMs),
    delays: delaysOf(samples.map(({ delays }) => delays)),
    serverWrittenBytes: sumOf(samples, ({ serverWrittenBytes }) => serverWrittenBytes),
  };
}

/** Null if one of them is not known. */
export function sumOf<Item>(items: readonly Item[], read: (item: Item) => number | null): number | null {
  return items.reduce<number | null>((sum, item) => {
    const value = read(item);
    return sum === null || value === null ? null : sum + value;
  }, 0);
}

function delaysOf(all: readonly (GroupedDelays | null)[]): GroupedDelays | null {
  const groups = createDelayGroups(LOOP_STEP_MS);
  for (const delays of all) {
    if (delays === null) return null;
    for (const [count, ms] of delays) groups.add(ms, count);
  }
  return groups.take();
}
