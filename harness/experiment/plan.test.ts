import { expect, test } from 'vitest';
import { resolveExperiment } from './experiment-file.ts';
import { estimateTrialMs, formatPlan, makePlan, planWarnings } from './plan.ts';

const frameworks = ['yjs', 'other'].map((name) => ({ name, about: {} }));
const experimentOf = (input: object) => resolveExperiment(input, { frameworks });
const spacious = { cores: 64, availableMemoryMiB: 256 * 1024 };

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
  // 430 s of phases + 3 s + 0.1 s per user: 433.2 s and 434.6 s; 1735.6 s in all. 16 × 100 MiB = 1.6 GiB, 16 × 60 = 0.9.
  expect(formatPlan(experiment, plan, spacious, { all: true }).split('\n')).toEqual([
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
    'this machine: 64 cores, 256.0 GiB of memory available',
    'optquill with 16 users: about 1.6 GiB of memory',
    'noquill with 16 users: about 0.9 GiB of memory',
  ]);
});

test('unless every trial is asked for, the plan tells of its cells', () => {
  const linesOf = (input: object) => {
    const experiment = experimentOf(input);
    return formatPlan(experiment, makePlan(experiment), spacious).split('\n').slice(2, 9);
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
  expect(formatPlan(experimentOf(grid), makePlan(experimentOf(grid)), spacious)).toContain(
    '12 cells, 3 trials of each: the first of every cell, then the second of every cell, and so on; --all lists every trial\nin all: 4 h',
  );
  expect(linesOf({ trials: 1 })).toContain('1 cell, 1 trial of each; --all lists every trial');
});

test('the plan says who is how far from the server', () => {
  const planOf = (network: object) => {
    const experiment = experimentOf({ users: [4, 6], trials: 1, network });
    return formatPlan(experiment, makePlan(experiment), spacious).split('\n');
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

test('it warns of what the machine cannot carry', () => {
  const experiment = experimentOf({ users: [2, 16], modes: ['optquill', 'noquill'] });
  const warnings = (machine: { cores: number; availableMemoryMiB: number }) =>
    formatPlan(experiment, makePlan(experiment), machine)
      .split('\n')
      .filter((line) => line.includes('warning'));
  expect(warnings(spacious)).toEqual([]);
  // 16 users: 1600 MiB of optquill are too many, 960 MiB of noquill are not; 2 cores carry 14 and 36.
  expect(warnings({ cores: 2, availableMemoryMiB: 1_000 })).toEqual([
    expect.stringContaining('more than is available'),
    expect.stringContaining('16 users on 2 cores are more than about 14'),
  ]);
});

test('in containers it adds up their limits, and elsewhere it is not about this machine', () => {
  const linesOn = (fleet: object, resources = {}) => {
    const experiment = experimentOf({ users: [2, 16], modes: ['optquill', 'noquill'], fleet, resources });
    const text = formatPlan(experiment, makePlan(experiment), { cores: 8, availableMemoryMiB: 24 * 1024 });
    return text.split('\n').slice(text.split('\n').findIndex((line) => line.startsWith('in all')) + 1);
  };
  // 16 × 1 core and 2 GiB, and 16 × 0.5 cores and 1 GiB; the server has no limit.
  expect(linesOn({ on: 'compose' })).toEqual([
    'this machine: 8 cores, 24.0 GiB of memory available',
    'optquill with 16 users: 17 containers, limits of 16 cores and 32.0 GiB of memory in all',
    '  warning: that is more memory than is available; where they use it, some will be killed',
    '  warning: that is more cores than there are; where they use them, it is the machine that is measured',
    'noquill with 16 users: 17 containers, limits of 8 cores and 16.0 GiB of memory in all',
  ]);
  // 1 + 16 × 0.1 cores, and 0.5 + 16 × 0.25 GiB.
  expect(
    linesOn({ on: 'compose' }, { server: { cpus: 1, memoryMiB: 512 }, user: { cpus: 0.1, memoryMiB: 256 } }),
  ).toContain('optquill with 16 users: 17 containers, limits of 2.6 cores and 4.5 GiB of memory in all');
  expect(linesOn({ on: 'workers' })).toEqual([]);
  expect(linesOn({ on: 'fargate', region: 'us-east-1' })).toEqual([expect.stringContaining('fargate plan')]);
});

test('limits that the fleet cannot impose are no secret', () => {
  expect(planWarnings(experimentOf({}))).toEqual([]);
  expect(planWarnings(experimentOf({ resources: { user: { cpus: 1 } } }))).toEqual([
    'warning: the local fleet cannot limit CPU or memory, so "resources" has no effect',
  ]);
});
