/** The calls to ECS about tasks: start some, look at them, stop them and see them gone. */
import { randomUUID } from 'node:crypto';
import {
  DescribeTasksCommand,
  type ListTasksCommandInput,
  paginateListTasks,
  RunTaskCommand,
  StopTaskCommand,
  type Task,
} from '@aws-sdk/client-ecs';
import type { Clients } from './clients.ts';
import { type AwsError, errorOf, errorOfFailure, isMissing, onAws } from './errors.ts';
import { familyName, stackName, taskTags } from './naming.ts';
import { type Pace, untilSo } from './pace.ts';
import { OVERRIDE_CHARACTERS, TASKS_PER_CALL, TASKS_PER_DESCRIPTION } from './plan/sizes.ts';

/** AWS takes no more in one call. */
const SUBNETS_PER_CALL = 16;

/** Environment of the containers of a task, each by its name. */
export type ContainerVariables = Record<string, Record<string, string>>;

export interface TaskRequest {
  deploymentId: string;
  kind: string;
  count: number;
  spot: boolean;
  /** The same in every task. */
  variables: ContainerVariables;
  /** AWS picks one of them for each task. */
  subnetIds: readonly string[];
  securityGroupIds: readonly string[];
  /** Tells this run's tasks from others'. */
  runId: string;
}

export interface TaskOptions {
  pace: Pace;
  signal?: AbortSignal;
  /** Tells a person what is going on. */
  say(message: string): void;
}

/**
 * Asks for tasks, at most ten a call.
 *
 * @returns the tasks that AWS has taken on, and its errors for the others
 */
export async function runTasks(clients: Clients, request: TaskRequest, signal: AbortSignal) {
  const { region } = clients;
  const arns: string[] = [];
  const errors: AwsError[] = [];
  for (let asked = 0; asked < request.count && !signal.aborted; asked += TASKS_PER_CALL) {
    const count = Math.min(TASKS_PER_CALL, request.count - asked);
    try {
      // A repeated call with the same token starts nothing twice, so the client may repeat it when an answer is lost.
      const input = { ...inputOf(request), count, clientToken: randomUUID() };
      const { tasks = [], failures = [] } = await clients.ecs.send(new RunTaskCommand(input));
      arns.push(...tasks.flatMap(({ taskArn }) => taskArn ?? []));
      errors.push(
        ...failures.map((failure) => errorOfFailure(failure, { what: `one "${request.kind}" task`, region })),
      );
    } catch (error) {
      errors.push(errorOf(error, { what: `${count} "${request.kind}" ${count === 1 ? 'task' : 'tasks'}`, region }));
      // The next call would fail like this one.
      break;
    }
  }
  return { arns, errors };
}

/** @throws RangeError if the environment is longer than AWS takes */
function inputOf(request: TaskRequest) {
  const { deploymentId, kind, spot, runId, subnetIds, securityGroupIds } = request;
  const containerOverrides = Object.entries(request.variables).map(([name, variables]) => ({
    name,
    environment: Object.entries(variables).map(([variable, value]) => ({ name: variable, value })),
  }));
  const characters = JSON.stringify(containerOverrides).length;
  if (characters > OVERRIDE_CHARACTERS) {
    throw new RangeError(`the environment of "${kind}" has ${characters} characters of ${OVERRIDE_CHARACTERS}`);
  }
  return {
    cluster: stackName(deploymentId),
    taskDefinition: familyName(deploymentId, kind),
    capacityProviderStrategy: [{ capacityProvider: spot ? 'FARGATE_SPOT' : 'FARGATE', weight: 1 }],
    networkConfiguration: {
      awsvpcConfiguration: {
        subnets: subnetIds.slice(0, SUBNETS_PER_CALL),
        securityGroups: [...securityGroupIds],
        // A public subnet reaches the image and the coordinator only from a public address.
        assignPublicIp: 'ENABLED' as const,
      },
    },
    overrides: { containerOverrides },
    startedBy: runId,
    tags: taskTags(deploymentId),
  };
}

