/**
 * Keeps the tasks of a run at what is needed: starts what is missing, stops what is not needed any more, ends all. The doors of
 * coordinator and server let in exactly these tasks, and the machine that runs the experiment.
 */
import type { Task } from '@aws-sdk/client-ecs';
import { Unavailable } from '../../results/user-error.ts';
import { severalAtOnce } from '../several-at-once.ts';
import type { Network } from './account.ts';
import { type Aws, backOff, type Patience, untilSo } from './clients.ts';
import { admit } from './doors.ts';
import { type AwsError, errorOfStoppedTask } from './errors.ts';
import { familyName } from './naming.ts';
import { type Deployment, isSameGroup, type TaskGroup } from './plan/deployment.ts';
import type { Stack } from './stacks.ts';
import {
  type ContainerVariables,
  describeTasks,
  listTasks,
  publicAddresses,
  runTasks,
  stopEach,
  stopTasks,
} from './tasks.ts';

/** Rounds in which tasks that did not start are tried again, the first included. */
const START_ROUNDS = 5;
/** After so many rounds in which spot had no room, tasks start on demand. */
const SPOT_ROUNDS = 2;

export interface PooledTask extends Pick<TaskGroup, 'kind' | 'region'> {
  arn: string;
  address: string;
}

export interface TaskPoolOptions extends Patience {
  aws: Aws;
  deployment: Deployment;
  runId: string;
  signal: AbortSignal;
  /** By region, as the stacks. */
  networks: ReadonlyMap<string, Network>;
  stacks: ReadonlyMap<string, Pick<Stack, 'outputs'>>;
  /** The address from which this machine reaches AWS. */
  caller: string;
  /** Environment of the containers of a new task. */
  variablesOf(group: TaskGroup): ContainerVariables;
}

export class TaskPool {
  readonly #options: TaskPoolOptions;
  readonly #tasks = new Map<string, PooledTask>();
  /** By region: every task that AWS has taken on for this run, and that may still be there. */
  readonly #taken: Map<string, Set<string>>;
  /** The security groups of coordinator and server. */
  readonly #doors: readonly string[];
  /** One change of who may pass at a time: each says who may after it. */
  #admitting = Promise.resolve();

  constructor(options: TaskPoolOptions) {
    this.#options = options;
    const { deployment, stacks } = options;
    this.#taken = new Map(deployment.regions.map((region) => [region, new Set<string>()]));
    this.#doors = stacks.get(deployment.serverRegion)!.outputs.Doors!.split(',');
  }

