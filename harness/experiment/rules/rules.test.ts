import { describe, expect, test } from 'vitest';
import { discoverFrameworks } from '../../../frameworks/discover.ts';
import { resolveExperiment } from '../experiment-file.ts';
import { frameworks, load, problems, resolve } from '../test-data/resolving.ts';

describe('impossible combinations', () => {
  test.each([
    [{ frameworks: ['plainer'] }, 'modes[0]: "plainer" does not support "optquill"; it supports: noquill, node'],
    [
      { users: [8, 2], writers: 3 },
      'writers: 3 writers are more than the 2 users of the smallest cell; write 2 at most, or all',
    ],
    [
      { frameworks: 'loopback', users: [1, 4] },
      'writers: "loopback" does not merge concurrent edits, so 4 writers cannot use it; write "writers: 1"',
    ],
    [
      { typing: { formatOdds: { inline: 0.5, range: 0.5, block: 0.25 } } },
      'typing.formatOdds: the odds add up to 1.25; write odds that add up to 1 at most',
    ],
    [
      { start: { trace: 'mine' }, fleet: { on: 'fargate', region: 'us-east-1' } },
      'start.trace: on fargate the document can begin only as the trace that users replay ends; write "synthetic", or null',
    ],
    [
      { name: 'Published' },
      'name: "Published" is the name of a folder of results/ that is not for runs; write another',
    ],
    [
      { base: 'v1.0.0', fleet: { on: 'compose' } },
      'base: another version cannot run in turns with this one on compose; write "fleet: {on: local}", or run each by itself and compare the two runs',
    ],
    [
      { users: 8, probes: 1 },
      'probes: 1 is not valid; write all, or a whole number from 2 on (one alone has no latency to another)',
    ],
    [
      { users: [16, 4], probes: 4 },
      'probes: 4 probes of the 4 users of the smallest cell leave no crowd; write 3 at most, or all',
    ],
    [
      { users: 2, probes: 2 },
      'probes: 2 probes of the 2 users of the smallest cell leave no crowd; write all, or larger counts of users',
    ],
    [
      { users: 8, probes: 2, fleet: { on: 'workers' } },
      'probes: no crowd is played on workers yet, so all users are live there; write all, or "on: local"',
    ],
    [
      { frameworks: ['seeing', 'yjs'], presence: 'both' },
      'presence: "yjs" has none: It says nothing of presence. Write false, or leave it out of the frameworks; these have it: seeing',
    ],
    [
      { frameworks: 'loopback', writers: 1, agents: ['none', '3-rewrite'] },
      'agents: "loopback" does not merge concurrent edits, so no agent can edit beside a user; write none',
    ],
    [
      { agents: 'streams' },
      'agents[0]: "streams" is not valid; write none, stream or rewrite; several of a kind as 3-stream',
    ],
    [
      { frameworks: ['read', 'yjs'], readers: [0, 100] },
      'readers: it is not known how a reader of "yjs" joins; write 0, or leave it out of the frameworks; these have readers: read',
    ],
    [
      { frameworks: 'read', readers: 100, faults: { at: '30s', server: 'restart', downFor: '5s' } },
      'readers: readers are sockets, which do not come back to a server that they lost; leave the faults out, or write 0',
    ],
    [
      {
        modes: ['noquill', 'node'],
        network: { groups: { name: 'all', share: 1, oneWayDelay: '0ms', cpuSlowdown: 4 } },
      },
      'network.groups: only a page in Chrome can be made slow, and node has none; leave cpuSlowdown out, or that mode',
    ],
    [{ presence: 'sometimes' }, 'presence: "sometimes" is not valid; write true, false or both'],
    [
      {
        frameworks: 'seeing',
        users: Array.from({ length: 600 }, (_, index) => index + 1),
        presence: 'both',
        trials: 10,
      },
      'trials: frameworks × modes × users × 2 for presence, agents, readers, stores and servers × trials is 12000; plan 10000 trials at most',
    ],
    [{ users: [2, 4, 2] }, 'users[2]: 2 is written twice here; write it once'],
    [{ modes: ['noquill', 'noquill'] }, 'modes[1]: "noquill" is written twice here; write it once'],
  ])('%j', async (input, problem) => {
    expect(await problems(() => resolve(input))).toEqual([problem]);
  });

  test('a framework that needs more than npm brings runs where that can be installed', async () => {
    const known = [...frameworks, { name: 'pythonic', about: { needs: { python: '3.10' } } }];
    const on = (fleet: string) =>
      resolveExperiment({ frameworks: 'pythonic', fleet: { on: fleet } }, { frameworks: known });
    expect(on('local').frameworks).toEqual(['pythonic']);
    expect(on('compose').frameworks).toEqual(['pythonic']);
    expect(await problems(() => on('workers'))).toEqual([
      'fleet.on: "pythonic" needs Python 3.10, but the workers fleet has only the project’s own; write local or compose or fargate, or leave "pythonic" out',
    ]);
  });

  test('a trace that exists nowhere is named beside the other problems, with the one that is meant', async () => {
    expect(await problems(() => load('trace: my-trase\nusers: 0'))).toEqual([
      '1:1 trace: there is no trace "my-trase" (did you mean "my-trace"?); write one of: synthetic, my-trace; or add one: ./scriptorium traces add FILE --name my-trase',
      expect.stringContaining('2:8 users'),
    ]);
    expect(await problems(() => load('users: 2', '--trace', 'nope'))).toEqual([
      expect.stringMatching(/^--trace: there is no trace "nope"; write one of/),
    ]);
  });

  test('a sigil’s 5 keys are half of what is typed in its period, at most', async () => {
    // At 4 keys per second, 10 keys take 2.5 s.
    const typing = (sigilPeriod: string) => ({ typing: { keysPerSecond: 4, sigilPeriod } });
    expect(await problems(() => resolve(typing('2500ms')))).toEqual([]);
    expect(await problems(() => resolve(typing('2499ms')))).toEqual([
      'typing.sigilPeriod: 2499ms is too short: the 5 keys of a sigil would be more than half of those typed at 4 per second; write 2500ms or longer',
    ]);
  });

  test('people type at least a key a second in a burst, and pauses count for the density of sigils', async () => {
    const people = (typing: object) => ({ typing: { rhythm: 'human', ...typing } });
    expect(await problems(() => resolve(people({ keysPerSecond: 1, sigilPeriod: '60s' })))).toEqual([]);
    expect(await problems(() => resolve(people({ keysPerSecond: 0.9, sigilPeriod: '60s' })))).toEqual([
      expect.stringMatching(/keysPerSecond: at 0.9 keys per second a burst of 3.5 s has hardly a key; write 1 or more/),
    ]);
    // At 6 keys per second, 1.8 with all pauses, 10 keys take 5,567.9 ms.
    expect(await problems(() => resolve(people({ sigilPeriod: '5s' })))).toEqual([
      expect.stringMatching(/more than half of those typed at 1.8 per second; write 5568ms or longer/),
    ]);
  });

  test('nobody runs out of sigils', async () => {
    const input = (warmUp: string) => ({ typing: { sigilPeriod: '2s' }, durations: { warmUp } });
    // 35 min and 70 s in periods of 2 s are 1,085 sigils; an hour and 70 s would be 1,835.
    expect(resolve(input('35m')).durations.warmUpMs).toBe(2_100_000);
    expect(await problems(() => resolve(input('1h')))).toEqual([
      'typing.sigilPeriod: 2s is too short for 1 h 1 min of typing: each user has 1295 sigils of its own; write 2918ms or longer',
    ]);
  });

  test('a measured window holds one sigil period, at least', async () => {
    expect(await problems(() => load('name: x', '--measure', '10s'))).toEqual([]);
    expect(await problems(() => load('typing: {sigilPeriod: 12s}\ndurations: {measure: 10s}'))).toEqual([
      '2:13 durations.measure: a measured window of 10s is shorter than the sigil period of 12s, so latency might never be measured; write 12s or longer',
    ]);
  });

  test('documents have the time to settle that seeing them rest takes', async () => {
    // Each of two looks comes 250 ms late at most, beside two receive batches of 50 ms.
    expect(await problems(() => load('durations: {settle: 600ms}'))).toEqual([]);
    expect(await problems(() => load('users: 2', '--settle', '50ms'))).toEqual([
      '--settle: 50ms is too short to see that documents stay equal: with this network and batching that takes up to 600ms by itself, so trials would fail; write 600ms or longer',
    ]);
    const least = async (more: object) => {
      const [problem] = await problems(() => resolve({ durations: { settle: '1ms' }, ...more }));
      return /^durations.settle: .*; write (\S+) or longer$/.exec(problem!)![1];
    };
    expect(await least({ network: { oneWayDelay: '100ms' } })).toBe('1s');
    // Of two users, none is in the far group.
    const far = { share: 0.1, oneWayDelay: '1s' };
    const groups = [
      { name: 'near', share: 0.9, oneWayDelay: '0ms' },
      { name: 'far', ...far },
    ];
    expect(await least({ network: { groups } })).toBe('600ms');
    expect(await least({ network: { groups }, users: [2, 10] })).toBe('4600ms');
    expect(await least({ users: 64 })).toBe('1600ms');
    expect(await least({ users: 64, batching: { sendModes: 'node' } })).toBe('600ms');
    expect(await least({ frameworks: 'seeing', users: 8, probes: 2 })).toBe('1600ms');
  });

  test('one writer may use a framework that does not merge', () => {
    expect(resolve({ frameworks: 'loopback', users: 4, writers: 1 }).writers).toBe(1);
    expect(resolve({ frameworks: 'loopback', users: 1 }).writers).toBe('all');
  });

  test('what rests on a wrong value is not reported too', async () => {
    expect(await problems(() => resolve({ users: 'two', writers: 3 }))).toHaveLength(1);
  });
});

