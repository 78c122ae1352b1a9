/** Samples what a framework's server costs, from a process of its own, so that sampling costs the server nothing. */
import { fork } from 'node:child_process';
import type { WithheldTime } from '../../infra/machine/withheld.ts';
import { nowMs } from '../clock.ts';
import { CAN_PROBE_PROCESSES } from './process-tree.ts';

export interface ServerSample {
  atMs: number;
  /** Of the server's process and its descendants. */
  cpuMs: number;
  /** Null where it was not read this time, or cannot be. */
  memoryBytes: number | null;
  /** From the server's machine and control group. */
  withheld: WithheldTime | null;
}

/** What the helper reads, from outside. */
export interface HelperSample extends ServerSample {
  /** The server's own process's part of `cpuMs`. */
  parentCpuMs: number;
}

const PERIOD_MS = 1000;

/**
 * A process reads its own time to the microsecond on any kernel; others' comes in steps of 10 ms on some, in which most of
 * what an idle server takes is lost.
 */
export function withOwnCpu(sample: HelperSample, atMs: number, ownCpuMs: number): ServerSample {
  const { parentCpuMs, cpuMs, ...rest } = sample;
  return { ...rest, atMs, cpuMs: cpuMs - parentCpuMs + Math.max(parentCpuMs, ownCpuMs) };
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * @param onSample gets about one a second. Where the system has no /proc, this process reads its own counters, without
 *   memory and child processes
 * @returns stops the sampling
 */
export function startServerProbe(onSample: (sample: ServerSample) => void): () => void {
  if (!CAN_PROBE_PROCESSES) {
    const timer = setInterval(() => {
      onSample({ atMs: nowMs(), cpuMs: ownCpuMs(), memoryBytes: null, withheld: null });
    }, PERIOD_MS);
    return () => clearInterval(timer);
  }
  // Nothing of this process's environment is the helper's to know: it holds the run's token.
  const helper = fork(new URL('server-probe-main.ts', import.meta.url), { env: {}, execArgv: [] });
  helper.on('message', (sample) => onSample(withOwnCpu(sample as HelperSample, nowMs(), ownCpuMs())));
  // Without it the server's figures are missing, which is told; the trial goes on.
  helper.on('error', () => {});
  return () => void helper.kill('SIGKILL');
}
