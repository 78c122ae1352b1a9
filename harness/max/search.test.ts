import { describe, expect, test } from 'vitest';
import { type Attempt, EDGE_TRIALS, type Outcome, type SearchBounds, searchState } from './search.ts';

const BOUNDS: SearchBounds = { fewest: 2, most: 200, precisionPercent: 0 };

/** As the command has it unless told otherwise. */
const COARSE: SearchBounds = { fewest: 11, most: 256, precisionPercent: 5 };

/** Runs a search against a machine that is imagined. */
function search(outcomeOf: (users: number, trial: number) => Outcome, bounds: SearchBounds = BOUNDS) {
  const attempts: Attempt[] = [];
  for (;;) {
    const state = searchState(attempts, bounds);
    if (state.next === null) return { ...state, attempts };
    const users = state.next;
    expect(users).toBeGreaterThanOrEqual(bounds.fewest);
    expect(users).toBeLessThanOrEqual(bounds.most);
    const trial = attempts.filter((attempt) => attempt.users === users).length + 1;
    expect(trial).toBeLessThanOrEqual(bounds.edgeTrials ?? EDGE_TRIALS);
    attempts.push({ users, outcome: outcomeOf(users, trial) });
  }
}

const upTo =
  (limit: number, beyond: Outcome = 'missed') =>
  (users: number) =>
    users <= limit ? 'held' : beyond;

