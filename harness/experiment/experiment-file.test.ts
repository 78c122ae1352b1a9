import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { experiment } from './experiment.ts';
import { loadExperiment } from './experiment-file.ts';
import { frameworks, load, problems, resolve } from './test-data/resolving.ts';

const folder = folderOfEachTest();

describe('a good file', () => {
  test('an empty one is all defaults', async () => {
    expect(await load('')).toEqual({
      name: 'experiment',
      frameworks: ['yjs'],
      modes: ['optquill'],
      users: [2],
      presence: false,
      agents: ['none'],
      readers: [0],
      probes: 'all',
      trials: 3,
      base: null,
      stores: ['memory'],
      store: { url: null, reuse: false, writeDelayMs: [0] },
      servers: { counts: [1], attached: [] },
      affinity: 'spread',
      broker: null,
      documents: [],
      writers: 'all',
      trace: 'synthetic',
      start: { trace: null, characters: null },
      seed: 1,
      durations: { warmUpMs: 300_000, measureMs: 60_000, profileMs: 10_000, settleMs: 60_000 },
      typing: {
        keysPerSecond: 6,
        sigilPeriodMs: 10_000,
        rhythm: 'jittered',
        longestEdit: 200,
        changeSigils: true,
        cursorMoves: 0,
        formatOdds: { inline: 0.005, range: 0.0025, block: 0.0025 },
      },
      batching: {
        receiveMs: 50,
        receiveRhythm: 'ticks',
        sendMs: 1_000,
        sendFromUsers: 64,
        sendModes: ['optquill', 'noquill', 'node'],
      },
      resources: { server: { cpus: null, memoryMiB: null }, user: { cpus: null, memoryMiB: null } },
      fleet: {
        on: 'local',
        usersPerBrowser: null,
        region: null,
        fargate: { usersPerTask: 1, spot: true, reachedFrom: null },
      },
      network: {
        groups: [
          {
            name: 'all',
            share: 1,
            region: null,
            cpuSlowdown: 1,
            link: { oneWayDelayMs: 0, jitterMs: 0, bandwidthBytesPerSecond: null },
          },
        ],
      },
      faults: [],
      limits: { clockErrorMs: 5 },
    });
  });

  test('one value stands for a list of one, and one property of a block leaves the others', async () => {
    const experiment = await load(
      'users: 4\nmodes: noquill\ndurations: { warmUp: 1.5s }\nbatching: { sendFromUsers: never }',
    );
    expect(experiment).toMatchObject({
      users: [4],
      modes: ['noquill'],
      durations: { warmUpMs: 1_500, measureMs: 60_000 },
      batching: { sendFromUsers: 'never', sendMs: 1_000 },
    });
  });

  test('flags override it, also where it is wrong there', async () => {
    const flags = '--frameworks yjs,plainer --modes noquill --users 2,4 --trials 5 --trace my-trace --seed 0';
    const times = '--warm-up 0s --measure 20s --profile 0s --settle 5m --on local';
    const experiment = await load('users: [many]\ndurations: { warmUp: 3s }', ...`${flags} ${times}`.split(' '));
    expect(experiment).toMatchObject({
      frameworks: ['yjs', 'plainer'],
      modes: ['noquill'],
      users: [2, 4],
      trials: 5,
      trace: 'my-trace',
      seed: 0,
      durations: { warmUpMs: 0, measureMs: 20_000, profileMs: 0, settleMs: 300_000 },
    });
  });
});

test('what goes to a coordinator elsewhere comes out of it as it went in', () => {
  const groups = [
    { name: 'near', share: 0.25, oneWayDelay: '2.5ms', bandwidth: '33.3kbit/s' },
    { name: 'far', share: 0.75, oneWayDelay: '1.1s', jitter: '3ms', region: 'us-west-1' },
  ];
  const fleet = { on: 'fargate', region: 'us-east-1', usersPerBrowser: 1, fargate: { reachedFrom: '192.0.2.1' } };
  const resolved = resolve({ network: { groups }, fleet, batching: { sendFromUsers: 'always' }, writers: 1 });
  expect(experiment.resolved.parse(JSON.parse(JSON.stringify(resolved)))).toEqual(resolved);
  expect(experiment.resolved.safeParse({ ...resolved, users: [0] }).success).toBe(false);
});

