/** Starts tasks and sees them running; stops tasks and sees them gone. */
import { randomUUID } from 'node:crypto';
import {
  DescribeTasksCommand,
  ListTasksCommand,
  type ListTasksCommandInput,
  RunTaskCommand,
  type RunTaskCommandInput,
  StopTaskCommand,
  type Task,
} from '@aws-sdk/client-ecs';
import { UserError } from '../../results/user-error.ts';
import type { Clients } from './clients.ts';
import {
  type Fault,
  faultOf,
  faultOfFailure,
  faultOfSlowStart,
  faultOfStoppedTask,
  isMissing,
  onAws,
} from './faults.ts';
import { clusterName, ecsTags, familyName } from './naming.ts';
import type { Network } from './network.ts';
import { backOff, type Pace, untilSo } from './pace.ts';
import { OVERRIDE_CHARACTERS, TASKS_PER_CALL, TASKS_PER_DESCRIPTION } from './sizes.ts';

/** Rounds in which tasks that did not start are tried again, the first included. */
const START_ROUNDS = 5;
/** After so many rounds in which spot had no room, tasks start on demand. */
const SPOT_ROUNDS = 2;
/** Calls to StopTask under way at once. */
const STOPS_AT_ONCE = 10;

export interface TaskRequest {
  deploymentId: string;
  kind: string;
  count: number;
  spot: boolean;
  /** The environment of each container, by its name; the same in every task. */
  environment: Record<string, Record<string, string>>;
  network: Network;
  securityGroupIds: string[];
  /** Tells this run's tasks from others'. */
  runId: string;
}

export interface TaskOptions {
  pace: Pace;
  signal?: AbortSignal;
  /** Told of tasks as soon as they run, while others may not yet. */
  onRunning?(tasks: Task[]): Promise<void>;
  /** Tells a person what is going on. */
  say(message: string): void;
}

/**
 * Starts tasks and waits until all of them run. Those that do not start are tried again one by one, in other zones
 * and, where spot has no room, on demand.
 *
 * @throws UserError (3) where some cannot be started; those that were are stopped then, as they are when the signal aborts
 */
export async function startTasks(clients: Clients, request: TaskRequest, options: TaskOptions): Promise<Task[]> {
  const { region } = clients;
  const place = { what: `${request.count} "${request.kind}" ${request.count === 1 ? 'task' : 'tasks'}`, region };
  const running: Task[] = [];
  let underWay: string[] = [];
  let { spot } = request;
  let refusals = 0;
  let latest: Fault | null = null;
  try {
    for (let round = 0; round < START_ROUNDS; round++) {
      if (round > 0) {
        options.say(`${latest!.sentence}; trying again`);
        await backOff(options.pace, round - 1, options.signal);
      }
      const missing = request.count - running.length;
      const launch = await launchTasks(clients, { ...request, count: missing, spot }, round, options);
      underWay = launch.arns;
      const settled = await settleTasks(clients, request, launch.arns, options);
      underWay = [];
      running.push(...settled.running);
      if (running.length === request.count) return running;

      const faults = [...launch.faults, ...settled.faults];
      const final = faults.find(({ retry }) => !retry);
      if (final !== undefined) throw new UserError(final.sentence, { exitCode: 3 });
      latest = faults[0]!;
      if (faults.some(({ kind }) => kind === 'capacity' || kind === 'interrupted')) refusals++;
      if (spot && refusals >= SPOT_ROUNDS) {
        spot = false;
        options.say(`${place.what} in ${region}: no spot capacity; starting what is missing on demand`);
      }
    }
    throw new UserError(
      `only ${running.length} of ${place.what} in ${region} started after ${START_ROUNDS} tries. ${latest!.sentence}`,
      { exitCode: 3 },
    );
  } catch (error) {
    // Nothing runs on without anybody who knows of it.
    const arns = [...running.flatMap(({ taskArn }) => taskArn ?? []), ...underWay];
    await stopEach(clients, request.deploymentId, arns, { ...options, signal: undefined });
    throw error;
  }
}

/** Asks for tasks, at most ten a call. */
async function launchTasks(clients: Clients, request: TaskRequest, round: number, options: TaskOptions) {
  const arns: string[] = [];
  const faults: Fault[] = [];
  for (let asked = 0; asked < request.count; asked += TASKS_PER_CALL) {
    // What was started is handed on, to be stopped.
    if (options.signal?.aborted) break;
    const count = Math.min(TASKS_PER_CALL, request.count - asked);
    const place = { what: `${count} "${request.kind}" ${count === 1 ? 'task' : 'tasks'}`, region: clients.region };
    try {
      const { tasks = [], failures = [] } = await clients.ecs.send(
        // A repeated call with the same token starts nothing twice, so the client may repeat it when an answer is lost.
        new RunTaskCommand({ ...runTaskInput(request, round), count, clientToken: randomUUID() }),
      );
      arns.push(...tasks.flatMap(({ taskArn }) => taskArn ?? []));
      const one = { ...place, what: `one "${request.kind}" task` };
      faults.push(...failures.map((failure) => faultOfFailure(failure, one)));
      const unexplained = count - tasks.length - failures.length;
      if (unexplained > 0) {
        faults.push({
          kind: 'other',
          retry: true,
          sentence: `${place.what} in ${place.region}: ${unexplained} were not started, and AWS does not say why`,
        });
      }
    } catch (error) {
      faults.push(faultOf(error, place));
      // What is wrong with this call is wrong with the next one, too.
      break;
    }
  }
  return { arns, faults };
}

