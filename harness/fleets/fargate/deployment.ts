/** An experiment in the words of AWS: which tasks it needs, of what size, in which regions, and when. */
import type { Mode } from '../../../frameworks/modes.ts';
import { deploymentId } from '../../../infra/fargate/naming.ts';
import {
  CPU_UNITS_PER_VCPU,
  type Deployment,
  smallestTaskSize,
  type TaskGroup,
  type TaskKind,
} from '../../../infra/fargate/plan/deployment.ts';
import { type FargatePlan, planFargate } from '../../../infra/fargate/plan/plan.ts';
import type { Resources } from '../../../infra/fleet.ts';
import type { PlannedTrial } from '../../../results/formats/run-directory.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { regionsOfUsers } from '../../experiment/network.ts';
import { companyProcesses, estimateTrialMs, limitsOf } from '../../experiment/plan.ts';
import { serverFor, takesServerProcess } from '../../experiment/servers.ts';

/**
 * The coordinator holds a trial's records, and summarises. The server has as much unless the experiment says more: one in Node uses
 * one core, and this is more memory than any was seen to use.
 */
const HOME_NEEDS = { cpus: 1, memoryMiB: 4096 };

/** The coordinator is called on this port; dispatcher, coordinator and server listen on the next three. */
const FIRST_PORT = 7400;
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
  const { cpus, memoryMiB } = experiment.resources.server;
  const takesServer = plan.some(({ framework }) => takesServerProcess(serverFor(experiment, framework)));
  const serverNeeds = { cpus: cpus ?? HOME_NEEDS.cpus, memoryMiB: memoryMiB ?? HOME_NEEDS.memoryMiB };
  return {
    id: deploymentId(experiment.name),
    serverRegion,
    regions: [...new Set([serverRegion, ...inTrials.flat().map(({ region }) => region)])],
    kinds: [
      taskKind('coordinator', ['coordinator'], [serverRegion], HOME_NEEDS),
      ...(takesServer ? [taskKind('server', ['server'], [serverRegion], serverNeeds)] : []),
      ...[...kinds].map(([name, groups]) => {
        const [mode, count] = name.split('-') as [Mode, string];
        const containers = Array.from({ length: Number(count) }, (_, index) => `user-${index + 1}`);
        const regions = [...new Set(groups.map(({ region }) => region))];
        return taskKind(name, containers, regions, limitsOf(experiment, mode).users);
      }),
    ],
    userTasksAtOnce: Math.max(...inTrials.map((groups) => groups.reduce((sum, { tasks }) => sum + tasks, 0))),
    ports: { call: firstPort, tasks: { from: firstPort + 1, to: firstPort + OWN_PORTS } },
  };
}

/** @throws UserError (2) if a task would be larger than Fargate has */
export function fargatePlanOf(
  experiment: Experiment,
  plan: readonly PlannedTrial[],
  firstPort = FIRST_PORT,
): FargatePlan {
  const steps = plan.map((planned) => ({
    durationMs: estimateTrialMs(experiment, planned),
    groups: userTasks(experiment, planned),
  }));
  return planFargate(deploymentOf(experiment, plan, firstPort), steps);
}

/** The user tasks of a trial, also for those beside its users: full ones, and one for those who are left, in each region. */
export function userTasks(experiment: Experiment, planned: PlannedTrial): TaskGroup[] {
  const { fleet, network } = experiment;
  const { mode, users } = planned;
  const { usersPerTask, spot } = fleet.fargate;
  const atServer = Array<string>(companyProcesses(experiment, planned)).fill(fleet.region!);
  const regions = [...regionsOfUsers(users, network.groups, fleet.region!), ...atServer];
  return [...Map.groupBy(regions, (region) => region)].flatMap(([region, here]) => {
    const full = Math.floor(here.length / usersPerTask);
    const rest = here.length % usersPerTask;
    return [
      { kind: `${mode}-${usersPerTask}`, region, tasks: full, spot },
      { kind: `${mode}-${rest}`, region, tasks: rest > 0 ? 1 : 0, spot },
    ].filter(({ tasks }) => tasks > 0);
  });
}

function taskKind(name: string, containers: string[], regions: string[], each: Resources): TaskKind {
  const { cpus, memoryMiB } = each as { cpus: number; memoryMiB: number };
  const all = { cpus: containers.length * cpus, memoryMiB: containers.length * memoryMiB };
  return {
    ...{ name, role: name === 'coordinator' || name === 'server' ? name : 'users', regions, containers },
    size: smallestTaskSize(all, `the task "${name}"`),
    share: { cpuUnits: Math.round(cpus * CPU_UNITS_PER_VCPU), memoryMiB },
  };
}
