/** Memory of this process after a garbage collection. Node must run with `--expose-gc`. */
import { setImmediate } from 'node:timers/promises';

const MIB = 2 ** 20;

export interface Memory {
  /** JavaScript's objects. */
  heapMiB: number;
  /** Buffers, and memories of WebAssembly. */
  externalMiB: number;
  /** Of the whole process, as the system counts it. */
  residentMiB: number;
}

/** @throws Error if Node does not offer the collection */
export async function memoryAfterCollection(): Promise<Memory> {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error('this process was not started with --expose-gc');
  // Memory that finalizers let go is collected the second time.
  for (let round = 0; round < 2; round++) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMiB: heapUsed / MIB, externalMiB: external / MIB, residentMiB: rss / MIB };
}

/** Memory added since, in whole KiB: less is noise. */
export function growth(before: Memory, now: Memory): Memory {
  return {
    heapMiB: wholeKiB(now.heapMiB - before.heapMiB),
    externalMiB: wholeKiB(now.externalMiB - before.externalMiB),
    residentMiB: wholeKiB(now.residentMiB - before.residentMiB),
  };
}

/** To the next KiB, in MiB. */
export function wholeKiB(mib: number): number {
  return Math.round(mib * 1024) / 1024;
}
