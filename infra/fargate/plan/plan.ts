/** A run on Fargate before anything exists: tasks, vCPU-hours, cost and quotas. */
import {
  CPU_UNITS_PER_VCPU,
  type Deployment,
  homeTasks,
  isSameGroup,
  type TaskGroup,
  type TaskSize,
} from './deployment.ts';
import { type CostEstimate, estimateCost } from './prices.ts';

/** A part of a run during which the same tasks are needed. */
export interface PlannedStep {
  durationMs: number;
  groups: TaskGroup[];
}

/** vCPUs that a run needs at once in a region. */
export interface QuotaNeed {
  region: string;
  spot: boolean;
  vcpus: number;
  /** So many more if spot has no room; on demand only. A run can do without, as long as spot has room. */
  fallBackVcpus: number;
}

interface PlannedTasks extends TaskGroup {
  size: TaskSize;
  containers: number;
  vcpuHours: number;
}

export interface FargatePlan {
  deployment: Deployment;
  durationMs: number;
  /** `tasks`: at once, at most. */
  tasks: PlannedTasks[];
  quotas: QuotaNeed[];
  cost: CostEstimate;
}

/** The paid time of a task before its use, and until it is gone: its image is pulled, and its containers stop. */
const START_AND_STOP_MS = 120_000;

/**
 * Plans a run. Tasks that the next step needs as well run on; others stop. Where a step needs more than the one before,
 * all wait until those have started.
 *
 * @param steps in order; what each needs besides coordinator and server
 */
export function planFargate(deployment: Deployment, steps: readonly PlannedStep[]): FargatePlan {
  const stepsMs = steps.map(({ durationMs, groups }, index) => {
    const before = steps[index - 1]?.groups ?? [];
    const grows = groups.some((group) => group.tasks > (before.find((other) => isSameGroup(other, group))?.tasks ?? 0));
    return durationMs + (grows ? START_AND_STOP_MS : 0);
  });
  const durationMs = START_AND_STOP_MS + stepsMs.reduce((sum, stepMs) => sum + stepMs, 0);
  const timed = (group: TaskGroup, groupMs: number) => {
    const { size, containers } = deployment.kinds.find(({ name }) => name === group.kind)!;
    return { ...group, size, containers: containers.length, durationMs: groupMs };
  };
  const always = homeTasks(deployment).map((group) => timed(group, durationMs));
  const moments = steps.map(({ groups }, index) => groups.map((group) => timed(group, stepsMs[index]!)));
  const times = [...always, ...moments.flat()];
  const tasks = [...Map.groupBy(times, ({ kind, region }) => `${kind} ${region}`).values()].map((same) => ({
    ...same[0]!,
    tasks: Math.max(...same.map((time) => time.tasks)),
    vcpuHours: estimateCost(same).vcpuHours,
  }));
  return {
    deployment,
    durationMs,
    tasks,
    quotas: quotaNeeds([...moments, []].map((moment) => [...always, ...moment])),
    cost: estimateCost(times),
  };
}

/** The largest need of any moment, by region and sort of capacity. */
function quotaNeeds(moments: readonly (readonly (TaskGroup & { size: TaskSize })[])[]): QuotaNeed[] {
  const regions = new Set(moments.flat().map(({ region }) => region));
  return [...regions].flatMap((region) => {
    const most = (spot: boolean) => {
      const vcpus = moments.map((groups) =>
        groups
          .filter((group) => group.region === region && group.spot === spot)
          .reduce((sum, { tasks, size }) => sum + (tasks * size.cpuUnits) / CPU_UNITS_PER_VCPU, 0),
      );
      return Math.max(...vcpus);
    };
    const onSpot = most(true);
    return [
      ...(onSpot > 0 ? [{ region, spot: true, vcpus: onSpot, fallBackVcpus: 0 }] : []),
      { region, spot: false, vcpus: most(false), fallBackVcpus: onSpot },
    ];
  });
}
