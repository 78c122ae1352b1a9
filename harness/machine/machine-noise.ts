/** How much else goes on, on this machine: it watches timers and clocks for a moment. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Shorter than a frame, as what a trial waits for is. */
const TIMER_MS = 5;

/** What was seen while watching. */
export interface Noise {
  /** How much later than asked for timers of 5 ms fired, ms. */
  timerLateMs: { median: number; p99: number; max: number };
  /** Wall clock − monotonic clock over the time watched, ms (the wall clock has whole milliseconds only). */
  clockDriftMs: number;
  /** Smallest step of the monotonic clock, ms. */
  clockStepMs: number;
  /** All cores together, 100 = every core busy; null where the system does not tell (it has no /proc/stat). */
  busyPercent: number | null;
  /** Time that a hypervisor gave to other machines, of all cores together; null where the system does not tell. */
  stealPercent: number | null;
}

/**
 * Watches the machine.
 *
 * @param durationMs how long; at least some timers' length
 */
export async function measureNoise(durationMs = 1_000): Promise<Noise> {
  const before = await readCpuTimes();
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
  const after = await readCpuTimes();
  const totalTicks = before && after ? after.total - before.total : 0;
  const share = (ticks: number) => (totalTicks > 0 ? (ticks / totalTicks) * 100 : null);
  return {
    timerLateMs: spread(late),
    clockDriftMs,
    clockStepMs: smallestStepMs(),
    busyPercent: before && after ? share(totalTicks - (after.idle - before.idle)) : null,
    stealPercent: before && after ? share(after.steal - before.steal) : null,
  };
}

/** Nearest-rank quantiles: enough to tell a quiet machine from a noisy one. */
function spread(values: readonly number[]): Noise['timerLateMs'] {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (p: number) => sorted[Math.ceil(p * sorted.length) - 1] ?? Number.NaN;
  return { median: rank(0.5), p99: rank(0.99), max: rank(1) };
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

/** CPU time of all cores since the machine started, in the kernel's ticks. */
interface CpuTimes {
  total: number;
  idle: number;
  steal: number;
}

async function readCpuTimes(): Promise<CpuTimes | null> {
  if (process.platform !== 'linux') return null;
  return parseCpuTimes(await readFile('/proc/stat', 'utf8'));
}

/** @see proc(5): user, nice, system, idle, iowait, irq, softirq, steal; guest times are part of user and nice. */
export function parseCpuTimes(procStat: string): CpuTimes {
  const ticks = procStat.slice(0, procStat.indexOf('\n')).trim().split(/\s+/).slice(1, 9).map(Number);
  const [, , , idle = 0, ioWait = 0, , , steal = 0] = ticks;
  return { total: ticks.reduce((sum, each) => sum + each, 0), idle: idle + ioWait, steal };
}
