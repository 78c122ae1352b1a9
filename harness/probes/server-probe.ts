/** Samples what a framework's server costs, from a process of its own, so that sampling costs the server nothing. */
import { fork } from 'node:child_process';
import { nowMs } from '../clock.ts';
import { CAN_PROBE_PROCESSES } from './process-tree.ts';

export interface ServerSample {
  atMs: number;
  /** Of the server's process and its descendants. */
  cpuMs: number;
  /** Null where it was not read this time, or cannot be. */
  memoryBytes: number | null;
}

const PERIOD_MS = 1000;

/**
 * @param onSample gets about one a second. Where the system has no /proc, this process reads its own counters, without
 *   memory and child processes
 * @returns stops the sampling
 */
export function startServerProbe(onSample: (sample: ServerSample) => void): () => void {
  if (!CAN_PROBE_PROCESSES) {
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage();
      onSample({ atMs: nowMs(), cpuMs: (user + system) / 1000, memoryBytes: null });
    }, PERIOD_MS);
    return () => clearInterval(timer);
  }
  // Nothing of this process's environment is the helper's to know: it holds the run's token.
  const helper = fork(new URL('server-probe-main.ts', import.meta.url), { env: {}, execArgv: [] });
  helper.on('message', (sample) => onSample(sample as ServerSample));
  // Without it the server's figures are missing, which is told; the trial goes on.
  helper.on('error', () => {});
  return () => void helper.kill('SIGKILL');
}