const installed = await discoverFrameworks();
const link = (name: string) => `https://docs.google.com/document/d/${name}/edit`;

function resolveHosted(input: object) {
  return resolveExperiment({ frameworks: 'gdocs', ...input }, { frameworks: installed });
}

describe('an experiment with gdocs', () => {
  test('takes links, one or several, and other frameworks beside it', () => {
    expect(resolveHosted({ documents: link('a') }).documents).toEqual([link('a')]);
    expect(resolveHosted({ frameworks: ['yjs', 'gdocs'], documents: [link('a'), link('b')] }).documents).toHaveLength(
      2,
    );
    expect(resolveHosted({ users: 100 }).documents).toEqual([]);
  });

  test.each([
    [{ modes: 'noquill' }, 'modes[0]: "gdocs" does not support "noquill"; it supports: optquill'],
    [
      { documents: 'https://docs.google.com/spreadsheets/d/a/edit' },
      'is no link; write https://docs.google.com/document/d/',
    ],
    [{ documents: [link('a'), link('a')] }, 'documents[1]: this document is written twice here'],
    [{ users: [2, 101] }, 'users[1]: 101 users cannot edit one document of "gdocs"; write 100 at most'],
    [{ fleet: { on: 'compose' } }, 'fleet.on: "gdocs" has no server to start on compose; write local'],
    [{ network: { oneWayDelay: '30ms' } }, 'network: the server of "gdocs" is hosted elsewhere'],
    [{ base: 'v1' }, 'base: "gdocs" is hosted elsewhere, so base and new would be the same; leave it out'],
    [{ frameworks: 'yjs', documents: link('a') }, 'documents: none of the frameworks takes a link to a document'],
  ])('%j is refused: %s', (input, sentence) => {
    expect(() => resolveHosted(input)).toThrow(sentence);
  });
});

