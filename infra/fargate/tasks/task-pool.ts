/** Keeps the tasks of a run at what is needed: starts what is missing, stops what is not needed any more, ends all. */
import type { Task } from '@aws-sdk/client-ecs';
import type { Aws } from '../clients.ts';
import type { Pace } from '../pace.ts';
import type { Deployment, TaskGroup } from '../plan/deployment.ts';
import { findNetwork, type Network, publicAddresses } from '../provisioning/network.ts';
import { findSecurityGroups } from '../provisioning/security-groups.ts';
import { type Fault, faultOfStoppedTask } from './faults.ts';
import { startTasks } from './starting.ts';
import { describeTasks, stopEach, stopTasks } from './stopping.ts';

export interface PooledTask {
  arn: string;
  kind: string;
  region: string;
  address: string;
}

export interface TaskPool {
  readonly tasks: readonly PooledTask[];
  /**
   * Brings the run's tasks to exactly these. Resolves once all run.
   *
   * @param environmentOf the environment of each container of a new task
   * @throws UserError (3) where some cannot be started
   */
  reach(
    groups: readonly TaskGroup[],
    environmentOf: (group: TaskGroup) => Record<string, Record<string, string>>,
  ): Promise<void>;
  /** Forgets tasks that have stopped, or are told to, by others than this pool. @returns for each, what happened to it and what to do */
  dropStopped(): Promise<Fault[]>;
  /** Stops every task of the run, in all regions. @returns those that still run, or may, when the time is over */
  stop(): Promise<string[]>;
}

/**
 * @param options.groupsOf    the security groups of a kind's tasks, out of those of its region
 * @param options.onAddresses told of the addresses of all tasks whenever one is new, as soon as it runs
 */
export function openTaskPool(options: {
  aws: Aws;
  deployment: Deployment;
  runId: string;
  pace: Pace;
  signal: AbortSignal;
  groupsOf(kind: string, groups: Awaited<ReturnType<typeof findSecurityGroups>>): string[];
  onAddresses(addresses: ReadonlySet<string>): Promise<void>;
  say(message: string): void;
}): TaskPool {
  const { aws, deployment, runId, pace, signal, say } = options;
  const { id, regions } = deployment;
  const tasks = new Map<string, PooledTask>();
  /** By region: every task that AWS has taken on for this run, and that may still be there. */
  const taken = new Map(regions.map((region) => [region, new Set<string>()]));
  const places = new Map<
    string,
    Promise<{ network: Network; groups: Awaited<ReturnType<typeof findSecurityGroups>> }>
  >();

  const placeOf = (region: string) => {
    const known = places.get(region);
    if (known !== undefined) return known;
    const clients = aws(region);
    const place = Promise.all([findNetwork(clients), findSecurityGroups(clients, id)]).then(([network, groups]) => ({
      network,
      groups,
    }));
    places.set(region, place);
    return place;
  };

  /** One change of the door at a time: each says who may pass after it. */
  let admitting = Promise.resolve();
  const take = async (region: string, kind: string, started: Task[]) => {
    const addresses = await publicAddresses(aws(region), started);
    for (const [arn, address] of addresses) tasks.set(arn, { arn, kind, region, address });
    if (addresses.size > 0) {
      admitting = admitting.then(() => options.onAddresses(new Set([...tasks.values()].map((task) => task.address))));
      await admitting;
    }
    return new Set(addresses.keys());
  };

  const start = async (group: TaskGroup, count: number, environment: Record<string, Record<string, string>>) => {
    const { kind, region, spot } = group;
    const { network, groups } = await placeOf(region);
    const request = { deploymentId: id, kind, count, spot, environment, network, runId };
    await startTasks(
      aws(region),
      { ...request, securityGroupIds: options.groupsOf(kind, groups) },
      {
        pace,
        signal,
        say,
        onTaken(arns) {
          for (const arn of arns) taken.get(region)!.add(arn);
        },
        onRunning: (started) => take(region, kind, started),
      },
    );
  };

  const forget = (gone: readonly PooledTask[]) => {
    for (const { arn } of gone) tasks.delete(arn);
  };

  return {
    get tasks() {
      return [...tasks.values()];
    },

    async reach(groups, environmentOf) {
      const standing = Map.groupBy(tasks.values(), ({ kind, region }) => `${kind} ${region}`);
      const wanted = new Map(groups.map((group) => [`${group.kind} ${group.region}`, group]));
      const surplus = [...standing].flatMap(([key, have]) => have.slice(wanted.get(key)?.tasks ?? 0));
      for (const [region, gone] of Map.groupBy(surplus, (task) => task.region)) {
        await stopEach(
          aws(region),
          id,
          gone.map(({ arn }) => arn),
          { pace, signal, say },
        );
      }
      forget(surplus);
      const missing = groups
        .map((group) => ({ group, count: group.tasks - (standing.get(`${group.kind} ${group.region}`)?.length ?? 0) }))
        .filter(({ count }) => count > 0);
      for (const { group, count } of missing) {
        say(`Starting ${count} "${group.kind}" ${count === 1 ? 'task' : 'tasks'} in ${group.region}`);
      }
      const starting = missing.map(({ group, count }) => start(group, count, environmentOf(group)));
      // Where one region fails, the others are waited for: what they start must be known, to be stopped.
      const failed = (await Promise.allSettled(starting)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },

    async dropStopped() {
      const faults: Fault[] = [];
      for (const [region, here] of Map.groupBy(tasks.values(), (task) => task.region)) {
        const described = await describeTasks(
          aws(region),
          id,
          here.map(({ arn }) => arn),
        );
        // One that is told to stop is lost already, although its containers may still be handing in what they hold.
        const running = described.tasks.filter(
          ({ lastStatus, desiredStatus }) => lastStatus === 'RUNNING' && desiredStatus === 'RUNNING',
        );
        const alive = new Set(running.map(({ taskArn }) => taskArn));
        const gone = here.filter(({ arn }) => !alive.has(arn));
        for (const { arn, kind } of gone) {
          const task = described.tasks.find(({ taskArn }) => taskArn === arn) ?? { taskArn: arn };
          faults.push(faultOfStoppedTask(task, { what: `the "${kind}" task`, region }));
          if (task.lastStatus === 'STOPPED') taken.get(region)!.delete(arn);
        }
        forget(gone);
      }
      return faults;
    },

    async stop() {
      tasks.clear();
      const left = await Promise.all(
        regions.map((region) =>
          stopTasks(aws(region), id, { pace, say, runId, taken: taken.get(region)! }).catch((error: Error) => [
            `whatever runs in ${region} (${error.message})`,
          ]),
        ),
      );
      return left.flat();
    },
  };
}
