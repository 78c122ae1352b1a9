/** Starts tasks and sees them running. */
import { randomUUID } from 'node:crypto';
import { RunTaskCommand, type RunTaskCommandInput, type Task } from '@aws-sdk/client-ecs';
import { UserError } from '../../../results/user-error.ts';
import type { Clients } from '../clients.ts';
import {
  type Fault,
  faultOf,
  faultOfFailure,
  faultOfNoAddress,
  faultOfSlowStart,
  faultOfStoppedTask,
} from '../faults.ts';
import { clusterName, ecsTags, familyName } from '../naming.ts';
import type { Network } from '../network/default-network.ts';
import { backOff, untilSo } from '../pace.ts';
import { OVERRIDE_CHARACTERS, TASKS_PER_CALL } from '../plan/sizes.ts';
import { describeTasks, stopEach, type TaskOptions } from './stopping.ts';

/** Rounds in which tasks that did not start are tried again, the first included. */
const START_ROUNDS = 5;
/** After so many rounds in which spot had no room, tasks start on demand. */
const SPOT_ROUNDS = 2;

/** What containers find in their environment, each by its name. */
export type ContainerVariables = Record<string, Record<string, string>>;

export interface TaskRequest {
  deploymentId: string;
  kind: string;
  count: number;
  spot: boolean;
  /** The same in every task. */
  variables: ContainerVariables;
  network: Network;
  securityGroupIds: string[];
  /** Tells this run's tasks from others'. */
  runId: string;
}

export interface StartOptions extends TaskOptions {
  /** Told of tasks as soon as AWS has taken them on, whatever becomes of them. */
  onTaken?(arns: readonly string[]): void;
  /**
   * Told of tasks as soon as they run, while others may not yet.
   *
   * @returns those whose address is known; it is told of the others again
   */
  onRunning?(tasks: Task[]): Promise<ReadonlySet<string>>;
}

/**
 * Starts tasks and waits until all of them run. Those that do not start are tried again one by one, in other zones
 * and, where spot has no room, on demand.
 *
 * @throws UserError (3) where some cannot be started; those that were are stopped then, as they are when the signal aborts
 */
export async function startTasks(clients: Clients, request: TaskRequest, options: StartOptions): Promise<Task[]> {
  const { region } = clients;
  const attempt = { what: `${request.count} "${request.kind}" ${request.count === 1 ? 'task' : 'tasks'}`, region };
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
        options.say(`${attempt.what} in ${region}: no spot capacity; starting what is missing on demand`);
      }
    }
    throw new UserError(
      `only ${running.length} of ${attempt.what} in ${region} started after ${START_ROUNDS} tries. ${latest!.sentence}`,
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
async function launchTasks(clients: Clients, request: TaskRequest, round: number, options: StartOptions) {
  const arns: string[] = [];
  const faults: Fault[] = [];
  for (let asked = 0; asked < request.count; asked += TASKS_PER_CALL) {
    // What was started is handed on, to be stopped.
    if (options.signal?.aborted) break;
    const count = Math.min(TASKS_PER_CALL, request.count - asked);
    const attempt = { what: `${count} "${request.kind}" ${count === 1 ? 'task' : 'tasks'}`, region: clients.region };
    try {
      const { tasks = [], failures = [] } = await clients.ecs.send(
        // A repeated call with the same token starts nothing twice, so the client may repeat it when an answer is lost.
        new RunTaskCommand({ ...runTaskInput(request, round), count, clientToken: randomUUID() }),
      );
      const taken = tasks.flatMap(({ taskArn }) => taskArn ?? []);
      arns.push(...taken);
      options.onTaken?.(taken);
      const one = { ...attempt, what: `one "${request.kind}" task` };
      faults.push(...failures.map((failure) => faultOfFailure(failure, one)));
      const unexplained = count - tasks.length - failures.length;
      if (unexplained > 0) {
        faults.push({
          kind: 'other',
          retry: true,
          sentence: `${attempt.what} in ${attempt.region}: ${unexplained} were not started, and AWS does not say why`,
        });
      }
    } catch (error) {
      faults.push(faultOf(error, attempt));
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
    containerOverrides: Object.entries(request.variables).map(([name, variables]) => ({
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
async function settleTasks(clients: Clients, request: TaskRequest, arns: string[], options: StartOptions) {
  const { pace, signal } = options;
  const attempt = { what: `the "${request.kind}" task`, region: clients.region };
  const named = (arn: string) => ({ ...attempt, what: `${attempt.what} ${arn.split('/').at(-1)}` });
  const running: Task[] = [];
  const faults: Fault[] = [];
  let waiting = [...arns];
  let states = new Map<string, string>();
  const ranSinceMs = new Map<string, number>();
  const check = async () => {
    const { tasks, missing } = await describeTasks(clients, request.deploymentId, waiting);
    states = new Map(tasks.map((task) => [task.taskArn!, task.lastStatus ?? 'unknown']));
    const settled = new Set<string>();
    for (const task of tasks) {
      if (task.lastStatus !== 'STOPPED') continue;
      faults.push(faultOfStoppedTask(task, attempt));
      settled.add(task.taskArn!);
    }
    const started = tasks.filter(({ lastStatus }) => lastStatus === 'RUNNING');
    const known = started.length > 0 ? await options.onRunning?.(started) : undefined;
    const nowMs = performance.now();
    const addressless: string[] = [];
    for (const task of started) {
      const arn = task.taskArn!;
      if (!ranSinceMs.has(arn)) ranSinceMs.set(arn, nowMs);
      const isKnown = known === undefined || known.has(arn);
      if (isKnown) running.push(task);
      else if (nowMs - ranSinceMs.get(arn)! >= pace.addressLimitMs) addressless.push(arn);
      else continue;
      settled.add(arn);
    }
    faults.push(...addressless.map((arn) => faultOfNoAddress(named(arn), pace.addressLimitMs)));
    await stopEach(clients, request.deploymentId, addressless, options);
    // A new task may not be listed for some seconds; one that stays unknown runs into the bound.
    for (const arn of missing) states.set(arn, 'unknown to AWS');
    waiting = waiting.filter((arn) => !settled.has(arn));
    return waiting.length === 0;
  };
  if (!(await untilSo({ pace, limitMs: pace.startLimitMs, signal, check }))) {
    for (const arn of waiting) {
      faults.push(faultOfSlowStart(named(arn), states.get(arn) ?? 'unknown', pace.startLimitMs));
    }
    await stopEach(clients, request.deploymentId, waiting, options);
  }
  return { running, faults };
}
