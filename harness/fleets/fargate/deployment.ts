/** An experiment in the words of AWS: which tasks it needs, of what size, in which regions, and when. */
import type { Mode } from '../../../frameworks/modes.ts';
import { deploymentId } from '../../../infra/fargate/naming.ts';
import {
  type ContainerKind,
  CPU_UNITS_PER_VCPU,
  type Deployment,
  smallestTaskSize,
  type TaskGroup,
  type TaskKind,
} from '../../../infra/fargate/plan/deployment.ts';
import { type FargatePlan, planFargate } from '../../../infra/fargate/plan/plan.ts';
import type { PlannedTrial } from '../../../results/formats/run-directory.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { regionsOfUsers } from '../../experiment/network.ts';
import { estimateTrialMs, limitsOf } from '../../experiment/plan.ts';

export const COORDINATOR_KIND = 'coordinator';
const SERVER_KIND = 'server';

/** Holds a trial's records, and summarises. */
const COORDINATOR_SIZE = { cpus: 1, memoryMiB: 4096 };
/** Unless the experiment says more: a server in Node uses one core, and this is more memory than any was seen to use. */
const SERVER_SIZE = { cpus: 1, memoryMiB: 4096 };

/** The coordinator is called on this port, as stack.yaml has it; dispatcher, coordinator and server listen on the next three. */
export const FIRST_PORT = 7400;
const OWN_PORTS = 3;

/** @throws UserError (2) if a task would be larger than Fargate has */
export function deploymentOf(
  experiment: Experiment,
  plan: readonly PlannedTrial[],
  firstPort = FIRST_PORT,
): Deployment {
  const serverRegion = experiment.fleet.region!;
  const inTrials = plan.map((planned) => userTasks(experiment, planned));
  const kinds = Map.groupBy(inTrials.flat(), ({ kind }) => kind);
  const { server } = experiment.resources;
  const cpus = server.cpus ?? SERVER_SIZE.cpus;
  const memoryMiB = server.memoryMiB ?? SERVER_SIZE.memoryMiB;
  return {
    id: deploymentId(experiment.name),
    serverRegion,
    regions: [...new Set([serverRegion, ...inTrials.flat().map(({ region }) => region)])],
    kinds: [
      taskKind({
        name: COORDINATOR_KIND,
        regions: [serverRegion],
        containers: [COORDINATOR_KIND],
        ...COORDINATOR_SIZE,
      }),
      taskKind({ name: SERVER_KIND, regions: [serverRegion], containers: [SERVER_KIND], cpus, memoryMiB }),
      ...[...kinds].map(([name, groups]) => userKind(experiment, name, groups)),
    ],
    userTasksAtOnce: Math.max(...inTrials.map((groups) => groups.reduce((sum, { tasks }) => sum + tasks, 0))),
    ports: { from: firstPort + 1, to: firstPort + OWN_PORTS },
  };
}

/** @throws UserError (2) if a task would be larger than Fargate has */
export function fargatePlanOf(experiment: Experiment, plan: readonly PlannedTrial[]): FargatePlan {
  const steps = plan.map((planned) => ({
    durationMs: estimateTrialMs(experiment, planned),
    groups: userTasks(experiment, planned),
  }));
  return planFargate(deploymentOf(experiment, plan), steps, homeTasks(experiment));
}

/** Those of coordinator and server, for the whole run; never on spot: with them it would be lost. */
export function homeTasks({ fleet }: Experiment): TaskGroup[] {
  return [COORDINATOR_KIND, SERVER_KIND].map((kind) => ({ kind, region: fleet.region!, tasks: 1, spot: false }));
}

/** The user tasks of a trial: full ones, and one for those who are left, in each region. */
export function userTasks({ fleet, network }: Experiment, { mode, users }: PlannedTrial): TaskGroup[] {
  const { usersPerTask, spot } = fleet.fargate;
  const regions = regionsOfUsers(users, network.groups, fleet.region!);
  return [...Map.groupBy(regions, (region) => region)].flatMap(([region, here]) => {
    const full = Math.floor(here.length / usersPerTask);
    const rest = here.length % usersPerTask;
    return [
      { kind: `${mode}-${usersPerTask}`, region, tasks: full, spot },
      { kind: `${mode}-${rest}`, region, tasks: rest > 0 ? 1 : 0, spot },
    ].filter(({ tasks }) => tasks > 0);
  });
}

function userKind(experiment: Experiment, name: string, groups: readonly TaskGroup[]): TaskKind {
  const [mode, count] = name.split('-') as [Mode, string];
  const { cpus, memoryMiB } = limitsOf(experiment, mode).users;
  const containers = Array.from({ length: Number(count) }, (_, index) => `user-${index + 1}`);
  const regions = [...new Set(groups.map(({ region }) => region))];
  const what = `a task of ${count} ${mode} ${count === '1' ? 'user' : 'users'}`;
  return taskKind({ name, what, regions, containers, cpus: cpus!, memoryMiB: memoryMiB! });
}

/** @param options.cpus of each container, as `memoryMiB` */
function taskKind(options: {
  name: string;
  what?: string;
  regions: string[];
  containers: readonly string[];
  cpus: number;
  memoryMiB: number;
}): TaskKind {
  const { name, regions, containers, cpus, memoryMiB } = options;
  const count = containers.length;
  const what = options.what ?? `the task of the ${name}`;
  const size = smallestTaskSize({ cpus: count * cpus, memoryMiB: count * memoryMiB }, what);
  const cpuUnits = Math.round(cpus * CPU_UNITS_PER_VCPU);
  return {
    name,
    regions,
    size,
    containers: containers.map((each): ContainerKind => ({ name: each, cpuUnits, memoryMiB })),
  };
}
