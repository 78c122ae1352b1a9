import { expect, test } from 'vitest';
import type { CellSummary } from '../../results/formats/summary.ts';
import { maxUsersOf } from '../cell/max-users.ts';
import { aboutCell } from '../cell/messages.ts';
import { cellOf } from '../test-data/written-cell.ts';
import type { ReportCell } from './report-data.ts';
import { chooseUsers } from './tables.ts';

const LOST = { ...aboutCell('user-lost', 'decides', 'user 3 was lost'), trials: [1] };

type Given = Pick<CellSummary, 'users'> & Partial<CellSummary>;

function cells(...given: Given[]): { cells: ReportCell[] } {
  return {
    cells: given.map((written) => ({
      ...cellOf({
        framework: 'x',
        mode: 'noquill',
        verdict: 'valid',
        validTrials: 1,
        messages: [],
        fullyFunctional: true,
        ...written,
      }),
      run: 0,
      ran: [],
    })),
  };
}

test('the largest user count that is fully functional, and what the next missed', () => {
  const missed = aboutCell('not-fully-functional', 'decides', 'throughput is 90 %');
  const slow = { fullyFunctional: false, messages: [LOST, missed] };
  expect(maxUsersOf(cells({ users: 32, ...slow }, { users: 8 }, { users: 16 }))).toEqual([
    {
      run: 0,
      framework: 'x',
      mode: 'noquill',
      maxUsers: 16,
      heldOnce: true,
      ran: [8, 16, 32],
      next: { users: 32, verdict: 'valid', limitedBy: ['throughput is 90 %'] },
    },
  ]);
});

test('nothing larger was run; nothing was fully functional; it is not known', () => {
  expect(maxUsersOf(cells({ users: 8 }))).toMatchObject([{ maxUsers: 8, next: null }]);
  const invalid = { verdict: 'invalid' as const, fullyFunctional: null, messages: [LOST] };
  expect(maxUsersOf(cells({ users: 8, ...invalid }))).toMatchObject([
    { maxUsers: null, next: { users: 8, verdict: 'invalid', limitedBy: ['trial 1: user 3 was lost'] } },
  ]);
  const open = aboutCell('functionality-not-judged', 'decides', 'too few');
  const unknown = { fullyFunctional: null, messages: [aboutCell('a', 'care', 'a note'), open] };
  expect(maxUsersOf(cells({ users: 8 }, { users: 16, ...unknown }))).toMatchObject([
    { maxUsers: 8, next: { users: 16, limitedBy: ['fully functional: not judged: too few'] } },
  ]);
  // A trial that does not count is not why the others' figure is unknown.
  const messages = [LOST, aboutCell('not-smooth', 'decides', 'long tasks'), open];
  expect(maxUsersOf(cells({ users: 16, verdict: 'partly valid', ...unknown, messages }))).toMatchObject([
    { next: { limitedBy: ['fully functional: not judged: too few', 'trial 1: user 3 was lost'] } },
  ]);
});

test('runs, frameworks and modes are apart', () => {
  const found = maxUsersOf(cells({ users: 8 }, { users: 8, framework: 'y' }, { users: 8, mode: 'optquill' }));
  expect(found.map(({ framework, mode }) => [framework, mode])).toEqual([
    ['x', 'noquill'],
    ['y', 'noquill'],
    ['x', 'optquill'],
  ]);
});

test('the user count with most valid cells is chosen, of equals the largest', () => {
  expect(chooseUsers(cells({ users: 8 }, { users: 8, framework: 'y' }, { users: 16 }))).toBe(8);
  expect(chooseUsers(cells({ users: 8 }, { users: 16 }, { users: 32, validTrials: 0 }))).toBe(16);
  expect(chooseUsers(cells())).toBeNull();
});

test('a count above one that failed is not carried, whatever it measured; above one that is not known it is', () => {
  const of = (fullyFunctional: boolean | null) => maxUsersOf(cells({ users: 8, fullyFunctional }, { users: 16 }))[0]!;
  expect(of(false)).toMatchObject({ maxUsers: null, next: { users: 8 } });
  expect(of(null)).toMatchObject({ maxUsers: 16, next: null });
});