describe('network groups', () => {
  const near = { name: 'near', share: 0.5, oneWayDelay: '30ms' };
  const far = { name: 'far', share: 0.5, oneWayDelay: '55ms' };

  test('each has a link of its own, with defaults; without groups there is one of everybody', () => {
    const groups = [near, { ...far, jitter: '5ms', bandwidth: '20Mbit/s', region: 'eu-north-1', cpuSlowdown: 4 }];
    expect(resolve({ network: { groups } }).network.groups).toEqual([
      {
        name: 'near',
        share: 0.5,
        region: null,
        cpuSlowdown: 1,
        link: { oneWayDelayMs: 30, jitterMs: 0, bandwidthBytesPerSecond: null },
      },
      {
        name: 'far',
        share: 0.5,
        region: 'eu-north-1',
        cpuSlowdown: 4,
        link: { oneWayDelayMs: 55, jitterMs: 5, bandwidthBytesPerSecond: 2_500_000 },
      },
    ]);
    expect(resolve({ network: { oneWayDelay: '60ms' } }).network.groups).toMatchObject([
      { share: 1, link: { oneWayDelayMs: 60 } },
    ]);
  });

  test('a third may be written as 0.333', () => {
    const groups = ['a', 'b', 'c'].map((name) => ({ ...near, name, share: 0.333 }));
    expect(resolve({ network: { groups } }).network.groups).toHaveLength(3);
  });

  test('a flag sets the delay of everyone', async () => {
    const { network } = await load('users: 2', '--delay', '30ms');
    expect(network.groups[0]!.link.oneWayDelayMs).toBe(30);
  });

  test.each<[object, string]>([
    [{ groups: [near] }, 'network.groups: the shares of the groups add up to 0.5; write shares that add up to 1'],
    [
      { groups: [near, { ...far, name: 'near' }] },
      'network.groups[1].name: "near" names another group already; write a name of its own',
    ],
    [
      { oneWayDelay: '10ms', groups: [near, far] },
      'network.oneWayDelay: 10ms is a delay for everyone, but there are groups; write the delay in each group',
    ],
    [
      { groups: [near, { ...far, jitter: '60ms' }] },
      'network.groups[1].jitter: 60ms either way is more than the delay of 55ms, so messages would arrive before they were sent; write 55ms or less',
    ],
    [
      { groups: [near, { ...far, bandwidth: '20MB/s' }] },
      'network.groups[1].bandwidth: "20MB/s" is not valid; write a bandwidth such as 256kbit/s, 20Mbit/s or 1Gbit/s, above 0, or null for no limit',
    ],
    [
      { groups: [{ name: 'near', share: 1 }] },
      'network.groups[0].oneWayDelay: "oneWayDelay" is missing; write a duration such as 500ms, 10s or 5m',
    ],
    [
      { groups: { ...near, share: 1, jiter: '1ms' } },
      'network.groups[0].jiter: there is no such property; did you mean "jitter"? valid here: name, share, oneWayDelay, jitter, bandwidth, region, cpuSlowdown',
    ],
    [
      { groups: ['near'] },
      'network.groups[0]: "near" is not valid; write a block of properties such as { name: near, share: 1, oneWayDelay: 30ms }',
    ],
  ])('%j', async (network, problem) => {
    expect(await problems(() => resolve({ network }))).toEqual([problem]);
  });

  test('a problem is shown at its line', async () => {
    const text = ['network:', '  groups:', '    - { name: near, share: 1, oneWayDelay: 30 }'].join('\n');
    expect(await problems(() => load(text))).toEqual([
      '3:44 network.groups[0].oneWayDelay: 30 is not valid; write it with its unit: 30ms, 30s or 30m',
    ]);
  });
});

