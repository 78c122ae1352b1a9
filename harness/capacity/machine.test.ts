import { expect, test } from 'vitest';
import { cheapestMachine } from './machine.ts';

test('the machine is the cheapest that holds all in memory and is not too busy', () => {
  // The smallest task there is: 730 hours of a quarter of a vCPU, half a GB and an address.
  const small = cheapestMachine({ cores: 0.065, idleMiB: 50, heldMiB: 50 });
  expect(small.title).toMatch(/^1 × 0.25 vCPU and 0.5 GB, on demand in us-east-1 /);
  expect(small.cpuShare).toBeCloseTo(0.26);
  expect(small.memoryShare).toBeCloseTo(100 / 512);
  expect(small.dollarsAMonth).toBeCloseTo(730 * (0.25 * 0.04048 + 0.5 * 0.004445 + 0.005), 2);
  // Two cores do not fit one process, and seven halves are cheaper than four wholes.
  expect(cheapestMachine({ cores: 2, idleMiB: 50, heldMiB: 50 }).title).toMatch(/^7 × 0.5 vCPU and 1 GB/);
});
