import { expect, test } from 'vitest';
import { differingConditions } from './run-conditions.ts';

const plan = (experiment: Record<string, unknown>) => ({
  schemaVersion: 1 as const,
  startedAt: '2026-01-01T00:00:00.000Z',
  experiment: { name: 'small', ...experiment },
  trials: [],
});

test('conditions differ by name, cells and how often they run do not', () => {
  const base = { frameworks: ['x'], users: [2], trials: 3, seed: 1, durations: { measureMs: 60_000, warmUpMs: 1 } };
  expect(differingConditions(plan(base), plan({ ...base, frameworks: ['y'], users: [4], trials: 1, seed: 2 }))).toEqual(
    [],
  );
  expect(differingConditions(plan({ ...base, readers: [0, 100] }), plan({ ...base, readers: [0, 300] }))).toEqual([]);
  expect(differingConditions(plan(base), plan({ ...base, documents: ['https://docs.example/1'] }))).toEqual([]);
  expect(differingConditions(plan(base), plan({ ...base, inTurns: false }))).toEqual([]);
  expect(differingConditions(plan(base), plan({ ...base, inTurns: true }))).toEqual(['inTurns: not given / true']);
  const company = { agents: ['none', 'stream'], presence: 'both' };
  expect(differingConditions(plan(base), plan({ ...base, ...company }))).toEqual([]);
  // Beside probes it makes the crowd of every cell another one.
  const differing = differingConditions(plan({ ...base, probes: 2 }), plan({ ...base, probes: 2, ...company }));
  expect(differing.map((text) => text.split(/[.:]/)[0])).toEqual(['agents', 'presence']);
  const fleet = (reachedFrom: string | null, spot: boolean) => ({ fleet: { fargate: { reachedFrom, spot } } });
  expect(
    differingConditions(plan({ ...base, ...fleet(null, true) }), plan({ ...base, ...fleet('192.0.2.1', false) })),
  ).toEqual(['fleet.fargate.spot: true / false']);
  expect(
    differingConditions(plan(base), plan({ ...base, durations: { measureMs: 30_000, warmUpMs: 1 }, trace: 'a' })),
  ).toEqual(['durations.measureMs: 60000 / 30000', 'trace: not given / "a"']);
});
