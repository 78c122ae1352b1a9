import { expect, test } from 'vitest';
import { medianOf } from './machine-speed.ts';

test('one reading that others disturbed is not the machine’s speed', () => {
  const readings = [
    { oneCore: 335, allCores: 850 },
    { oneCore: 425, allCores: 600 },
    { oneCore: 428, allCores: 845 },
  ];
  expect(medianOf(readings)).toEqual({ oneCore: 425, allCores: 845 });
});
