/** An experiment's resources on AWS, and the tasks of its run: pure descriptions, within the limits of Fargate. */
import { UserError } from '../../../results/user-error.ts';
import type { Role } from '../../workers/protocol.ts';

export interface TaskSize {
  /** 1024 units are one vCPU. */
  cpuUnits: number;
  memoryMiB: number;
}

/** A sort of task; becomes a task definition in each of its regions. */
export interface TaskKind {
  /** Unique in the deployment. */
  name: string;
  /** The role of its workers. Coordinator and server have one task each, in the server's region, for the whole run. */
  role: Role;
  regions: string[];
  size: TaskSize;
  /** Names; all run a worker of the same image, and the whole task stops when one ends. */
  containers: string[];
  /**
   * The part of each: a hard limit of memory. A container that is alone in its task has its CPU as a limit, too; of others each may
   * use what the rest leave idle.
   */
  share: TaskSize;
}

/** All that `up` creates. */
export interface Deployment {
  id: string;
  /** The region of server and coordinator. */
  serverRegion: string;
  /** Every region, the server's included. */
  regions: string[];
  kinds: TaskKind[];
  /** The most user tasks that are alive at once; each needs a rule in a security group. */
  userTasksAtOnce: number;
  ports: {
    /** The coordinator is called on it, by the machine that runs the experiment. */
    call: number;
    /** Coordinator and server listen on these for the run's own tasks, the first for workers; both included. */
    tasks: { from: number; to: number };
  };
}

/** So many tasks of a kind in a region, at once. */
export interface TaskGroup {
  kind: string;
  region: string;
  tasks: number;
  spot: boolean;
}

/** The tasks of coordinator and server; never on spot, since the run would be lost with them. */
export function homeTasks({ kinds, serverRegion }: Deployment): TaskGroup[] {
  return kinds
    .filter(({ role }) => role !== 'users')
    .map(({ name }) => ({ kind: name, region: serverRegion, tasks: 1, spot: false }));
}

export const isSameGroup = (a: Pick<TaskGroup, 'kind' | 'region'>, b: Pick<TaskGroup, 'kind' | 'region'>) =>
  a.kind === b.kind && a.region === b.region;

export const CPU_UNITS_PER_VCPU = 1024;
const GIB = 1024;

/**
 * Task sizes of Fargate on Linux: for each number of CPU units, the memory from and to, and its step.
 *
 * @see https://docs.aws.amazon.com/AmazonECS/latest/developerguide/fargate-tasks-services.html, read in November 2026
 */
const SIZES = [
  { cpuUnits: 256, fromMiB: 512, toMiB: GIB, stepMiB: 512 },
  { cpuUnits: 256, fromMiB: 2 * GIB, toMiB: 2 * GIB, stepMiB: GIB },
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

/**
 * The smallest size with at least so much of both.
 *
 * @throws UserError (2) if Fargate has none so large
 */
export function smallestTaskSize({ cpus, memoryMiB }: { cpus: number; memoryMiB: number }, what: string): TaskSize {
  const row = SIZES.find(({ cpuUnits, toMiB }) => cpuUnits >= cpus * CPU_UNITS_PER_VCPU && toMiB >= memoryMiB);
  if (row === undefined) {
    throw new UserError(
      `${what} needs ${cpus} vCPU and ${memoryMiB} MiB, more than a Fargate task can have (16 vCPU and 122880 MiB); ` +
        'write smaller "resources", or fewer users per task in "fleet.fargate.usersPerTask"',
    );
  }
  const { cpuUnits, fromMiB, stepMiB } = row;
  const steps = Math.max(0, Math.ceil((memoryMiB - fromMiB) / stepMiB));
  return { cpuUnits, memoryMiB: fromMiB + steps * stepMiB };
}
