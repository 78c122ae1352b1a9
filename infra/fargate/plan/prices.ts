/** Prices of Fargate: a table with its date, and estimates from it. US dollars, Linux on x86, taxes not included. */
import { CPU_UNITS_PER_VCPU, type TaskSize } from './sizes.ts';

interface RegionPrice {
  perVcpuHour: number;
  perGbHour: number;
}

/** When the table below was compared with its sources. */
export const PRICES_AS_OF = '2026-11';
/** Where a person finds the prices of today. */
export const PRICES_PAGE = 'https://aws.amazon.com/fargate/pricing/';

/**
 * On-demand prices. Only regions whose price was found in at least one published copy of the price list stand here;
 * for others the dearest of these is taken, and the estimate says so.
 */
const ON_DEMAND: Readonly<Record<string, RegionPrice>> = {
  'us-east-1': { perVcpuHour: 0.04048, perGbHour: 0.004445 },
  'us-west-2': { perVcpuHour: 0.04048, perGbHour: 0.004445 },
  'eu-central-1': { perVcpuHour: 0.04656, perGbHour: 0.00511 },
  'sa-east-1': { perVcpuHour: 0.0696, perGbHour: 0.0076 },
};
const DEAREST = ON_DEMAND['sa-east-1']!;

/** Spot prices move. AWS names up to 70 % off; published tables show about 66 to 70 %. */
const SPOT_SHARE = 0.35;
/** A public IPv4 address, which each task has, costs this per hour since February 2024. */
const PER_ADDRESS_HOUR = 0.005;
/** A task is billed by the second, but for a minute at least. */
const LEAST_BILLED_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface TaskTime {
  region: string;
  size: TaskSize;
  spot: boolean;
  /** How long each of `tasks` tasks runs. */
  durationMs: number;
  tasks: number;
}

export interface CostEstimate {
  vcpuHours: number;
  /** With spot where it is asked for. */
  dollars: number;
  /** Where every task ran on demand: the most that the same hours cost. */
  onDemandDollars: number;
  /** Regions that the price table does not have. */
  unpricedRegions: string[];
}

/** Adds up what tasks cost that run for so long. Data transfer, logs and stored images are not in it. */
export function estimateCost(times: readonly TaskTime[]): CostEstimate {
  const estimate: CostEstimate = { vcpuHours: 0, dollars: 0, onDemandDollars: 0, unpricedRegions: [] };
  for (const { region, size, spot, durationMs, tasks } of times) {
    const price = ON_DEMAND[region] ?? DEAREST;
    const hours = (tasks * Math.max(durationMs, LEAST_BILLED_MS)) / HOUR_MS;
    const vcpus = size.cpuUnits / CPU_UNITS_PER_VCPU;
    const perHour = vcpus * price.perVcpuHour + (size.memoryMiB / 1024) * price.perGbHour;
    estimate.vcpuHours += hours * vcpus;
    estimate.onDemandDollars += hours * (perHour + PER_ADDRESS_HOUR);
    estimate.dollars += hours * (perHour * (spot ? SPOT_SHARE : 1) + PER_ADDRESS_HOUR);
    if (!(region in ON_DEMAND) && !estimate.unpricedRegions.includes(region)) estimate.unpricedRegions.push(region);
  }
  return estimate;
}