/** The state of tasks, whatever their number, and those that AWS does not know. */
export async function describeTasks(clients: Clients, deploymentId: string, arns: readonly string[]) {
  const tasks: Task[] = [];
  const missing: string[] = [];
  for (let from = 0; from < arns.length; from += TASKS_PER_DESCRIPTION) {
    const some = arns.slice(from, from + TASKS_PER_DESCRIPTION);
    const described = await onAws({ what: 'the state of tasks', region: clients.region }, () =>
      clients.ecs.send(new DescribeTasksCommand({ cluster: stackName(deploymentId), tasks: some, include: ['TAGS'] })),
    );
    tasks.push(...(described.tasks ?? []));
    missing.push(...(described.failures ?? []).flatMap(({ arn }) => arn ?? []));
  }
  return { tasks, missing };
}

/** Every task of the cluster that is to run, or of one run only. None if there is no such cluster. */
export function listTasks(clients: Clients, deploymentId: string, runId?: string): Promise<string[]> {
  return listPages(clients, { cluster: stackName(deploymentId), startedBy: runId });
}

async function listPages({ ecs: client, region }: Clients, filter: ListTasksCommandInput): Promise<string[]> {
  return onAws({ what: 'the list of tasks', region }, async () => {
    const pages = await Array.fromAsync(paginateListTasks({ client }, filter)).catch((error) => {
      if (isMissing(error)) return [];
      throw error;
    });
    return pages.flatMap(({ taskArns = [] }) => taskArns);
  });
}

/**
 * Stops all tasks of a deployment in a region, or those of one run, and counts them down to none.
 *
 * @param options.taken tasks that AWS is known to have taken on: it lists new ones only after some seconds
 * @returns the tasks that still ran when the time was over; empty if all are gone
 */
export async function stopTasks(
  clients: Clients,
  deploymentId: string,
  options: TaskOptions & { runId?: string; taken?: Iterable<string> },
): Promise<string[]> {
  const { runId, taken = [], pace, signal } = options;
  // Those that are to stop, or have in the last hour; AWS does not list them by run.
  const stopping = await listPages(clients, { cluster: stackName(deploymentId), desiredStatus: 'STOPPED' });
  const left = new Set([...taken, ...stopping]);
  const check = async () => {
    const listed = await listTasks(clients, deploymentId, runId);
    for (const arn of listed) left.add(arn);
    // One that is to stop is listed no more, but still runs, and still costs.
    const { tasks, missing } = await describeTasks(clients, deploymentId, [...left]);
    for (const { taskArn, lastStatus, startedBy } of tasks) {
      if (lastStatus === 'STOPPED' || (runId !== undefined && startedBy !== runId)) left.delete(taskArn!);
    }
    const told = new Set(
      tasks.filter(({ desiredStatus }) => desiredStatus === 'STOPPED').map(({ taskArn }) => taskArn),
    );
    const toStop = [...left].filter((arn) => !told.has(arn));
    const unknown = new Set(await stopEach(clients, deploymentId, toStop, options));
    // A new one may not be described yet, but can be stopped; what neither finds has been gone for an hour or more.
    for (const arn of missing) if (unknown.has(arn)) left.delete(arn);
    return listed.length === 0 && left.size === 0;
  };
  await untilSo({ pace, limitMs: pace.stopLimitMs, signal, check });
  return [...left];
}

/**
 * Asks for the end of each task, all at once. An error is told, and `stopTasks` asks again.
 *
 * @returns those that AWS does not know
 */
export async function stopEach(
  { ecs, region }: Clients,
  deploymentId: string,
  arns: readonly string[],
  { say }: Pick<TaskOptions, 'say'>,
): Promise<string[]> {
  const unknown: string[] = [];
  const stop = async (task: string) => {
    const input = { cluster: stackName(deploymentId), task, reason: 'the run does not need it any more' };
    await ecs.send(new StopTaskCommand(input)).catch((error) => {
      if (isMissing(error)) unknown.push(task);
      else say(errorOf(error, { what: `stopping the task ${task.split('/').at(-1)}`, region }).sentence);
    });
  };
  await Promise.all(arns.map(stop));
  return unknown;
}
