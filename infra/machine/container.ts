/** A container as seen from inside: its limits, and its task as Fargate describes it (task metadata endpoint, version 4). */

import { freemem } from 'node:os';
import * as z from 'zod';
import type { Resources } from '../fleet.ts';
import { readKernelFile } from '../kernel-file.ts';

/** Fargate sets it in every container. */
const ENDPOINT_VARIABLE = 'ECS_CONTAINER_METADATA_URI_V4';
const ANSWER_LIMIT_MS = 2000;

const taskSchema = z.object({
  TaskARN: z.string(),
  AvailabilityZone: z.string().optional(),
  LaunchType: z.string().optional(),
  Limits: z.object({ CPU: z.number().optional(), Memory: z.number().optional() }).optional(),
  ClockDrift: z
    .object({ ClockErrorBound: z.number().optional(), ClockSynchronizationStatus: z.string().optional() })
    .optional(),
});

export interface TaskMetadata {
  taskArn: string;
  region: string;
  availabilityZone: string | null;
  launchType: string | null;
  cpus: number | null;
  memoryMiB: number | null;
  /** Bound on the error of the host's clock against true time, ms; null if it is not synchronised or not told. */
  clockErrorMs: number | null;
}

/**
 * @returns null if this process does not run on Fargate
 * @throws Error if it does, and the endpoint does not answer as documented
 * @see https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-metadata-endpoint-v4-fargate.html
 */
export async function readTaskMetadata(environment: NodeJS.ProcessEnv = process.env): Promise<TaskMetadata | null> {
  const endpoint = environment[ENDPOINT_VARIABLE];
  if (endpoint === undefined) return null;
  const response = await fetch(`${endpoint}/task`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
  if (!response.ok) throw new Error(`the task metadata endpoint answers ${response.status}`);
  const task = taskSchema.parse(await response.json());
  const synchronised = task.ClockDrift?.ClockSynchronizationStatus === 'SYNCHRONIZED';
  return {
    taskArn: task.TaskARN,
    // arn:aws:ecs:<region>:<account>:task/…
    region: task.TaskARN.split(':')[3] ?? '',
    availabilityZone: task.AvailabilityZone ?? null,
    launchType: task.LaunchType ?? null,
    cpus: task.Limits?.CPU ?? null,
    memoryMiB: task.Limits?.Memory ?? null,
    clockErrorMs: synchronised ? (task.ClockDrift?.ClockErrorBound ?? null) : null,
  };
}

/**
 * The bound on this host's clock as Fargate tells it, ms. Null if this process runs elsewhere, and if it is not
 * told this time: a trial does not fail for want of it, because users measure their clocks themselves.
 */
export async function hostClockErrorMs(): Promise<number | null> {
  return readTaskMetadata().then(
    (task) => task?.clockErrorMs ?? null,
    () => null,
  );
}

const MIB = 2 ** 20;

const CONTROL_GROUP = '/sys/fs/cgroup';

/** Reads files of the control group. Of its versions 1 and 2, one is there, or on other systems none. */
function reader(root: string): (path: string) => string | null {
  return (path) => readKernelFile(`${root}/${path}`)?.trim() ?? null;
}

/** Memory for new processes: what the machine has free, or less in a container with a limit. */
export function freeMemoryMiB({ root = CONTROL_GROUP, machineFreeMiB = freemem() / MIB } = {}): number {
  const read = reader(root);
  const { memoryMiB: limitMiB } = containerLimits(root);
  if (limitMiB === null) return machineFreeMiB;
  const usedBytes = Number(read('memory.current') ?? read('memory/memory.usage_in_bytes'));
  // The kernel gives back what it keeps of files.
  const stat = read('memory.stat') ?? read('memory/memory.stat') ?? '';
  const ofFiles = [...stat.matchAll(/^(?:in)?active_file (\d+)$/gm)].map(([, bytes]) => Number(bytes));
  const keptBytes = ofFiles.reduce((sum, bytes) => sum + bytes, 0);
  return Math.min(machineFreeMiB, Math.max(0, limitMiB - (usedBytes - keptBytes) / MIB));
}

/** The limits of this process's container; null if there is none, or no control group tells. */
export function containerLimits(root: string = CONTROL_GROUP): Resources {
  const read = reader(root);
  const version1 = `${read('cpu/cpu.cfs_quota_us') ?? 'max'} ${read('cpu/cpu.cfs_period_us') ?? ''}`;
  const [quota, period] = (read('cpu.max') ?? version1).split(' ').map(Number);
  // "max" in version 2, -1 in version 1.
  const cpus = quota! > 0 && period! > 0 ? quota! / period! : null;
  // Version 1 says "no limit" by a number near 2⁶³.
  const bytes = Number(read('memory.max') ?? read('memory/memory.limit_in_bytes') ?? Number.NaN);
  return { cpus, memoryMiB: bytes > 0 && bytes < 2 ** 60 ? bytes / MIB : null };
}
