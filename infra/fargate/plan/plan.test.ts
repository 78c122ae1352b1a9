import { describe, expect, test } from 'vitest';
import { AWAY, EXAMPLE, HOME } from '../../../tests/aws/example.ts';
import { smallestTaskSize, type TaskGroup } from './deployment.ts';
import { planFargate } from './plan.ts';
import { estimateCost } from './prices.ts';

const HOUR_MS = 3_600_000;
const users = (tasks: number, spot = false): TaskGroup => ({ kind: 'noquill-1', region: AWAY, tasks, spot });

describe('the estimate of what a run costs', () => {
  test('adds up vCPU, memory and address by the hour', () => {
    const size = { cpuUnits: 1024, memoryMiB: 2048 };
    const times = [{ region: 'us-east-1', size, spot: false, durationMs: HOUR_MS, tasks: 10 }];
    const { vcpuHours, dollars, unpricedRegions } = estimateCost(times);
    expect(vcpuHours).toBe(10);
    // 10 × (0.04048 + 2 × 0.004445 + 0.005) = 0.5437
    expect(dollars).toBeCloseTo(0.5437, 6);
    expect(unpricedRegions).toEqual([]);
  });

  test('bills a minute at least, and says which regions it has no price of', () => {
    const size = { cpuUnits: 1024, memoryMiB: 2048 };
    const estimate = estimateCost([{ region: 'mars-1', size, spot: true, durationMs: 1000, tasks: 60 }]);
    expect(estimate.vcpuHours).toBeCloseTo(1, 6);
    expect(estimate.unpricedRegions).toEqual(['mars-1']);
    expect(estimate.dollars).toBeLessThan(estimate.onDemandDollars);
  });
});

describe('the plan of a run', () => {
  // Two minutes to start and stop are counted for each step that adds tasks, and for the coordinator's.
  test('keeps tasks that the next step needs, and pays for those that it adds', () => {
    const steps = [2, 4, 4].map((tasks) => ({ durationMs: HOUR_MS, groups: [users(tasks, true)] }));
    const plan = planFargate(EXAMPLE, steps);
    expect(plan.durationMs).toBe(3 * HOUR_MS + 3 * 120_000);
    const [atHome, away] = plan.tasks;
    expect(atHome).toMatchObject({ kind: 'coordinator', region: HOME, tasks: 1, spot: false });
    // Half a vCPU each: (2 + 4 + 4) h, and (2 + 4) × 2 min.
    expect(away).toMatchObject({ kind: 'noquill-1', region: AWAY, tasks: 4, spot: true, containers: 1 });
    expect(away!.vcpuHours).toBeCloseTo(5 + (6 * 0.5) / 30, 6);
    expect(plan.cost.vcpuHours).toBeCloseTo(atHome!.vcpuHours + away!.vcpuHours, 6);
  });

  test('needs quota for the largest step, and could use it on demand where spot has no room', () => {
    const steps = [2, 8].map((tasks) => ({ durationMs: 1000, groups: [users(tasks, true)] }));
    expect(planFargate(EXAMPLE, steps).quotas).toEqual([
      { region: HOME, spot: false, vcpus: 1, fallBackVcpus: 0 },
      { region: AWAY, spot: true, vcpus: 4, fallBackVcpus: 0 },
      { region: AWAY, spot: false, vcpus: 0, fallBackVcpus: 4 },
    ]);
  });
});

describe('task sizes', () => {
  test.each([
    // The paper's users fit exactly.
    [1, 2048, 1024, 2048],
    [0.5, 1024, 512, 1024],
    // A quarter of a core comes with 512, 1024 or 2048 MiB: 1536 is not offered.
    [0.25, 1500, 256, 2048],
    // More memory than the row has takes the next row.
    [0.25, 3000, 512, 3072],
    // 8 vCPU come in steps of 4 GiB, 16 in steps of 8.
    [8, 17 * 1024, 8192, 20 * 1024],
    [10, 20 * 1024, 16384, 32 * 1024],
    [3, 6 * 1024, 4096, 8 * 1024],
  ])('the smallest with %d vCPU and %d MiB', (cpus, memoryMiB, cpuUnits, offeredMiB) => {
    expect(smallestTaskSize({ cpus, memoryMiB }, 'a task')).toEqual({ cpuUnits, memoryMiB: offeredMiB });
  });

  test('what is too large is refused with the largest that there is', () => {
    expect(() => smallestTaskSize({ cpus: 17, memoryMiB: 1024 }, 'the task of 10 users')).toThrow(
      /the task of 10 users needs 17 vCPU .*16 vCPU and 122880 MiB/,
    );
  });
});
