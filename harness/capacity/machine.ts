/** The machine that a server's load asks for, by the price table of Fargate. */
import type { Load, Machine } from '../../analysis/campaign/unit-costs.ts';
import { BUSY_MACHINE_PERCENT } from '../../analysis/figures/criterion.ts';
import { CPU_UNITS_PER_VCPU, smallestTaskSize } from '../../infra/fargate/plan/deployment.ts';
import { estimateCost, PRICES_AS_OF } from '../../infra/fargate/plan/prices.ts';

const REGION = 'us-east-1';
const HOURS_A_MONTH = 730;
const HOUR_MS = 3_600_000;
/** One process of a server takes one core at most. More tasks than that asks for may be cheaper, each of a smaller size. */
const FURTHER_TASKS = 8;
/** The least CPU that a task can have. */
const LEAST_CPUS = 0.25;

/**
 * The cheapest tasks of which neither CPU nor memory is over 60 % used: bursts need the one, and garbage, which is in no cost, the
 * other.
 */
export function cheapestMachine({ cores, idleMiB, heldMiB }: Load): Machine {
  const cpus = (100 * cores) / BUSY_MACHINE_PERCENT;
  const least = Math.max(1, Math.ceil(cpus));
  const machines = Array.from({ length: FURTHER_TASKS }, (_, further): Machine => {
    const tasks = least + further;
    const usedMiB = idleMiB + heldMiB / tasks;
    const memoryMiB = Math.ceil((100 * usedMiB) / BUSY_MACHINE_PERCENT);
    const size = smallestTaskSize({ cpus: Math.max(LEAST_CPUS, cpus / tasks), memoryMiB }, 'a server');
    const time = { region: REGION, size, spot: false, durationMs: HOURS_A_MONTH * HOUR_MS, tasks };
    const vcpus = size.cpuUnits / CPU_UNITS_PER_VCPU;
    const each = `${vcpus} vCPU and ${size.memoryMiB / 1024} GB`;
    return {
      title: `${tasks} × ${each}, on demand in ${REGION} (prices of ${PRICES_AS_OF}), at most ${BUSY_MACHINE_PERCENT} % of either used`,
      dollarsAMonth: estimateCost([time]).onDemandDollars,
      cpuShare: cores / tasks / vcpus,
      memoryShare: usedMiB / size.memoryMiB,
    };
  });
  return machines.reduce((cheapest, machine) => (machine.dollarsAMonth < cheapest.dollarsAMonth ? machine : cheapest));
}
