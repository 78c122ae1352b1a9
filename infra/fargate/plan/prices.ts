/** Capacity of Fargate: its quotas and prices, with their date, and estimates from them. US dollars, Linux on x86, without tax. */
import { CPU_UNITS_PER_VCPU, type TaskGroup, type TaskSize } from './deployment.ts';

/** Both sorts of capacity: AWS's name and code of its quota, the same in every account, and its part of the price on demand. */
const CAPACITY = {
  onDemand: { quota: 'Fargate On-Demand vCPU resource count', code: 'L-3032A538', share: 1 },
  // Spot prices move. AWS names up to 70 % off; published tables show about 66 to 70 %.
  spot: { quota: 'Fargate Spot vCPU resource count', code: 'L-36FBB829', share: 0.35 },
};
export const capacityOf = (spot: boolean) => CAPACITY[spot ? 'spot' : 'onDemand'];

/** When the table below was compared with its sources. */
export const PRICES_AS_OF = '2026-11';
/** Where a person finds the prices of today. */
export const PRICES_PAGE = 'https://aws.amazon.com/fargate/pricing/';

/**
 * Dollars per vCPU and hour, and per GB and hour. Only regions whose price was found in at least one published copy of the price
 * list stand here; for others the dearest of these is taken, and the estimate says so.
 */
const ON_DEMAND: Readonly<Record<string, readonly [perVcpuHour: number, perGbHour: number]>> = {
  'us-east-1': [0.04048, 0.004445],
  'us-west-2': [0.04048, 0.004445],
  'eu-central-1': [0.04656, 0.00511],
  'sa-east-1': [0.0696, 0.0076],
};
const DEAREST = ON_DEMAND['sa-east-1']!;

/** A public IPv4 address, which each task has, costs this per hour since February 2024. */
const PER_ADDRESS_HOUR = 0.005;
/** A task is billed by the second, but for a minute at least. */
const LEAST_BILLED_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface CostEstimate {
  vcpuHours: number;
  /** With spot for the tasks that ask for it. */
  dollars: number;
  /** If every task ran on demand: the most that the same hours cost. */
  onDemandDollars: number;
  /** Regions that the price table does not have. */
  unpricedRegions: string[];
}

/** Adds up the cost of tasks, each of which runs for `durationMs`. Data transfer, logs and stored images are not in it. */
export function estimateCost(
  times: readonly (Omit<TaskGroup, 'kind'> & { size: TaskSize; durationMs: number })[],
): CostEstimate {
  const estimate: CostEstimate = { vcpuHours: 0, dollars: 0, onDemandDollars: 0, unpricedRegions: [] };
  for (const { region, size, spot, durationMs, tasks } of times) {
    const [perVcpuHour, perGbHour] = ON_DEMAND[region] ?? DEAREST;
    const hours = (tasks * Math.max(durationMs, LEAST_BILLED_MS)) / HOUR_MS;
    const vcpus = size.cpuUnits / CPU_UNITS_PER_VCPU;
    const perHour = vcpus * perVcpuHour + (size.memoryMiB / 1024) * perGbHour;
    estimate.vcpuHours += hours * vcpus;
    estimate.onDemandDollars += hours * (perHour + PER_ADDRESS_HOUR);
    estimate.dollars += hours * (perHour * capacityOf(spot).share + PER_ADDRESS_HOUR);
    if (!(region in ON_DEMAND) && !estimate.unpricedRegions.includes(region)) estimate.unpricedRegions.push(region);
  }
  return estimate;
}
