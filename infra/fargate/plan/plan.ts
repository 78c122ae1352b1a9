/** A run on Fargate before anything exists: tasks, vCPU-hours, cost, quotas, and every kind of call. */
import type { Deployment, TaskGroup } from './deployment.ts';
import { type CostEstimate, estimateCost, type TaskTime } from './prices.ts';
import { CPU_UNITS_PER_VCPU, TASKS_PER_CALL, type TaskSize } from './sizes.ts';

/** A part of a run during which the same tasks are needed. */
export interface PlannedStep {
  durationMs: number;
  groups: TaskGroup[];
}

/** vCPUs that a run needs at once in a region. */
export interface QuotaNeed {
  region: string;
  kind: 'on demand' | 'spot';
  vcpus: number;
  /** So many more where spot has no room; on demand only. A run can do without, as long as it has. */
  fallBackVcpus: number;
}

export interface PlannedTasks {
  kind: string;
  region: string;
  size: TaskSize;
  containers: number;
  spot: boolean;
  /** At once, at most. */
  tasks: number;
  vcpuHours: number;
}

export interface FargatePlan {
  deployment: Deployment;
  durationMs: number;
  tasks: PlannedTasks[];
  quotas: QuotaNeed[];
  cost: CostEstimate;
  /** Every kind of call that changes something, in order. */
  calls: string[];
}

/** The paid time of a task before its use, and until it is gone: its image is pulled, and its containers stop. */
const START_AND_STOP_MS = 120_000;

/**
 * Plans a run. Tasks that the next step needs as well run on; others stop. Where a step needs more than the one before,
 * all wait until those have started.
 *
 * @param steps   in order; what each needs besides the tasks of `throughout`
 * @param throughout tasks that run from begin to end
 */
export function planFargate(
  deployment: Deployment,
  steps: readonly PlannedStep[],
  throughout: readonly TaskGroup[],
): FargatePlan {
  const stepsMs = steps.map(({ durationMs, groups }, index) => {
    const before = steps[index - 1]?.groups ?? [];
    const grows = groups.some((group) => group.tasks > (before.find((other) => isSame(other, group))?.tasks ?? 0));
    return durationMs + (grows ? START_AND_STOP_MS : 0);
  });
  const durationMs = START_AND_STOP_MS + stepsMs.reduce((sum, stepMs) => sum + stepMs, 0);
  const sizeOf = (name: string) => deployment.kinds.find((kind) => kind.name === name)!;
  const times: (TaskTime & { kind: string })[] = throughout.map((group) => ({
    ...group,
    size: sizeOf(group.kind).size,
    durationMs,
  }));
  for (const [index, step] of steps.entries()) {
    for (const group of step.groups) {
      times.push({ ...group, size: sizeOf(group.kind).size, durationMs: stepsMs[index]! });
    }
  }
  const tasks = new Map<string, PlannedTasks>();
  for (const group of [...throughout, ...steps.flatMap(({ groups }) => groups)]) {
    const { size, containers } = sizeOf(group.kind);
    const key = `${group.kind} ${group.region}`;
    const own = times.filter((time) => isSame(time, group));
    const vcpuHours = estimateCost(own).vcpuHours;
    const most = Math.max(group.tasks, tasks.get(key)?.tasks ?? 0);
    tasks.set(key, { ...group, size, containers: containers.length, tasks: most, vcpuHours });
  }
  return {
    deployment,
    durationMs,
    tasks: [...tasks.values()],
    quotas: quotaNeeds(
      [...steps.map(({ groups }) => groups), []].map((groups) => [...throughout, ...groups]),
      sizeOf,
    ),
    cost: estimateCost(times),
    calls: kindsOfCalls(deployment),
  };
}

function isSame(a: { kind: string; region: string }, b: { kind: string; region: string }): boolean {
  return a.kind === b.kind && a.region === b.region;
}

/** The largest need of any moment, by region and sort of capacity. */
function quotaNeeds(
  moments: readonly (readonly TaskGroup[])[],
  sizeOf: (kind: string) => { size: TaskSize },
): QuotaNeed[] {
  const needs = new Map<string, QuotaNeed>();
  const raise = (region: string, kind: QuotaNeed['kind'], vcpus: number, fallBackVcpus: number) => {
    const need = needs.get(`${region} ${kind}`) ?? { region, kind, vcpus: 0, fallBackVcpus: 0 };
    needs.set(`${region} ${kind}`, {
      ...need,
      vcpus: Math.max(need.vcpus, vcpus),
      fallBackVcpus: Math.max(need.fallBackVcpus, fallBackVcpus),
    });
  };
  for (const moment of moments) {
    for (const region of new Set(moment.map((group) => group.region))) {
      const here = moment.filter((group) => group.region === region);
      const vcpus = (groups: readonly TaskGroup[]) =>
        groups.reduce((sum, { kind, tasks }) => sum + (tasks * sizeOf(kind).size.cpuUnits) / CPU_UNITS_PER_VCPU, 0);
      const onSpot = vcpus(here.filter(({ spot }) => spot));
      if (onSpot > 0) raise(region, 'spot', onSpot, 0);
      raise(region, 'on demand', vcpus(here.filter(({ spot }) => !spot)), onSpot);
    }
  }
  return [...needs.values()];
}

function kindsOfCalls({ id, kinds, regions, serverRegion }: Deployment): string[] {
  return [
    'check: sts:GetCallerIdentity; servicequotas:GetServiceQuota; ec2:DescribeSubnets; ecr:DescribeImages',
    `up, in ${regions.join(', ')}: cloudformation:CreateStack or UpdateStack (scriptorium-${id}: repository, cluster, log group, ` +
      `execution role, security groups, and the tasks ${kinds.map(({ name }) => name).join(', ')}); docker push`,
    `run: ecs:RunTask (${TASKS_PER_CALL} tasks a call), DescribeTasks, StopTask, ListTasks; ec2:DescribeNetworkInterfaces; ` +
      `ec2:AuthorizeSecurityGroupIngress, RevokeSecurityGroupIngress in ${serverRegion}`,
    'clean: ecs:StopTask; cloudformation:DeleteStack; ecs:DeleteTaskDefinitions; and a second look by name',
  ];
}
