import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { resolveExperiment } from './experiment-file.ts';
import {
  estimateTrialMs,
  formatPlan,
  limitsByMode,
  limitsOf,
  makePlan,
  planWarnings,
  usersPerProcess,
} from './plan.ts';

const frameworks = ['yjs', 'other'].map((name) => ({ name, about: { presence: { by: 'its own means' } } }));
const experimentOf = (input: object) => resolveExperiment(input, { frameworks });

test('all cells of the first trial come before any of the second', () => {
  const plan = makePlan(
    experimentOf({ frameworks: ['yjs', 'other'], modes: ['optquill', 'noquill'], users: [4, 2], trials: 2 }),
  );
  const cells = [
    'yjs-optquill-4',
    'yjs-optquill-2',
    'yjs-noquill-4',
    'yjs-noquill-2',
    'other-optquill-4',
    'other-optquill-2',
    'other-noquill-4',
    'other-noquill-2',
  ];
  expect(plan.map(({ directory }) => directory)).toEqual(
    [1, 2].flatMap((trial) => cells.map((cell) => `trials/${cell}-${trial}`)),
  );
  expect(plan[8]).toMatchObject({ cell: 'yjs-optquill-4', framework: 'yjs', mode: 'optquill', users: 4, trial: 2 });
});

test('a cell with presence is another one, right after the same without, with the same typing', () => {
  const planOf = (presence: boolean | 'both') => makePlan(experimentOf({ users: [2, 4], trials: 2, presence }));
  expect(planOf('both').map(({ cell, presence = false, trial }) => [cell, presence, trial])).toEqual(
    [1, 2].flatMap((trial) =>
      [2, 4].flatMap((users) => [
        [`yjs-optquill-${users}`, false, trial],
        [`yjs-optquill+presence-${users}`, true, trial],
      ]),
    ),
  );
  const [without, beside] = planOf('both');
  expect(beside).toEqual({
    ...without,
    cell: 'yjs-optquill+presence-2',
    directory: 'trials/yjs-optquill+presence-2-1',
    presence: true,
  });
  expect(planOf(true).map(({ cell }) => cell)).toEqual(
    planOf('both').flatMap(({ cell, presence }) => (presence ? [cell] : [])),
  );
  expect(planOf(false)[0]).not.toHaveProperty('presence');
  const experiment = experimentOf({ users: [2, 4], presence: 'both' });
  expect(formatPlan(experiment, makePlan(experiment), []).split('\n').slice(3, 6)).toEqual([
    'framework  mode               users',
    'yjs        optquill           2, 4',
    'yjs        optquill+presence  2, 4',
  ]);
});

test('a seed follows from the experiment’s seed and the trial’s number alone', () => {
  const wide = makePlan(experimentOf({ frameworks: ['yjs', 'other'], users: [2, 4], trials: 3, seed: 7 }));
  const narrow = makePlan(experimentOf({ frameworks: 'other', modes: 'noquill', trials: 3, seed: 7 }));
  for (const { trial, seed } of wide) expect(seed).toBe(narrow[trial - 1]?.seed);
  expect(new Set(wide.map(({ seed }) => seed)).size).toBe(3);
  const [otherSeed] = makePlan(experimentOf({ seed: 8 }));
  expect(otherSeed?.seed).not.toBe(narrow[0]?.seed);
});

test('an estimate adds up the phases and the start', () => {
  const experiment = experimentOf({
    users: 20,
    durations: { warmUp: '5s', measure: '20s', profile: '1s', settle: '10s' },
  });
  // 5 + 20 + 1 + 10 s, and 3 s + 20 × 0.1 s to start.
  expect(estimateTrialMs(experiment, makePlan(experiment)[0]!)).toBe(41_000);
});

test('every trial of the plan reads as a table with its sum', () => {
  const experiment = experimentOf({ users: [2, 16], modes: ['optquill', 'noquill'], trials: 1 });
  const plan = makePlan(experiment);
  const seed = String(plan[0]?.seed);
  // 430 s of phases + 3 s + 0.1 s per user: 433.2 s and 434.6 s; 1735.6 s in all.
  expect(formatPlan(experiment, plan, ['what the fleet says'], { all: true, cores: 4 }).split('\n')).toEqual([
    'experiment: 4 trials on trace "synthetic", seed 1',
    'each: warm-up 5m, measure 1m, profile 10s, settle 1m at most',
    '',
    `order  framework  mode      users  trial  ${'seed'.padStart(seed.length)}  at most about`,
    `    1  yjs        optquill      2      1  ${seed}     7 min 13 s`,
    `    2  yjs        optquill     16      1  ${seed}     7 min 15 s`,
    `    3  yjs        noquill       2      1  ${seed}     7 min 13 s`,
    `    4  yjs        noquill      16      1  ${seed}     7 min 15 s`,
    '',
    'in all: 28 min 56 s at most',
    'what the fleet says',
    'warning: 16 users in optquill on 4 cores are more than about 12, where typing starts to wait for the machine',
  ]);
});

test('unless every trial is asked for, the plan tells of its cells', () => {
  const linesOf = (input: object) => {
    const experiment = experimentOf(input);
    return formatPlan(experiment, makePlan(experiment), []).split('\n').slice(2, 9);
  };
  const grid = { frameworks: ['yjs', 'other'], modes: ['optquill', 'noquill'], users: [16, 32, 48] };
  expect(linesOf(grid)).toEqual([
    '',
    'framework  mode      users',
    'yjs        optquill  16, 32, 48',
    'yjs        noquill   16, 32, 48',
    'other      optquill  16, 32, 48',
    'other      noquill   16, 32, 48',
    '',
  ]);
  expect(formatPlan(experimentOf(grid), makePlan(experimentOf(grid)), [])).toContain(
    '12 cells, 3 trials of each: the first of every cell, then the second of every cell, and so on; --all lists every trial\nin all: 4 h',
  );
  expect(linesOf({ trials: 1 })).toContain('1 cell, 1 trial of each; --all lists every trial');
});

