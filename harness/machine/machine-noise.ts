/** How much else goes on, on this machine: it watches timers and clocks for a moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../analysis/statistics/quantile.ts';
import { type CpuTimes, cpuTimes } from '../../infra/machine/cpu-times.ts';

/** Shorter than a frame, as what a trial waits for is. */
const TIMER_MS = 5;

/** Observations of that moment. */
export interface Noise {
  /** How much later than asked for timers of 5 ms fired, ms. */
  timerLateMs: { median: number; p99: number; max: number };
  /** Wall clock − monotonic clock over the time watched, ms (the wall clock has whole milliseconds only). */
  clockDriftMs: number;
  /** Smallest step of the monotonic clock, ms. */
  clockStepMs: number;
  /** All cores together, 100 = every core busy; null if the system does not tell. */
  busyPercent: number | null;
  /** Time that a hypervisor gave to other machines, of all cores together; null if the system does not tell. */
  stealPercent: number | null;
}

/**
 * Watches the machine.
 *
 * @param durationMs how long; at least some timers' length
 */
export async function measureNoise(durationMs = 1_000): Promise<Noise> {
  const before = cpuTimes();
  const monotonicStart = performance.now();
  const wallStart = Date.now();
  const late: number[] = [];
  let now = monotonicStart;
  while (now - monotonicStart < durationMs) {
    const due = now + TIMER_MS;
    await sleep(TIMER_MS);
    now = performance.now();
    late.push(now - due);
  }
  const clockDriftMs = Date.now() - wallStart - (performance.now() - monotonicStart);
  const after = cpuTimes();
  const shares = before && after ? sharesBetween(before, after) : { busyPercent: null, stealPercent: null };
  late.sort((a, b) => a - b);
  return {
    timerLateMs: { median: quantile(late, 0.5), p99: quantile(late, 0.99), max: quantile(late, 1) },
    clockDriftMs,
    clockStepMs: smallestStepMs(),
    ...shares,
  };
}

function smallestStepMs(): number {
  const STEPS = 1_000;
  let smallest = Number.POSITIVE_INFINITY;
  let last = performance.now();
  for (let steps = 0; steps < STEPS; ) {
    const now = performance.now();
    if (now === last) continue;
    smallest = Math.min(smallest, now - last);
    last = now;
    steps++;
  }
  return smallest;
}

/** Time that the hypervisor took is no idle time. */
function sharesBetween(before: CpuTimes, after: CpuTimes): Pick<Noise, 'busyPercent' | 'stealPercent'> {
  const idleMs = after.idleMs - before.idleMs;
  const stealMs = (after.stealMs ?? 0) - (before.stealMs ?? 0);
  const allMs = after.busyMs - before.busyMs + idleMs + stealMs;
  const share = (ms: number) => (allMs > 0 ? (100 * ms) / allMs : null);
  return { busyPercent: share(allMs - idleMs), stealPercent: after.stealMs === null ? null : share(stealMs) };
}
