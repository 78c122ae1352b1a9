/** `status`: what stands and what runs, experiment by experiment. */
import type { Task } from '@aws-sdk/client-ecs';
import type { Aws } from '../clients.ts';
import { describeTasks, listTasks } from '../tasks/stopping.ts';
import { findResources, type Resource } from './find-resources.ts';

export interface RunningTask {
  arn: string;
  kind: string;
  region: string;
  status: string;
  spot: boolean;
  runId: string;
  startedAt: Date | null;
}

export interface DeploymentStatus {
  id: string;
  resources: Resource[];
  tasks: RunningTask[];
}

/** @throws UserError (3) where a region cannot be asked */
export async function readStatus(aws: Aws, regions: readonly string[]): Promise<DeploymentStatus[]> {
  const resources = await findResources(aws, regions);
  const ids = [...new Set(resources.map(({ id }) => id))].sort();
  return Promise.all(
    ids.map(async (id) => {
      const own = resources.filter((resource) => resource.id === id);
      const tasks = own
        .filter(({ kind }) => kind === 'cluster')
        .map(async ({ region }) => {
          const clients = aws(region);
          const described = await describeTasks(clients, id, await listTasks(clients, id));
          return described.tasks.map((task) => runningTask(task, region));
        });
      return { id, resources: own, tasks: (await Promise.all(tasks)).flat() };
    }),
  );
}

function runningTask(task: Task, region: string): RunningTask {
  return {
    arn: task.taskArn!,
    kind: task.group?.replace(/^family:/, '') ?? '',
    region,
    status: task.lastStatus ?? 'unknown',
    spot: task.capacityProviderName === 'FARGATE_SPOT',
    runId: task.startedBy ?? '',
    startedAt: task.startedAt ?? null,
  };
}
