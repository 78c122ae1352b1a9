/** An experiment's resources on AWS, and the tasks of its run: pure descriptions, before anything exists. */
import { CONTAINERS_PER_TASK, checkTaskSize, type TaskSize } from './sizes.ts';

/** A container of a task; all run a worker of the same image, and the whole task stops when one ends. */
export interface ContainerKind {
  name: string;
  /** Its part of the task's CPU. Where it is alone in its task this is a limit; others may use what it leaves idle. */
  cpuUnits: number;
  /** Hard limit. */
  memoryMiB: number;
}

/** A sort of task; becomes a task definition in each of its regions. */
export interface TaskKind {
  /** Unique in the deployment. */
  name: string;
  regions: string[];
  size: TaskSize;
  containers: ContainerKind[];
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
  /** On which coordinator and server listen for the run's own tasks, both included. */
  ports: { from: number; to: number };
}

/** So many tasks of a kind in a region, at once. */
export interface TaskGroup {
  kind: string;
  region: string;
  tasks: number;
  spot: boolean;
}

/** @throws UserError (2) where Fargate does not run such tasks */
export function checkDeployment({ kinds }: Deployment): void {
  for (const { name, size, containers } of kinds) {
    checkTaskSize(size, `"${name}"`);
    const cpuUnits = containers.reduce((sum, container) => sum + container.cpuUnits, 0);
    const memoryMiB = containers.reduce((sum, container) => sum + container.memoryMiB, 0);
    if (containers.length > CONTAINERS_PER_TASK || cpuUnits > size.cpuUnits || memoryMiB > size.memoryMiB) {
      throw new RangeError(
        `the task "${name}" has ${containers.length} containers with ${cpuUnits} units and ${memoryMiB} MiB in all, more than fit into it`,
      );
    }
  }
}