/** Mulberry32: noise that is the same each time. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('without noise', () => {
  test('the limit is found exactly, whatever it is, in few trials', () => {
    for (let limit = 2; limit < 200; limit++) {
      const { largestHeld, end, attempts } = search(upTo(limit));
      expect({ limit, largestHeld, end }).toEqual({
        limit,
        largestHeld: limit,
        end: { users: limit + 1, outcome: 'missed' },
      });
      // Doubling, halving, and each end of the edge twice more.
      expect(attempts.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(limit)) + 6);
    }
  });

  test('a coarser edge takes fewer trials, and holds the limit within it', () => {
    const exact = search(upTo(93)).attempts.length;
    const { largestHeld, end, attempts } = search(upTo(93), { ...BOUNDS, precisionPercent: 10 });
    expect(attempts.length).toBeLessThan(exact);
    expect(largestHeld).toBeLessThanOrEqual(93);
    expect(end!.users).toBeGreaterThan(93);
    expect(end!.users - largestHeld!).toBeLessThanOrEqual(9);
  });

  test('the order of counts: doubled, halved, then both ends of the edge twice more', () => {
    expect(search(upTo(11)).attempts.map(({ users }) => users)).toEqual([2, 4, 8, 16, 12, 10, 11, 11, 11, 12, 12]);
  });

  test('where nothing holds, the smallest count is tried twice more', () => {
    const { largestHeld, end, attempts } = search(() => 'missed');
    expect({ largestHeld, end }).toEqual({ largestHeld: null, end: { users: 2, outcome: 'missed' } });
    expect(attempts).toHaveLength(3);
  });

  test('where everything holds, the bound is tried twice more, and nothing beyond', () => {
    const { largestHeld, end, attempts } = search(() => 'held');
    expect({ largestHeld, end }).toEqual({ largestHeld: 200, end: null });
    expect(attempts.slice(-3)).toEqual([200, 200, 200].map((users) => ({ users, outcome: 'held' })));
  });

  test('where the machine gives out, nothing larger is tried, and nothing is called missed', () => {
    const { largestHeld, end, attempts } = search(upTo(37, 'unknown'));
    expect({ largestHeld, end }).toEqual({ largestHeld: 37, end: { users: 38, outcome: 'unknown' } });
    expect(Math.max(...attempts.map(({ users }) => users))).toBe(64);
    expect(attempts.some(({ outcome }) => outcome === 'missed')).toBe(false);
  });

  test('where the framework gives out below the machine, that is found', () => {
    const outcomeOf = (users: number) => (users <= 20 ? 'held' : users < 40 ? 'missed' : 'unknown');
    expect(search(outcomeOf).end).toEqual({ users: 21, outcome: 'missed' });
    const { largestHeld, end } = search((users) => (users <= 20 ? 'held' : users < 24 ? 'missed' : 'unknown'));
    expect({ largestHeld, end }).toEqual({ largestHeld: 20, end: { users: 21, outcome: 'missed' } });
  });
});

describe('with noise', () => {
  test('one trial spoilt by chance does not end the search', () => {
    let spoilt = false;
    const outcomeOf = (users: number) => {
      if (users !== 16 || spoilt) return upTo(90)(users);
      spoilt = true;
      return 'unknown';
    };
    const { largestHeld, end } = search(outcomeOf);
    expect({ largestHeld, end }).toEqual({ largestHeld: 90, end: { users: 91, outcome: 'missed' } });
  });

  test('three trials that all differ are not known', () => {
    const outcomes: Outcome[] = ['missed', 'held', 'unknown'];
    const state = search((users, trial) => (users === 4 ? outcomes[trial - 1]! : 'held'));
    expect(state).toMatchObject({ largestHeld: 3, end: { users: 4, outcome: 'unknown' } });
  });

  test('with an edge that is soft, the search ends, and its answer lies in the softness', () => {
    // From 60 to 80 users, trials hold less and less often.
    for (let seed = 0; seed < 300; seed++) {
      const random = noise(seed);
      const { largestHeld, end, attempts } = search((users) => ((80 - users) / 20 > random() ? 'held' : 'missed'));
      expect(largestHeld).toBeGreaterThanOrEqual(60);
      expect(end!.users).toBeLessThanOrEqual(80);
      expect(end!.users).toBe(largestHeld! + 1);
      expect(attempts.length).toBeLessThanOrEqual(50);
    }
  });

  test.each([
    [0.05, 0.95],
    [0.1, 0.85],
  ])('with %d of the trials wrong anywhere, most searches end within a tenth of the limit', (wrong, expected) => {
    const limit = 50;
    const found = Array.from({ length: 1000 }, (_, seed) => {
      const random = noise(seed + 1000);
      const outcomeOf = (users: number) => (users <= limit === random() > wrong ? 'held' : 'missed');
      return search(outcomeOf, COARSE).largestHeld ?? 0;
    });
    const near = found.filter((users) => Math.abs(users - limit) <= limit / 10).length;
    expect(near / found.length).toBeGreaterThan(expected);
  });

  test('with an edge from 40 to 60, nearly all end between 42 and 55, in 18 trials or so', () => {
    const searches = Array.from({ length: 1000 }, (_, seed) => {
      const random = noise(seed);
      return search((users) => ((60 - users) / 20 > random() ? 'held' : 'missed'), COARSE);
    });
    const inside = searches.filter(({ largestHeld }) => largestHeld! >= 42 && largestHeld! <= 55).length;
    expect(inside / searches.length).toBeGreaterThan(0.93);
    const trials = searches.reduce((sum, { attempts }) => sum + attempts.length, 0);
    expect(trials / searches.length).toBeLessThan(18);
  });
});

test('the edge is firm: each end has three trials, or as many as are asked for, most of which agree', () => {
  for (let seed = 0; seed < 100; seed++) {
    const random = noise(seed);
    const bounds = { ...BOUNDS, edgeTrials: seed % 2 === 0 ? undefined : 5 };
    const { largestHeld, end, attempts } = search(
      (users) => ((120 - users) / 100 > random() ? 'held' : 'missed'),
      bounds,
    );
    for (const [users, expected] of [[largestHeld, 'held'] as const, [end?.users, end?.outcome] as const]) {
      const outcomes = attempts.filter((attempt) => attempt.users === users).map(({ outcome }) => outcome);
      if (outcomes.length === 0) continue;
      expect(outcomes).toHaveLength(bounds.edgeTrials ?? EDGE_TRIALS);
      expect(outcomes.filter((outcome) => outcome === expected).length).toBeGreaterThan(outcomes.length / 2);
    }
  }
});

test('before each end of the edge has its trials, the search is not over', () => {
  const held = (users: number): Attempt => ({ users, outcome: 'held' });
  const missed = (users: number): Attempt => ({ users, outcome: 'missed' });
  // As a search of three trials left it, and one that lacks the last.
  expect(searchState([held(2), held(4), missed(5)], BOUNDS).next).toBe(4);
  const nearly = [held(2), held(4), missed(5), held(4), missed(4), missed(5)];
  expect(searchState(nearly, BOUNDS)).toEqual({ next: 5, largestHeld: 4, end: { users: 5, outcome: 'missed' } });
  expect(searchState([...nearly, held(5)], BOUNDS).next).toBe(null);
});

test('bounds without a count between them are refused', () => {
  expect(() => searchState([], { fewest: 10, most: 8, precisionPercent: 5 })).toThrow(RangeError);
});

test('a search that goes on with a smaller first count tries it', () => {
  const attempts: Attempt[] = [64, 64, 64].map((users) => ({ users, outcome: 'missed' }));
  expect(searchState(attempts, { ...COARSE, fewest: 62 }).next).toBe(62);
});

test('counts below the bound, tried for another criterion, say nothing', () => {
  const attempts: Attempt[] = [11, 22, 44].map((users) => ({ users, outcome: 'unknown' }));
  const bounds = { fewest: 55, most: 256, precisionPercent: 5 };
  expect(searchState([...attempts, { users: 88, outcome: 'held' }], bounds)).toMatchObject({ next: 176, end: null });
  // Less memory is free than at the beginning.
  const halves: Attempt[] = [
    { users: 16, outcome: 'held' },
    { users: 32, outcome: 'missed' },
  ];
  const less = { fewest: 2, most: 20, precisionPercent: 0 };
  expect(searchState(halves, less).next).toBe(20);
  // More than it holds, which the search refuses: once more with 20 would say nothing new.
  expect(searchState([...halves, { users: 20, outcome: 'held' }], less).next).toBe(26);
});