/** @throws RangeError where the environment is longer than AWS takes */
function runTaskInput(request: TaskRequest, round: number): RunTaskCommandInput {
  const { deploymentId, network, spot } = request;
  const overrides = {
    containerOverrides: Object.entries(request.environment).map(([name, variables]) => ({
      name,
      environment: Object.entries(variables).map(([variable, value]) => ({ name: variable, value })),
    })),
  };
  const characters = JSON.stringify(overrides).length;
  if (characters > OVERRIDE_CHARACTERS) {
    throw new RangeError(`the environment of "${request.kind}" has ${characters} characters of ${OVERRIDE_CHARACTERS}`);
  }
  // Fargate picks one of the subnets given. A round that failed is tried in one other zone at a time.
  const { subnetIds } = network;
  const subnets = round === 0 ? subnetIds.slice(0, 16) : [subnetIds[round % subnetIds.length]!];
  return {
    cluster: clusterName(deploymentId),
    taskDefinition: familyName(deploymentId, request.kind),
    capacityProviderStrategy: [{ capacityProvider: spot ? 'FARGATE_SPOT' : 'FARGATE', weight: 1 }],
    networkConfiguration: {
      awsvpcConfiguration: {
        subnets,
        securityGroups: request.securityGroupIds,
        // A public subnet reaches the image and the coordinator only from a public address.
        assignPublicIp: 'ENABLED',
      },
    },
    overrides,
    startedBy: request.runId,
    tags: ecsTags(deploymentId),
    propagateTags: 'NONE',
  };
}

/** Waits until each task runs or has failed; stops those that never start. */
async function settleTasks(clients: Clients, request: TaskRequest, arns: string[], options: TaskOptions) {
  const { pace, signal } = options;
  const place = { what: `the "${request.kind}" task`, region: clients.region };
  const running: Task[] = [];
  const faults: Fault[] = [];
  let waiting = [...arns];
  let states = new Map<string, string>();
  const check = async () => {
    const { tasks, missing } = await describeTasks(clients, request.deploymentId, waiting);
    states = new Map(tasks.map((task) => [task.taskArn!, task.lastStatus ?? 'unknown']));
    const settled = new Set<string>();
    for (const task of tasks) {
      if (task.lastStatus === 'RUNNING') running.push(task);
      else if (task.lastStatus === 'STOPPED') faults.push(faultOfStoppedTask(task, place));
      else continue;
      settled.add(task.taskArn!);
    }
    const started = tasks.filter(({ lastStatus }) => lastStatus === 'RUNNING');
    if (started.length > 0) await options.onRunning?.(started);
    // A new task may not be listed for some seconds; one that stays unknown runs into the bound.
    for (const arn of missing) states.set(arn, 'unknown to AWS');
    waiting = waiting.filter((arn) => !settled.has(arn));
    return waiting.length === 0;
  };
  if (!(await untilSo({ pace, limitMs: pace.startLimitMs, signal, check }))) {
    for (const arn of waiting) {
      const named = { ...place, what: `${place.what} ${arn.split('/').at(-1)}` };
      faults.push(faultOfSlowStart(named, states.get(arn) ?? 'unknown', pace.startLimitMs));
    }
    await stopEach(clients, request.deploymentId, waiting, options);
  }
  return { running, faults };
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
 * @returns the tasks that still ran when the time was over; empty where all are gone
 */
export async function stopTasks(
  clients: Clients,
  deploymentId: string,
  options: TaskOptions & { runId?: string },
): Promise<string[]> {
  const { runId } = options;
  let known = new Set(await listStoppingTasks(clients, deploymentId));
  let left: string[] = [];
  await untilSo({
    pace: options.pace,
    limitMs: options.pace.stopLimitMs,
    signal: options.signal,
    check: async () => {
      const listed = await listTasks(clients, deploymentId, runId);
      for (const arn of listed) known.add(arn);
      await stopEach(clients, deploymentId, listed, options);
      // One that is to stop is listed no more, but still runs, and still costs.
      const { tasks } = await describeTasks(clients, deploymentId, [...known]);
      left = tasks
        .filter(({ lastStatus, startedBy }) => lastStatus !== 'STOPPED' && (runId === undefined || startedBy === runId))
        .map(({ taskArn }) => taskArn!);
      known = new Set(left);
      return listed.length === 0 && left.length === 0;
    },
  });
  return left;
}

/** Asks for the end of each task, several at once; who could not be asked is said, and asked again by `stopTasks`. */
export async function stopEach(
  clients: Clients,
  deploymentId: string,
  arns: readonly string[],
  options: TaskOptions,
): Promise<void> {
  const waiting = [...arns];
  const stopSome = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const input = { cluster: clusterName(deploymentId), task, reason: 'the run does not need it any more' };
      try {
        await clients.ecs.send(new StopTaskCommand(input));
      } catch (error) {
        if (isMissing(error)) continue;
        const place = { what: `stopping the task ${task.split('/').at(-1)}`, region: clients.region };
        options.say(faultOf(error, place).sentence);
      }
    }
  };
  await Promise.all(Array.from({ length: STOPS_AT_ONCE }, stopSome));
}
