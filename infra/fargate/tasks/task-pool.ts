/** Keeps the tasks of a run at what is needed: starts what is missing, stops what is not needed any more, ends all. */
import type { SecurityGroup } from '@aws-sdk/client-ec2';
import type { Task } from '@aws-sdk/client-ecs';
import type { Aws } from '../clients.ts';
import { type Fault, faultOfStoppedTask } from '../faults.ts';
import { findNetwork, type Network, publicAddresses } from '../network/default-network.ts';
import { findSecurityGroups } from '../network/security-groups.ts';
import type { Pace } from '../pace.ts';
import type { Deployment, TaskGroup } from '../plan/deployment.ts';
import { type ContainerVariables, startTasks } from './starting.ts';
import { describeTasks, stopEach, stopTasks } from './stopping.ts';

export interface PooledTask {
  arn: string;
  kind: string;
  region: string;
  address: string;
}

interface TaskPoolOptions {
  aws: Aws;
  deployment: Deployment;
  runId: string;
  pace: Pace;
  signal: AbortSignal;
  /** The security groups of a kind's tasks, out of those of its region. */
  groupsOf(kind: string, groups: readonly SecurityGroup[]): string[];
  /** Told of the addresses of all tasks whenever one is new, as soon as it runs. */
  onAddresses(addresses: ReadonlySet<string>): Promise<void>;
  say(message: string): void;
}

/** What tasks of a region start in. */
interface Place {
  network: Network;
  groups: SecurityGroup[];
}

export class TaskPool {
  readonly #options: TaskPoolOptions;
  readonly #tasks = new Map<string, PooledTask>();
  /** By region: every task that AWS has taken on for this run, and that may still be there. */
  readonly #taken: Map<string, Set<string>>;
  readonly #places = new Map<string, Promise<Place>>();
  /** One change of who may pass at a time: each says who may after it. */
  #admitting = Promise.resolve();

  constructor(options: TaskPoolOptions) {
    this.#options = options;
    this.#taken = new Map(options.deployment.regions.map((region) => [region, new Set<string>()]));
  }

  get tasks(): readonly PooledTask[] {
    return [...this.#tasks.values()];
  }

  /**
   * Brings the run's tasks to exactly these. Resolves once all run.
   *
   * @param variablesOf what the containers of a new task are told
   * @throws UserError (3) where some cannot be started
   */
  async reach(groups: readonly TaskGroup[], variablesOf: (group: TaskGroup) => ContainerVariables): Promise<void> {
    const { say } = this.#options;
    const have = Map.groupBy(this.#tasks.values(), keyOf);
    const wanted = new Map(groups.map((group) => [keyOf(group), group.tasks]));
    await this.#stopSurplus([...have].flatMap(([key, tasks]) => tasks.slice(wanted.get(key) ?? 0)));
    const missing = groups
      .map((group) => ({ group, count: group.tasks - (have.get(keyOf(group))?.length ?? 0) }))
      .filter(({ count }) => count > 0);
    for (const { group, count } of missing) {
      say(`Starting ${count} "${group.kind}" ${count === 1 ? 'task' : 'tasks'} in ${group.region}`);
    }
    const starting = missing.map(({ group, count }) => this.#start(group, count, variablesOf(group)));
    // Where one region fails, the others are waited for: what they start must be known, to be stopped.
    const failed = (await Promise.allSettled(starting)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** Forgets tasks that have stopped, or are told to, by others than this pool. @returns for each, what happened to it and what to do */
  async dropStopped(): Promise<Fault[]> {
    const faults: Fault[] = [];
    for (const [region, here] of Map.groupBy(this.#tasks.values(), (task) => task.region)) {
      const { aws, deployment } = this.#options;
      const { tasks } = await describeTasks(aws(region), deployment.id, arnsOf(here));
      // One that is told to stop is lost already, although its containers may still be handing in what they hold.
      const running = tasks.filter(
        ({ lastStatus, desiredStatus }) => lastStatus === 'RUNNING' && desiredStatus === 'RUNNING',
      );
      const alive = new Set(running.map(({ taskArn }) => taskArn));
      const gone = here.filter(({ arn }) => !alive.has(arn));
      for (const { arn, kind } of gone) {
        const task = tasks.find(({ taskArn }) => taskArn === arn) ?? { taskArn: arn };
        faults.push(faultOfStoppedTask(task, { what: `the "${kind}" task`, region }));
        if (task.lastStatus === 'STOPPED') this.#taken.get(region)!.delete(arn);
      }
      this.#forget(gone);
    }
    return faults;
  }

  /** Stops every task of the run, in all regions. @returns those that still run, or may, when the time is over */
  async stop(): Promise<string[]> {
    const { aws, deployment, pace, runId, say } = this.#options;
    this.#tasks.clear();
    const left = await Promise.all(
      deployment.regions.map((region) =>
        stopTasks(aws(region), deployment.id, { pace, say, runId, taken: this.#taken.get(region)! }).catch(
          (error: Error) => [`whatever runs in ${region} (${error.message})`],
        ),
      ),
    );
    return left.flat();
  }

  async #stopSurplus(surplus: readonly PooledTask[]): Promise<void> {
    const { aws, deployment, pace, signal, say } = this.#options;
    for (const [region, gone] of Map.groupBy(surplus, (task) => task.region)) {
      await stopEach(aws(region), deployment.id, arnsOf(gone), { pace, signal, say });
    }
    this.#forget(surplus);
  }

  async #start(group: TaskGroup, count: number, variables: ContainerVariables): Promise<void> {
    const { aws, deployment, runId, pace, signal, say, groupsOf } = this.#options;
    const { kind, region, spot } = group;
    const { network, groups } = await this.#placeOf(region);
    const securityGroupIds = groupsOf(kind, groups);
    await startTasks(
      aws(region),
      { deploymentId: deployment.id, kind, count, spot, variables, network, securityGroupIds, runId },
      {
        pace,
        signal,
        say,
        onTaken: (arns) => {
          for (const arn of arns) this.#taken.get(region)!.add(arn);
        },
        onRunning: (started) => this.#take(region, kind, started),
      },
    );
  }

  /** Takes in tasks that run. @returns those whose address is known */
  async #take(region: string, kind: string, started: Task[]): Promise<ReadonlySet<string>> {
    const addresses = await publicAddresses(this.#options.aws(region), started);
    for (const [arn, address] of addresses) this.#tasks.set(arn, { arn, kind, region, address });
    if (addresses.size > 0) {
      const admit = () => this.#options.onAddresses(new Set(this.tasks.map(({ address }) => address)));
      this.#admitting = this.#admitting.then(admit);
      await this.#admitting;
    }
    return new Set(addresses.keys());
  }

  #placeOf(region: string): Promise<Place> {
    const known = this.#places.get(region);
    if (known !== undefined) return known;
    const clients = this.#options.aws(region);
    const found = Promise.all([findNetwork(clients), findSecurityGroups(clients, this.#options.deployment.id)]);
    const place = found.then(([network, groups]) => ({ network, groups }));
    this.#places.set(region, place);
    return place;
  }

  #forget(gone: readonly PooledTask[]): void {
    for (const { arn } of gone) this.#tasks.delete(arn);
  }
}

const keyOf = ({ kind, region }: { kind: string; region: string }) => `${kind} ${region}`;
const arnsOf = (tasks: readonly PooledTask[]) => tasks.map(({ arn }) => arn);
