/**
 * The speed test of a machine: a fixed loop of JavaScript on one core, then on all cores at once, about a second with its pauses. Two
 * machines of one name may differ twofold, and so may one machine from day to day.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { median } from '../../analysis/statistics/quantile.ts';
import type { MachineSpeed } from '../../results/formats/records.ts';

/** A slice takes some 15 ms, and one that others interrupt is not the median. */
const TURNS = 5_000_000;
const SLICES = 3;
/** Others' work of a moment disturbs one reading, and not the median of three. */
const READINGS = 3;
const BETWEEN_MS = 300;
const WARM_UP = { turns: 500_000, slices: 2 };

/** Turns it off: tests run beside each other, and would measure that. */
const SPEED_TEST_VARIABLE = 'SCRIPTORIUM_SPEED_TEST';

/** @returns null if the environment turns it off */
export async function measureSpeed(cores: number = availableParallelism()): Promise<MachineSpeed | null> {
  if (process.env[SPEED_TEST_VARIABLE] === 'off') return null;
  const threads = Array.from({ length: cores }, () => new Worker(join(import.meta.dirname, 'speed-loop.ts')));
  try {
    await Promise.all(threads.map((thread) => tookMs(thread, WARM_UP)));
    const speedOf = async (thread: Worker) => {
      const slicesMs = await tookMs(thread, { turns: TURNS, slices: SLICES });
      return TURNS / 1000 / median(slicesMs);
    };
    const readings: MachineSpeed[] = [];
    for (let reading = 0; reading < READINGS; reading++) {
      if (reading > 0) await setTimeout(BETWEEN_MS);
      const oneCore = await speedOf(threads[0]!);
      const together = await Promise.all(threads.map(speedOf));
      readings.push({ oneCore, allCores: together.reduce((sum, speed) => sum + speed, 0) });
    }
    return medianOf(readings);
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}

/** Of each part by itself. */
export function medianOf(readings: readonly MachineSpeed[]): MachineSpeed {
  const middle = (part: keyof MachineSpeed) => median(readings.map((reading) => reading[part]));
  return { oneCore: middle('oneCore'), allCores: middle('allCores') };
}

async function tookMs(thread: Worker, task: typeof WARM_UP): Promise<number[]> {
  thread.postMessage(task);
  const [answer] = await once(thread, 'message');
  return answer;
}