  get tasks(): readonly PooledTask[] {
    return [...this.#tasks.values()];
  }

  /** Brings the run's tasks to exactly these. Resolves once all run. @throws UserError (3) if some cannot be started */
  async reach(groups: readonly TaskGroup[]): Promise<void> {
    const wanted = (task: PooledTask) => groups.find((group) => isSameGroup(group, task))?.tasks ?? 0;
    const surplus = this.tasks.filter((task) => this.#like(task).indexOf(task) >= wanted(task));
    for (const [region, gone] of Map.groupBy(surplus, (task) => task.region)) {
      await stopEach(this.#options.aws(region), this.#options.deployment.id, arnsOf(gone), this.#options);
    }
    await this.#forget(surplus);
    // If one region fails, the others are waited for: what they start must be known, to be stopped.
    await severalAtOnce(groups, groups.length, (group) => this.#fill(group));
  }

  /** Forgets tasks that have stopped, or are told to, by others than this pool. @returns for each, what happened to it and what to do */
  async dropStopped(): Promise<AwsError[]> {
    const { aws, deployment } = this.#options;
    const errors: AwsError[] = [];
    const lost: PooledTask[] = [];
    for (const [region, here] of Map.groupBy(this.#tasks.values(), (task) => task.region)) {
      const { tasks } = await describeTasks(aws(region), deployment.id, arnsOf(here));
      // One that is told to stop is lost already, although its containers may still be handing in what they hold.
      const isAlive = ({ lastStatus, desiredStatus }: Task) => lastStatus === 'RUNNING' && desiredStatus === 'RUNNING';
      const alive = new Set(tasks.filter(isAlive).map(({ taskArn }) => taskArn));
      const gone = here.filter(({ arn }) => !alive.has(arn));
      for (const { arn, kind } of gone) {
        const task = tasks.find(({ taskArn }) => taskArn === arn) ?? { taskArn: arn };
        errors.push(errorOfStoppedTask(task, { what: `the "${kind}" task`, region }));
      }
      lost.push(...gone);
    }
    await this.#forget(lost);
    return errors;
  }

  /**
   * Stops every task of the run, in all regions, and then lets nobody in any more.
   *
   * @returns the tasks that still run, or may, when the time is over
   * @throws UserError (3) if the doors cannot be shut
   */
  async stop(): Promise<string[]> {
    const { aws, deployment, pace, runId, say } = this.#options;
    this.#tasks.clear();
    const stopping = deployment.regions.map((region) =>
      stopTasks(aws(region), deployment.id, { pace, say, runId, taken: this.#taken.get(region)! }).catch(
        (error: Error) => [`whatever runs in ${region} (${error.message})`],
      ),
    );
    const left = (await Promise.all(stopping)).flat();
    if (left.length === 0) await admit(aws(deployment.serverRegion), this.#doors, []);
    return left;
  }

  /** Starts what is missing of a group; what does not start is tried again, in other zones and, without room on spot, on demand. */
  async #fill(group: TaskGroup): Promise<void> {
    const { say } = this.#options;
    const { kind, region } = group;
    let { spot } = group;
    let refusals = 0;
    let latest = '';
    for (let round = 0; round < START_ROUNDS; round++) {
      const count = group.tasks - this.#like(group).length;
      if (count <= 0) return;
      const what = `${count} "${kind}" ${count === 1 ? 'task' : 'tasks'}`;
      if (round === 0) say(`Starting ${what} in ${region}`);
      else {
        say(`${latest}; trying again`);
        await backOff(this.#options, round - 1);
      }
      const errors = await this.#start({ ...group, spot, tasks: count }, round);
      const final = errors.find(({ retry }) => !retry);
      if (final !== undefined) throw new Unavailable(final.sentence);
      latest = errors[0]?.sentence ?? `${what} in ${region}: some were not started, and AWS does not say why`;
      if (errors.some((error) => error.kind === 'capacity' || error.kind === 'interrupted')) refusals++;
      if (!spot || refusals < SPOT_ROUNDS) continue;
      spot = false;
      say(`${what} in ${region}: no spot capacity; starting what is missing on demand`);
    }
    const running = this.#like(group).length;
    if (running >= group.tasks) return;
    throw new Unavailable(
      `only ${running} of ${group.tasks} "${kind}" tasks in ${region} started after ${START_ROUNDS} tries. ${latest}`,
    );
  }

  /** Asks for tasks, and waits until each runs under a known address or has failed; those that never run are stopped. */
  async #start(group: TaskGroup, round: number): Promise<AwsError[]> {
    const { aws, deployment, networks, stacks, runId, pace, signal } = this.#options;
    const { kind, region, spot, tasks: count } = group;
    const clients = aws(region);
    const { subnetIds } = networks.get(region)!;
    const { role } = deployment.kinds.find(({ name }) => name === kind)!;
    const securityGroupIds = role === 'users' ? [stacks.get(region)!.outputs.UserGroup!] : this.#doors;
    const request = {
      ...{ deploymentId: deployment.id, kind, count, spot, runId, securityGroupIds },
      variables: this.#options.variablesOf(group),
      // A round that failed is tried in one other zone at a time.
      subnetIds: round === 0 ? subnetIds : [subnetIds[round % subnetIds.length]!],
    };
    const { arns, errors } = await runTasks(clients, request, signal);
    for (const arn of arns) this.#taken.get(region)!.add(arn);
    const waiting = new Map(arns.map((arn) => [arn, 'unknown to AWS']));
    const check = async () => {
      const { tasks } = await describeTasks(clients, deployment.id, [...waiting.keys()]);
      for (const task of tasks) {
        waiting.set(task.taskArn!, task.lastStatus ?? 'unknown');
        if (task.lastStatus !== 'STOPPED') continue;
        errors.push(errorOfStoppedTask(task, { what: `the "${kind}" task`, region }));
        waiting.delete(task.taskArn!);
      }
      const taken = await this.#take(
        group,
        tasks.filter(({ lastStatus }) => lastStatus === 'RUNNING'),
      );
      for (const arn of taken) waiting.delete(arn);
      return waiting.size === 0;
    };
    if (await untilSo(this.#options, pace.startLimitMs, check)) return errors;
    for (const [arn, status] of waiting) {
      const state = status === 'RUNNING' ? 'RUNNING, and its network without public addresses' : status;
      const slow = `did not start within ${Math.round(pace.startLimitMs / 1000)} s (it is ${state})`;
      const sentence = `the "${kind}" task ${arn.split('/').at(-1)} in ${region} ${slow}. Look at "Stopped reason" in the ECS console, or try another region`;
      errors.push({ kind: 'other', retry: true, sentence });
    }
    await stopEach(clients, deployment.id, [...waiting.keys()], this.#options);
    return errors;
  }

  /** Takes in tasks that run. @returns those whose address is known */
  async #take({ region, kind }: TaskGroup, started: readonly Task[]): Promise<string[]> {
    const addresses = await publicAddresses(this.#options.aws(region), started);
    for (const [arn, address] of addresses) this.#tasks.set(arn, { arn, kind, region, address });
    if (addresses.size > 0) await this.#admitInTurn();
    return [...addresses.keys()];
  }

  #admitInTurn(): Promise<void> {
    // One that failed was told to its own caller; the next says anew who may pass.
    this.#admitting = this.#admitting.catch(() => {}).then(() => this.#admitAll());
    return this.#admitting;
  }

  #admitAll(): Promise<void> {
    const { aws, caller, deployment } = this.#options;
    const { call, tasks } = deployment.ports;
    const guests = this.tasks.map(({ address }) => ({ address, ...tasks }));
    return admit(aws(deployment.serverRegion), this.#doors, [{ address: caller, from: call, to: call }, ...guests]);
  }

  #like(group: Pick<TaskGroup, 'kind' | 'region'>): PooledTask[] {
    return this.tasks.filter((task) => isSameGroup(group, task));
  }

  /** Their addresses may be somebody else's next, so the doors let them in no more. */
  async #forget(gone: readonly PooledTask[]): Promise<void> {
    for (const { arn } of gone) this.#tasks.delete(arn);
    if (gone.length > 0) await this.#admitInTurn();
  }
}

const arnsOf = (tasks: readonly PooledTask[]) => tasks.map(({ arn }) => arn);

/**
 * Ends tasks that a run has left which is gone: those without a coordinator.
 *
 * @throws UserError (3) if a run of the experiment is under way, or some do not end
 */
export async function sweep(aws: Aws, { id, regions, serverRegion }: Deployment, options: Patience): Promise<void> {
  const left = await Promise.all(regions.map(async (region) => [region, await listTasks(aws(region), id)] as const));
  const coordinators = await listTasks(aws(serverRegion), id, { family: familyName(id, 'coordinator') });
  if (coordinators.length > 0) {
    throw new Unavailable(
      `a run of "${id}" is under way: ${left.flatMap(([, arns]) => arns).length} of its tasks run. Wait for its end, or end it with: ./scriptorium fargate clean ${id}`,
    );
  }
  for (const [region, arns] of left.filter((each) => each[1].length > 0)) {
    options.say(`Stopping ${arns.length} tasks that an earlier run has left in ${region}`);
    const still = await stopTasks(aws(region), id, options);
    if (still.length === 0) continue;
    const names = still.map((arn) => arn.split('/').at(-1)).join(', ');
    throw new Unavailable(
      `tasks of an earlier run still run in ${region}, and cost: ${names}. Stop them with: ./scriptorium fargate clean ${id}`,
    );
  }
}
