/** An experiment in the words of AWS: which tasks it needs, of what size, in which regions, and when. */

import type { Mode } from '../../../frameworks/modes.ts';
import { deploymentId } from '../../../infra/fargate/naming.ts';
import type { ContainerKind, Deployment, TaskGroup, TaskKind } from '../../../infra/fargate/plan/deployment.ts';
import { type FargatePlan, planFargate } from '../../../infra/fargate/plan/plan.ts';
import { CPU_UNITS_PER_VCPU, smallestTaskSize } from '../../../infra/fargate/plan/sizes.ts';
import type { PlannedTrial } from '../../../results/formats/run-directory.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { limitsOf } from '../../experiment/fleet-sizes.ts';
import { regionsOfUsers } from '../../experiment/groups.ts';
import { estimateTrialMs } from '../../experiment/plan.ts';

/** The task of server and coordinator, and its two containers. */
export const SERVER_KIND = 'server';
export const COORDINATOR_CONTAINER = 'coordinator';
export const SERVER_CONTAINER = 'server';

/** The coordinator gets a core for itself, so that it takes none from the server; it holds a trial's records. */
const COORDINATOR_SIZE = { cpus: 1, memoryMiB: 4096 };
/** Where the experiment says nothing: a server in Node uses one core, and this is more memory than any was seen to use. */
const SERVER_SIZE = { cpus: 1, memoryMiB: 4096 };

/** Ports on which the server's task listens: steering, dispatcher, coordinator, server, in this order from here on. */
export const FIRST_PORT = 7400;
const PORT_COUNT = 4;

/** @throws UserError (2) where a task would be larger than Fargate has */
export function deploymentOf(
  experiment: Experiment,
  plan: readonly PlannedTrial[],
  firstPort = FIRST_PORT,
): Deployment {
  const serverRegion = experiment.fleet.region!;
  const groups = plan.flatMap((planned) => userTasks(experiment, planned));
  const kinds = Map.groupBy(groups, ({ kind }) => kind);
  const atOnce = plan.map((planned) => userTasks(experiment, planned).reduce((sum, { tasks }) => sum + tasks, 0));
  return {
    id: deploymentId(experiment.name),
    serverRegion,
    regions: [...new Set([serverRegion, ...groups.map(({ region }) => region)])],
    kinds: [
      serverKind(experiment),
      ...[...kinds].map(([kind, all]) => userKind(experiment, kind, [...new Set(all.map(({ region }) => region))])),
    ],
    userTasksAtOnce: Math.max(...atOnce),
    ports: { from: firstPort, to: firstPort + PORT_COUNT - 1 },
  };
}

/** @throws UserError (2) where a task would be larger than Fargate has */
export function fargatePlanOf(experiment: Experiment, plan: readonly PlannedTrial[]): FargatePlan {
  const steps = plan.map((planned) => ({
    durationMs: estimateTrialMs(experiment, planned),
    groups: userTasks(experiment, planned),
  }));
  return planFargate(deploymentOf(experiment, plan), steps, [serverTask(experiment)]);
}

/** Never on spot: with it the whole run would be lost. */
export function serverTask(experiment: Experiment): TaskGroup {
  return { kind: SERVER_KIND, region: experiment.fleet.region!, tasks: 1, spot: false };
}

/** The user tasks of a trial: full ones, and one for those who are left, in each region. */
export function userTasks({ fleet, network }: Experiment, { mode, users }: PlannedTrial): TaskGroup[] {
  const { usersPerTask, spot } = fleet.fargate;
  const regions = regionsOfUsers(users, network.groups, fleet.region!);
  const groups: TaskGroup[] = [];
  for (const [region, here] of Map.groupBy(regions, (each) => each)) {
    const full = Math.floor(here.length / usersPerTask);
    const rest = here.length % usersPerTask;
    if (full > 0) groups.push({ kind: kindName(mode as Mode, usersPerTask), region, tasks: full, spot });
    if (rest > 0) groups.push({ kind: kindName(mode as Mode, rest), region, tasks: 1, spot });
  }
  return groups;
}

const kindName = (mode: Mode, containers: number) => `${mode}-${containers}`;

const userContainer = (index: number) => `user-${index + 1}`;

function serverKind({ fleet, resources }: Experiment): TaskKind {
  const cpus = resources.server.cpus ?? SERVER_SIZE.cpus;
  const memoryMiB = resources.server.memoryMiB ?? SERVER_SIZE.memoryMiB;
  const size = smallestTaskSize(
    { cpus: cpus + COORDINATOR_SIZE.cpus, memoryMiB: memoryMiB + COORDINATOR_SIZE.memoryMiB },
    'the task of server and coordinator',
  );
  return {
    name: SERVER_KIND,
    regions: [fleet.region!],
    size,
    containers: [
      {
        name: COORDINATOR_CONTAINER,
        command: ['node', 'harness/remote/main.ts'],
        cpuUnits: COORDINATOR_SIZE.cpus * CPU_UNITS_PER_VCPU,
        essential: true,
      },
      {
        name: SERVER_CONTAINER,
        command: ['node', 'infra/workers/main.ts'],
        cpuUnits: Math.round(cpus * CPU_UNITS_PER_VCPU),
        memoryMiB: resources.server.memoryMiB ?? undefined,
        essential: true,
      },
    ],
  };
}

function userKind(experiment: Experiment, name: string, regions: string[]): TaskKind {
  const [mode, count] = name.split('-') as [Mode, string];
  const containers = Number(count);
  const { cpus, memoryMiB } = limitsOf(experiment, mode).users;
  const size = smallestTaskSize(
    { cpus: containers * cpus!, memoryMiB: containers * memoryMiB! },
    `a task of ${containers} ${mode} ${containers === 1 ? 'user' : 'users'}`,
  );
  return {
    name,
    regions,
    size,
    containers: Array.from({ length: containers }, (_, index): ContainerKind => {
      return {
        name: userContainer(index),
        command: ['node', 'infra/workers/main.ts'],
        cpuUnits: Math.round(cpus! * CPU_UNITS_PER_VCPU),
        memoryMiB: memoryMiB!,
        // With any user's container the whole task ends, and is replaced before the next trial.
        essential: true,
      };
    }),
  };
}
