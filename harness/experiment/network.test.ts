import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDistance, formatLink, groupsOf, linkOn, membersOf } from './network.ts';
import { resolve } from './test-data/resolving.ts';

const half = [
  { name: 'near', share: 0.5 },
  { name: 'far', share: 0.5 },
];
const named = (users: number, groups: { name: string; share: number }[]) =>
  groupsOf(users, groups).map(({ name }) => name[0]);

describe('groups', () => {
  test('golden: two halves alternate, from the first on', () => {
    expect(named(4, half).join('')).toBe('nfnf');
    expect(named(5, half).join('')).toBe('nfnfn');
  });

  test('golden: unequal shares are spread as evenly as they can be', () => {
    // 6 and 2 of 8: of the first 4 users 3 and 1.
    const groups = [
      { name: 'a', share: 0.75 },
      { name: 'b', share: 0.25 },
    ];
    expect(named(8, groups).join('')).toBe('aabaaaba');
    expect(membersOf(8, groups)).toEqual([6, 2]);
  });

  test('thirds of 10 users: the first of those with equal remainders gets the one that is left', () => {
    const thirds = [0.3333, 0.3333, 0.3334].map((share) => ({ share }));
    expect(membersOf(9, thirds)).toEqual([3, 3, 3]);
    expect(membersOf(10, Array(3).fill({ share: 1 / 3 }))).toEqual([4, 3, 3]);
  });

  test('every group gets its share to within one user, and so does every beginning of the list of users', () => {
    const shares = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), shares, (users, weights) => {
        const sum = weights.reduce((total, each) => total + each, 0);
        const groups = weights.map((weight, index) => ({ name: String(index), share: weight / sum }));
        const all = groupsOf(users, groups);
        const counts = membersOf(users, groups);
        expect(all).toHaveLength(users);
        for (const [index, group] of groups.entries()) {
          expect(Math.abs(counts[index]! - users * group.share)).toBeLessThan(1);
          expect(all.filter((each) => each === group)).toHaveLength(counts[index]!);
          let given = 0;
          for (const [user, each] of all.entries()) {
            if (each === group) given++;
            expect(Math.abs(given - ((user + 1) * counts[index]!) / users)).toBeLessThan(groups.length);
          }
        }
      }),
    );
  });

  test('where a fleet has the region, the real distance stands for delay and jitter, and nothing for the bandwidth', () => {
    const link = { oneWayDelayMs: 30, jitterMs: 2, bandwidthBytesPerSecond: 2_500_000 };
    const far = { link, region: 'us-west-1' };
    expect(linkOn('fargate', far)).toEqual({ oneWayDelayMs: 0, jitterMs: 0, bandwidthBytesPerSecond: 2_500_000 });
    expect(formatDistance('fargate', far)).toBe('the real distance, 20Mbit/s');
    for (const fleet of ['local', 'compose', 'workers'] as const) expect(linkOn(fleet, far)).toBe(link);
    expect(linkOn('fargate', { link, region: null })).toBe(link);
  });

  test('a link reads as in the file', () => {
    const link = { oneWayDelayMs: 30, jitterMs: 0, bandwidthBytesPerSecond: null };
    expect(formatLink(link)).toBe('30ms each way');
    expect(formatLink({ ...link, oneWayDelayMs: 0 })).toBe('no delay');
    expect(formatLink({ ...link, jitterMs: 2, bandwidthBytesPerSecond: 2_500_000 })).toBe(
      '30ms ± 2ms each way, 20Mbit/s',
    );
  });
});

test('a value that a fleet does not take is refused with what to write', () => {
  const fleet = { on: 'fargate', region: 'us-east-1', fargate: { usersPerTask: 11, spot: 'yes', reachedFrom: 'here' } };
  expect(() => resolve({ fleet })).toThrow(
    [
      'fleet.fargate.usersPerTask: 11 is not valid; write a whole number from 1 to 10 (a task holds no more containers)',
      '  fleet.fargate.spot: "yes" is not valid; write true or false',
      '  fleet.fargate.reachedFrom: "here" is not valid; write an IPv4 address, or null',
    ].join('\n'),
  );
});