describe('a bad file', () => {
  test('all problems at once, each with its place', async () => {
    const text = [
      'nmae: x', // 1
      'frameworks: [yjs, yjz]', // 2
      'users: [2, 0, 2000]', // 3
      'trials: three', // 4
      'durations:', // 5
      '  warmUp: 10', // 6
      '  mesure: 20s', // 7
      '  settle: 0s', // 8
      'batching:', // 9
      '  sendFromUsers: sometimes', // 10
      'limits: tight', // 11
    ].join('\n');
    expect(await problems(() => load(text, '--modes', 'optquil'))).toEqual([
      '1:1 nmae: there is no such property; did you mean "name"? valid here: name, frameworks, modes, users, presence, agents, readers, probes, trials, base, stores, store, servers, affinity, broker, documents, writers, trace, start, seed, durations, typing, batching, resources, fleet, network, faults, limits',
      '2:19 frameworks[1]: there is no framework "yjz" (did you mean "yjs"?); write one of: yjs, plainer, loopback, seeing, read',
      '3:12 users[1]: 0 is not valid; write a whole number from 1 to 1296 (a marker has two base-36 digits for its user)',
      '3:15 users[2]: 2000 is not valid; write a whole number from 1 to 1296 (a marker has two base-36 digits for its user)',
      '4:9 trials: "three" is not valid; write a whole number from 1 to 10000',
      '6:11 durations.warmUp: 10 is not valid; write it with its unit: 10ms, 10s or 10m',
      '7:3 durations.mesure: there is no such property; did you mean "measure"? valid here: warmUp, measure, profile, settle',
      '8:11 durations.settle: "0s" is not valid; write a duration such as 500ms, 10s or 5m, longer than 0',
      '10:18 batching.sendFromUsers: "sometimes" is not valid; write always, never, or a whole number from 1 on',
      '11:9 limits: "tight" is not valid; write a block of properties, or leave it out',
      '--modes: "optquil" is not valid; did you mean "optquill"? write one of: optquill, noquill, node',
    ]);
  });

  test('a flag’s problem names the flag', async () => {
    const found = await problems(() =>
      load('durations: { measure: 60s }', '--users', '2,x', '--measure', '5', '--frameworks', 'loopback,'),
    );
    expect(found).toEqual([
      '--frameworks: "" is not valid; write the name of a framework',
      expect.stringContaining('--users: "x" is not valid; write a whole number'),
      '--measure: 5 is not valid; write it with its unit: 5ms, 5s or 5m',
    ]);
  });

  test('syntax, with every place', async () => {
    const found = await problems(() => load('users: 2\nusers: 3\nname: "x\n'));
    expect(found.map((line) => line.split(' ')[0])).toEqual(['2:1', '3:8']);
  });

  test.each([
    ['users: 2\nusers: 3\n', '2:1 "users" stands twice; keep one, or join its values in a list: [a, b]'],
    ['durations:\n\twarmUp: 1s\n', /^2:1 a tab stands where YAML takes spaces alone; /],
    ['name: x\n---\nname: y\n', /^2:1 a second document begins here \(---\)/],
    ['users: [2, 4\n', '1:12 a ] is missing; write it where the value ends'],
    ['name: "x\n', '1:8 a " is missing; write it where the value ends'],
    ['durations: &a { warmUp: *a }\n', '1:25 a value contains itself by its anchor (&); write it out'],
    ['users: [4,,8]\n', '1:11 no value stands before this ,; write one, or take the , out'],
    ['durations: { measure: 9999999h }\n', /^1:23 .*"9999999h" is not valid; write 500h at most$/],
    ['durations: { settle: 600h }\n', /"600h" is not valid; write 500h at most$/],
    ['users: abc\n', /^1:8 users: "abc" is not valid; /],
    ['network: { groups: [{ share: 1 }] }\n', /^1:21 network.groups\[0\]: "name" is missing; write a name/],
    ['trials: "-1"\n', /"-1" is not valid; write a whole number/],
    ['users: "4"\n', /"4" is not valid; leave the quotes out: 4; write a whole number/],
    ['durations: { warmUp: 1m30s }\n', /"1m30s" is not valid; write it in one unit: 90s$/],
    ['network: { jitter: 1ms }\n', /jitter: there is no such property; this is "network.groups\[\].jitter"/],
    ['scenario: replay\nusers: 2\n', /users: there is no such property; the scenario typing has "users"/],
  ])('%j says what is wrong, where, and what to do', async (text, problem) => {
    const told = expect.stringMatching(problem instanceof RegExp ? problem : RegExp.escape(problem));
    expect(await problems(() => load(text))).toContainEqual(told);
  });

  test.each([['- yjs'], ['42'], ['just text']])('%j is no block of properties', async (text) => {
    expect(await problems(() => load(text))).toEqual([
      expect.stringMatching(/^1:1 .* is not valid; write a block of properties such as/),
    ]);
  });

  test('a file that is not there', async () => {
    await expect(loadExperiment({ path: '/no/such.yaml', frameworks })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('there is no experiment "/no/such.yaml"'),
    });
  });

  test('whatever a property holds, the outcome is an experiment or a UserError', async () => {
    const properties = Object.keys(experiment.properties);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...properties), fc.jsonValue()), async (input) => {
        await problems(() => resolve(input));
      }),
    );
  });
});

describe('what no experiment is', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]', ...'bcdefghi']
    .map((name, index, all) =>
      index === 0
        ? name
        : `${name}: &${name} [${Array(9)
            .fill(`*${all[index - 1]![0]}`)
            .join(', ')}]`,
    )
    .join('\n');
  test.each([
    ['aliases that unfold without end', bomb],
    ['a circle', 'users: &a [1, *a]'],
    ['a circle of blocks', 'durations: &a { warmUp: *a }'],
    ['brackets beyond any stack', `users: ${'['.repeat(90_000)}`],
    ['a million user counts', `users: [${Array(1_000_000).fill(2).join(',')}]`],
    ['more user counts than anybody means', `users: [${Array(45_000).fill(2).join(',')}]`],
    ['trials without end', 'trials: 100000000'],
    ['more trials than anybody runs', 'trials: 5000\nusers: [2, 3, 4]'],
    ['keys without end', 'typing: { keysPerSecond: 1e9 }'],
    ['megabytes', `# ${'x'.repeat(2_000_000)}`],
  ])('%s', async (_what, text) => {
    // The thread's own time: others may have the cores.
    const before = process.threadCpuUsage();
    await expect(load(text)).rejects.toMatchObject({ name: 'UserError', exitCode: 2 });
    expect(process.threadCpuUsage(before).user / 1e6).toBeLessThan(5);
  });

  test('what unfolds without end is told so', async () => {
    await expect(load(bomb)).rejects.toThrow(/its aliases \(\*\) unfold into too many values; write them out/);
  });

  test('a device without end, and a folder', async () => {
    for (const path of ['/dev/zero', folder.path]) {
      await expect(loadExperiment({ path, frameworks })).rejects.toThrow(
        /cannot read the experiment file .*it is no file/,
      );
    }
  });
});
