/** The sizes that Fargate offers for a task, and its other fixed limits. */
import { UserError } from '../../../results/user-error.ts';

export interface TaskSize {
  /** 1024 units are one vCPU. */
  cpuUnits: number;
  memoryMiB: number;
}

interface SizeRow {
  cpuUnits: number;
  fromMiB: number;
  toMiB: number;
  stepMiB: number;
}

export const CPU_UNITS_PER_VCPU = 1024;
const GIB = 1024;

/**
 * Task sizes of Fargate on Linux; 256 units come with 512, 1024 or 2048 MiB.
 *
 * @see https://docs.aws.amazon.com/AmazonECS/latest/developerguide/fargate-tasks-services.html, read in November 2026
 */
const SIZES: readonly SizeRow[] = [
  { cpuUnits: 256, fromMiB: 512, toMiB: 2 * GIB, stepMiB: 512 },
  { cpuUnits: 512, fromMiB: GIB, toMiB: 4 * GIB, stepMiB: GIB },
  { cpuUnits: 1024, fromMiB: 2 * GIB, toMiB: 8 * GIB, stepMiB: GIB },
  { cpuUnits: 2048, fromMiB: 4 * GIB, toMiB: 16 * GIB, stepMiB: GIB },
  { cpuUnits: 4096, fromMiB: 8 * GIB, toMiB: 30 * GIB, stepMiB: GIB },
  { cpuUnits: 8192, fromMiB: 16 * GIB, toMiB: 60 * GIB, stepMiB: 4 * GIB },
  { cpuUnits: 16384, fromMiB: 32 * GIB, toMiB: 120 * GIB, stepMiB: 8 * GIB },
];

/** A task definition holds so many containers at most; AWS does not raise it. */
export const CONTAINERS_PER_TASK = 10;
/** One RunTask call starts so many tasks at most. */
export const TASKS_PER_CALL = 10;
/** One DescribeTasks call takes so many tasks at most. */
export const TASKS_PER_DESCRIPTION = 100;
/** All container overrides of one RunTask call together. */
export const OVERRIDE_CHARACTERS = 8192;
/** The longest time between SIGTERM and SIGKILL that Fargate grants a container. */
export const STOP_TIMEOUT_S = 120;

/**
 * The smallest size with at least so much of both.
 *
 * @throws UserError (2) where Fargate has none so large
 */
export function smallestTaskSize(needs: { cpus: number; memoryMiB: number }, what: string): TaskSize {
  const size = nextSize(needs.cpus * CPU_UNITS_PER_VCPU, needs.memoryMiB);
  if (size !== null) return size;
  throw new UserError(
    `${what} needs ${needs.cpus} vCPU and ${needs.memoryMiB} MiB, more than a Fargate task can have (16 vCPU and 122880 MiB); ` +
      'write smaller "resources", or fewer users per task in "fleet.fargate.usersPerTask"',
    { exitCode: 2 },
  );
}

/**
 * Checks a size as somebody wrote it.
 *
 * @throws UserError (2) where Fargate does not offer it, with the next larger one that it does
 */
export function checkTaskSize({ cpuUnits, memoryMiB }: TaskSize, what: string): void {
  const next = nextSize(cpuUnits, memoryMiB);
  if (next?.cpuUnits === cpuUnits && next.memoryMiB === memoryMiB) return;
  const hint = next === null ? 'none is so large' : `the next that it has is ${formatSize(next)}`;
  throw new UserError(`Fargate has no task of ${formatSize({ cpuUnits, memoryMiB })} for ${what}; ${hint}`, {
    exitCode: 2,
  });
}

export function formatSize({ cpuUnits, memoryMiB }: TaskSize): string {
  return `${cpuUnits / CPU_UNITS_PER_VCPU} vCPU and ${memoryMiB} MiB`;
}

function nextSize(cpuUnits: number, memoryMiB: number): TaskSize | null {
  for (const row of SIZES) {
    if (row.cpuUnits < cpuUnits || row.toMiB < memoryMiB) continue;
    const steps = Math.max(0, Math.ceil((memoryMiB - row.fromMiB) / row.stepMiB));
    const offered = row.fromMiB + steps * row.stepMiB;
    // The smallest row has 512, 1024 and 2048 only.
    return { cpuUnits: row.cpuUnits, memoryMiB: row.cpuUnits === 256 && offered === 1536 ? 2 * GIB : offered };
  }
  return null;
}
