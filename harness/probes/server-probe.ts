/** Samples the costs of a framework's server from a process of its own, so that sampling costs the server nothing. */
import { join } from 'node:path';
import { nowMs } from '../../infra/clock.ts';
import type { WithheldTime } from '../../infra/machine/withheld.ts';
import { Child, nodeCommand } from '../../infra/process/child.ts';
import { CAN_PROBE_PROCESSES } from './process-tree.ts';

export interface ServerSample {
  atMs: number;
  /** CPU time of the server's process and its descendants; null if it cannot be read. */
  cpuMs: number | null;
  /** How long their threads were ready, while others had the cores, all together; null if it cannot be read. */
  waitedMs: number | null;
  /** Null if it was not read this time, or cannot be. */
  memoryBytes: number | null;
  /** CPU time of this process, if it only stands before a server that is a program of its own; else null. */
  gateCpuMs: number | null;
  /** From the server's machine and control group. */
  withheld: WithheldTime | null;
}

/** The helper's sample, read from outside. */
export interface HelperSample extends Omit<ServerSample, 'cpuMs' | 'gateCpuMs'> {
  cpuMs: number;
  /** The server's own process's part of `cpuMs`. */
  rootCpuMs: number;
}

const PERIOD_MS = 1000;

/**
 * A process reads its own CPU time to the microsecond on any kernel. Some kernels give others' in steps of 10 ms, and most of
 * an idle server's CPU time is lost in them.
 */
export function withOwnCpu(sample: HelperSample, atMs: number, ownCpuMs: number): ServerSample {
  const { rootCpuMs, cpuMs, ...rest } = sample;
  return { ...rest, atMs, cpuMs: cpuMs - rootCpuMs + Math.max(rootCpuMs, ownCpuMs), gateCpuMs: null };
}

function ofChild({ rootCpuMs: _, ...sample }: HelperSample, gateCpuMs: number): ServerSample {
  return { ...sample, gateCpuMs };
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * @param onSample gets about one a second. If the system has no /proc, this process reads its own counters, without
 *   memory and child processes
 * @param childPid the server's process, if it is not this one
 * @returns stops the sampling
 */
export function startServerProbe(onSample: (sample: ServerSample) => void, childPid?: number): () => void {
  if (!CAN_PROBE_PROCESSES) {
    const timer = setInterval(() => {
      const cpu =
        childPid === undefined ? { cpuMs: ownCpuMs(), gateCpuMs: null } : { cpuMs: null, gateCpuMs: ownCpuMs() };
      onSample({ atMs: nowMs(), ...cpu, waitedMs: null, memoryBytes: null, withheld: null });
    }, PERIOD_MS);
    return () => clearInterval(timer);
  }
  const entry = join(import.meta.dirname, 'server-probe-main.ts');
  const helper = new Child({
    command: nodeCommand(entry, String(childPid ?? process.pid)),
    // Nothing of this process's environment is the helper's to know: it holds the run's token.
    environment: {},
    hasChannel: true,
    isTethered: false,
  });
  helper.process.on('message', (message) => {
    const sample = message as HelperSample;
    onSample(childPid === undefined ? withOwnCpu(sample, nowMs(), ownCpuMs()) : ofChild(sample, ownCpuMs()));
  });
  // Without the helper the server's figures are missing, and a notice says so; the trial goes on.
  return () => helper.kill();
}