describe('servers that somebody else runs', () => {
  const able = [{ name: 'yjs', about: { attaches: { protocol: 'y-websocket', documentIn: 'path' as const } } }];
  const on = (fleet: string, server: object) => () =>
    resolveExperiment(
      { frameworks: 'yjs', fleet: { on: fleet }, servers: [{ framework: 'yjs', ...server }] },
      { frameworks: able },
    );

  test('are reached from containers by an address that is no container’s own, and seen by their metrics', async () => {
    const server = { url: 'wss://example.org/path', metrics: 'http://10.0.0.1/metrics', token: '{env:TOKEN}' };
    expect(await problems(on('compose', server))).toEqual([]);
    expect(await problems(on('compose', { url: 'ws://localhost:1234', pid: 7 }))).toEqual([
      'servers[0].url: on compose each process has a loopback address of its own; write an address that all reach, or local',
      'servers[0].pid: it is seen from this machine alone; write metrics, or local',
    ]);
    expect(await problems(on('local', { url: 'ws://localhost:1234', pid: 7 }))).toEqual([]);
  });

  test('take each named document once, and for one version', async () => {
    const named = (write: boolean, more: object) => () =>
      resolveExperiment(
        { frameworks: 'yjs', servers: [{ framework: 'yjs', url: 'ws://localhost:1', write }], ...more },
        { frameworks: able },
      );
    const documents = ['a', 'a'];
    expect(await problems(named(false, { documents }))).toEqual([
      'documents[1]: this document is written twice here; each trial needs an empty one',
    ]);
    expect(await problems(named(true, { documents }))).toEqual([]);
    expect(await problems(named(true, { documents, base: 'v1' }))).toEqual([
      'documents: both versions would write into the same documents; leave it out, and each trial makes a fresh one',
    ]);
  });

  test('tell series by their metrics', async () => {
    expect(await problems(on('local', { url: 'ws://localhost:1', pid: 7, series: 'documents' }))).toEqual([
      'servers[0].series: series come from the server’s metrics; write their address too (metrics, --metrics)',
    ]);
  });
});
