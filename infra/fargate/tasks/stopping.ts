/** Looks at tasks that exist; stops them and sees them gone. */
import {
  DescribeTasksCommand,
  ListTasksCommand,
  type ListTasksCommandInput,
  StopTaskCommand,
  type Task,
} from '@aws-sdk/client-ecs';
import type { Clients } from '../clients.ts';
import { faultOf, isMissing, onAws } from '../faults.ts';
import { clusterName } from '../naming.ts';
import { type Pace, untilSo } from '../pace.ts';
import { TASKS_PER_DESCRIPTION } from '../plan/sizes.ts';

/** Calls to StopTask under way at once. */
const STOPS_AT_ONCE = 10;

export interface TaskOptions {
  pace: Pace;
  signal?: AbortSignal;
  /** Tells a person what is going on. */
  say(message: string): void;
}

/** What AWS knows of tasks, whatever their number, and which it does not know. */
export async function describeTasks(clients: Clients, deploymentId: string, arns: readonly string[]) {
  const tasks: Task[] = [];
  const missing: string[] = [];
  for (let from = 0; from < arns.length; from += TASKS_PER_DESCRIPTION) {
    const described = await onAws({ what: 'the state of tasks', region: clients.region }, () =>
      clients.ecs.send(
        new DescribeTasksCommand({
          cluster: clusterName(deploymentId),
          tasks: arns.slice(from, from + TASKS_PER_DESCRIPTION),
          include: ['TAGS'],
        }),
      ),
    );
    tasks.push(...(described.tasks ?? []));
    missing.push(...(described.failures ?? []).flatMap(({ arn }) => arn ?? []));
  }
  return { tasks, missing };
}

/** Every task of the cluster that is to run, or of one run only. None where there is no such cluster. */
export function listTasks(clients: Clients, deploymentId: string, runId?: string): Promise<string[]> {
  return listPages(clients, { cluster: clusterName(deploymentId), startedBy: runId });
}

/** Those that are to stop, or have in the last hour. AWS does not list them by run. */
function listStoppingTasks(clients: Clients, deploymentId: string): Promise<string[]> {
  return listPages(clients, { cluster: clusterName(deploymentId), desiredStatus: 'STOPPED' });
}

async function listPages({ ecs, region }: Clients, filter: ListTasksCommandInput): Promise<string[]> {
  const arns: string[] = [];
  let nextToken: string | undefined;
  do {
    const page = await onAws({ what: 'the list of tasks', region }, () =>
      ecs.send(new ListTasksCommand({ ...filter, nextToken })).catch((error) => {
        if (isMissing(error)) return { taskArns: [], nextToken: undefined };
        throw error;
      }),
    );
    arns.push(...(page.taskArns ?? []));
    nextToken = page.nextToken;
  } while (nextToken);
  return arns;
}

/**
 * Stops all tasks of a deployment in a region, or those of one run, and counts them down to none.
 *
 * @param options.taken tasks that AWS is known to have taken on: it lists new ones only after some seconds
 * @returns the tasks that still ran when the time was over; empty where all are gone
 */
export async function stopTasks(
  clients: Clients,
  deploymentId: string,
  options: TaskOptions & { runId?: string; taken?: Iterable<string> },
): Promise<string[]> {
  const { runId, taken = [] } = options;
  const left = new Set([...taken, ...(await listStoppingTasks(clients, deploymentId))]);
  await untilSo({
    pace: options.pace,
    limitMs: options.pace.stopLimitMs,
    signal: options.signal,
    check: async () => {
      const listed = await listTasks(clients, deploymentId, runId);
      for (const arn of listed) left.add(arn);
      // One that is to stop is listed no more, but still runs, and still costs.
      const { tasks, missing } = await describeTasks(clients, deploymentId, [...left]);
      for (const { taskArn, lastStatus, startedBy } of tasks) {
        if (lastStatus === 'STOPPED' || (runId !== undefined && startedBy !== runId)) left.delete(taskArn!);
      }
      const told = new Set(
        tasks.filter(({ desiredStatus }) => desiredStatus === 'STOPPED').map(({ taskArn }) => taskArn!),
      );
      const toStop = [...left].filter((arn) => !told.has(arn));
      const unknown = new Set(await stopEach(clients, deploymentId, toStop, options));
      // A new one may not be described yet, but can be stopped; what neither finds has been gone for an hour or more.
      for (const arn of missing) if (unknown.has(arn)) left.delete(arn);
      return listed.length === 0 && left.size === 0;
    },
  });
  return [...left];
}

/**
 * Asks for the end of each task, several at once; who could not be asked is said, and asked again by `stopTasks`.
 *
 * @returns those that AWS does not know
 */
export async function stopEach(
  clients: Clients,
  deploymentId: string,
  arns: readonly string[],
  options: TaskOptions,
): Promise<string[]> {
  const unknown: string[] = [];
  const waiting = [...arns];
  const stopSome = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const input = { cluster: clusterName(deploymentId), task, reason: 'the run does not need it any more' };
      try {
        await clients.ecs.send(new StopTaskCommand(input));
      } catch (error) {
        if (isMissing(error)) {
          unknown.push(task);
          continue;
        }
        const attempt = { what: `stopping the task ${task.split('/').at(-1)}`, region: clients.region };
        options.say(faultOf(error, attempt).sentence);
      }
    }
  };
  await Promise.all(Array.from({ length: STOPS_AT_ONCE }, stopSome));
  return unknown;
}