test('the plan says who is how far from the server', () => {
  const planOf = (network: object) => {
    const experiment = experimentOf({ users: [4, 6], trials: 1, network });
    return formatPlan(experiment, makePlan(experiment), []).split('\n');
  };
  const groups = [
    { name: 'near', share: 0.25, oneWayDelay: '30ms', jitter: '2ms', region: 'us-west-1' },
    { name: 'far', share: 0.75, oneWayDelay: '55ms', bandwidth: '20Mbit/s' },
  ];
  // A quarter of 4 is 1; of 6 it is 1.5, and the first of two equal remainders gets the odd one.
  expect(planOf({ groups }).slice(2, 7)).toEqual([
    '',
    expect.stringMatching(/^group +share +of 4, 6 users +link +region$/),
    expect.stringMatching(/near +25 % +1, 2 +30ms ± 2ms each way +us-west-1$/),
    expect.stringMatching(/far +75 % +3, 4 +55ms each way, 20Mbit\/s +–$/),
    '',
  ]);
  expect(planOf({ oneWayDelay: '30ms' })[2]).toBe('network: 30ms each way');
  expect(planOf({})[2]).toBe('');
});

test('limits that the fleet cannot impose are no secret', () => {
  expect(planWarnings(experimentOf({}), [])).toEqual([]);
  expect(planWarnings(experimentOf({ resources: { user: { cpus: 1 } } }), [])).toEqual([
    'warning: the local fleet cannot limit CPU or memory, so "resources" has no effect',
  ]);
});

test('more users than the cores carry are warned of, in their mode; a crowd is not live', () => {
  const warningsOf = (input: object, cores = 2) => {
    const experiment = experimentOf({ modes: ['optquill', 'noquill'], users: [4, 8], ...input });
    return planWarnings(experiment, makePlan(experiment), cores);
  };
  expect(warningsOf({})).toEqual([
    'warning: 8 users in optquill on 2 cores are more than about 6, where typing starts to wait for the machine',
  ]);
  expect(warningsOf({}, 4)).toEqual([]);
  expect(warningsOf({ users: [8, 100], probes: 2 })).toEqual([]);
  expect(warningsOf({ fleet: { on: 'workers' } })).toEqual([]);
});

test('another version in turns takes as long again', () => {
  const planOf = (input: object) => {
    const experiment = experimentOf({ modes: 'noquill', trials: 1, ...input });
    return formatPlan(experiment, makePlan(experiment), []).split('\n');
  };
  // 430 s of phases + 3 s + 2 × 0.1 s.
  expect(planOf({}).at(-1)).toBe('in all: 7 min 13 s at most');
  expect(planOf({ base: 'v1' }).at(-1)).toBe('in all: 14 min 26 s at most');
  expect(planOf({ base: 'v1' })).toContain('each in turns with the same trial of v1');
});

const NONE = { cpus: null, memoryMiB: null };

describe('what a fleet gives', () => {
  test('on this machine 16 users share a browser, and nothing is limited', () => {
    const experiment = experimentOf({ resources: { user: { cpus: 1 } } });
    expect(usersPerProcess(experiment, { mode: 'optquill', users: 32 })).toBe(16);
    expect(limitsOf(experiment, 'optquill')).toEqual({ server: NONE, users: NONE });
    expect(limitsByMode(experiment)).toBeNull();
  });

  test('without a browser there is one process for each core, or as the file says; in containers one for each user', () => {
    const cores = availableParallelism();
    const usersOf = (file: object, users: number) => usersPerProcess(experimentOf(file), { mode: 'node', users });
    expect(usersOf({}, 8 * cores)).toBe(8);
    expect(usersOf({}, 8 * cores + 1)).toBe(9);
    expect(usersOf({}, 1)).toBe(1);
    expect(usersOf({ fleet: { usersPerBrowser: 5 } }, 8 * cores)).toBe(5);
    expect(usersOf({ fleet: { on: 'compose' } }, 100)).toBe(1);
  });

  test('in containers each user has its own, of the paper’s size unless the file says another', () => {
    const experiment = experimentOf({ modes: ['optquill', 'noquill'], fleet: { on: 'compose' } });
    expect(usersPerProcess(experiment, { mode: 'optquill', users: 32 })).toBe(1);
    expect(limitsByMode(experiment)).toEqual({
      optquill: { server: NONE, users: { cpus: 1, memoryMiB: 2048 } },
      noquill: { server: NONE, users: { cpus: 0.5, memoryMiB: 1024 } },
    });
    const other = experimentOf({
      fleet: { on: 'compose' },
      resources: { server: { cpus: 2 }, user: { cpus: 0.25 } },
    });
    expect(limitsOf(other, 'noquill')).toEqual({
      server: { cpus: 2, memoryMiB: null },
      users: { cpus: 0.25, memoryMiB: 1024 },
    });
  });

  test('users cannot share a browser there', () => {
    expect(() => experimentOf({ fleet: { on: 'compose', usersPerBrowser: 4 } })).toThrow(
      'fleet.usersPerBrowser: on compose each user has a container of its own, so 4 cannot share a browser; leave it out, or write 1',
    );
  });
});
