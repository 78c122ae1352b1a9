import { describe, expect, test } from 'vitest';
import type { Hosting } from '../../../editors/base/framework.ts';
import { resolveExperiment } from '../experiment-file.ts';
import { formatPlan, makePlan } from '../plan.ts';
import { frameworks, load, problems } from '../test-data/resolving.ts';

const hosted: Hosting = {
  driver: 'none',
  linkForm: 'a link',
  isLink: () => true,
  joinPeriodMs: 0,
  readingLimitMs: 0,
  mostUsers: 9,
};
const resolve = (input: unknown) =>
  resolveExperiment(input, {
    frameworks: [
      ...frameworks,
      { name: 'service', about: { hosted } },
      { name: 'played', about: { crowd: { kind: 'recorded', why: 'It may.' } } },
    ],
  });

const GROUPS = [
  { name: 'near', share: 0.5, oneWayDelay: '10ms' },
  { name: 'far', share: 0.5, oneWayDelay: '50ms', bandwidth: '1Mbit/s' },
];
const KINDS =
  '"server: restart", "server: pause", "server: roll", "server: apart", "store: restart", "broker: restart", "network: cut", "network: slow", "go: offline"';

test('each kind of fault, as it is written and as it reads', () => {
  const { faults, ...experiment } = resolve({
    users: 4,
    servers: 2,
    network: { groups: GROUPS },
    faults: [
      { at: '30s', server: 'restart', downFor: '5s' },
      { at: '40s', server: 'pause', which: 2, for: '2s' },
      { at: '30s', network: 'cut', group: 'far', for: '20s' },
      { at: '1m', network: 'slow', for: '20s', oneWayDelay: '500ms', jitter: '50ms', bandwidth: '64kbit/s' },
      { at: '2m', users: 2, go: 'offline', for: '30s' },
    ],
  });
  expect(faults).toEqual([
    { kind: 'server-restart', atMs: 30_000, forMs: 5000, which: null },
    { kind: 'server-pause', atMs: 40_000, forMs: 2000, which: 1 },
    { kind: 'network-cut', atMs: 30_000, forMs: 20_000, group: 'far' },
    {
      kind: 'network-slow',
      atMs: 60_000,
      forMs: 20_000,
      group: null,
      change: { oneWayDelayMs: 500, jitterMs: 50, bandwidthBytesPerSecond: 8000 },
    },
    { kind: 'offline', atMs: 120_000, forMs: 30_000, users: 2 },
  ]);
  const all = { ...experiment, faults };
  const lines = formatPlan(all, makePlan(all), []).split('\n');
  expect(lines.filter((line) => line.startsWith('fault'))).toEqual([
    'fault at 30s: the server ends, and starts anew 5s later',
    'fault at 40s: server 2 stands still for 2s',
    'fault at 30s: the network of the users "far" is cut for 20s',
    'fault at 1m: the network of everyone is slow for 20s: 500ms each way, ± 50ms, 64kbit/s',
    'fault at 2m: 2 users go offline for 30s',
  ]);
});

describe('what no fault can be', () => {
  test.each([
    [
      { at: '1s', for: '1s' },
      `faults[0].at: a fault is one thing, and this one is none or several; write one of ${KINDS}`,
    ],
    [
      { at: '1s', server: 'restart', network: 'cut', for: '1s' },
      `faults[0].at: a fault is one thing, and this one is none or several; write one of ${KINDS}`,
    ],
    [
      { at: '1s', server: 'restart' },
      'faults[0].downFor: the fault "server: restart" needs "downFor", which is missing; write a duration such as 500ms, 10s or 5m, longer than 0',
    ],
    [
      { at: '1s', server: 'restart', downFor: '1s', group: 'far' },
      'faults[0].group: "server: restart" does not take it; leave it out',
    ],
    [
      { at: '1s', go: 'offline', for: '1s' },
      'faults[0].users: the fault "go: offline" needs "users", which is missing; write a whole number from 1 on',
    ],
    [
      { at: '1s', network: 'cut', for: '1s', oneWayDelay: '1s' },
      'faults[0].oneWayDelay: "network: cut" does not take it; leave it out',
    ],
    [
      { at: '1s', network: 'slow', for: '1s' },
      'faults[0].network: "network: slow" takes at least one of oneWayDelay, jitter and bandwidth; write one',
    ],
    [
      { at: '1s', network: 'slow', for: '1s', oneWayDelay: '1ms', jitter: '2ms' },
      'faults[0].jitter: 2ms either way is more than the delay of 1ms; write 1ms or less',
    ],
    [{ server: 'restart', downFor: '1s' }, expect.stringContaining('faults[0].at: "at" is missing')],
    [{ at: '1s', server: 'stop', downFor: '1s' }, expect.stringContaining('faults[0].server: "stop" is not valid')],
  ])('%j', async (fault, problem) => {
    expect(await problems(() => resolve({ faults: [fault] }))).toEqual([problem]);
  });

  test.each([
    [
      { durations: { warmUp: '5s', measure: '30s' }, faults: { at: '30s', server: 'restart', downFor: '5s' } },
      'faults[0].at: it would be over 35s after typing began; users type for 35s until the measured window ends, and it must be over 5s before, by 30s',
    ],
    [
      {
        faults: [
          { at: '30s', server: 'restart', downFor: '5s' },
          { at: '20s', server: 'restart', downFor: '11s' },
        ],
      },
      'faults[0].at: servers bear one fault at a time, and the one before lasts until 31s; write a later time',
    ],
    [
      { network: { groups: GROUPS }, faults: { at: '1s', network: 'cut', group: 'fat', for: '1s' } },
      'faults[0].group: no group of the network is named "fat"; write one of "near", "far", or null for everyone',
    ],
    [
      { users: [4, 1], network: { groups: GROUPS }, faults: { at: '1s', network: 'cut', group: 'far', for: '1s' } },
      'faults[0].group: none of the 1 users of the smallest cell is in the group "far"',
    ],
    [
      { users: [8, 4], writers: 3, faults: { at: '1s', users: 4, go: 'offline', for: '1s' } },
      'faults[0].users: 4 users are more than the 3 of the smallest cell who are live and type; write 3 at most',
    ],
    [
      { frameworks: 'service', faults: { at: '1s', server: 'restart', downFor: '1s' } },
      expect.stringMatching(/^faults: "service" is somebody else's service: neither its server nor the way to it/),
    ],
    [
      { frameworks: 'played', users: 8, probes: 2, faults: { at: '1s', server: 'restart', downFor: '1s' } },
      'faults: the crowd of "played" is played from a recording, and cannot come back to a server that it lost; leave the faults out, or write "probes: all"',
    ],
    [
      { frameworks: 'played', users: 8, probes: 2, base: 'v1' },
      'base: the crowd of "played" is played from a recording of this version, also to the base; write "probes: all"',
    ],
  ])('%j', async (input, problem) => {
    expect(await problems(() => resolve(input))).toEqual([problem]);
  });

  test('a live crowd may have them', () => {
    const input = { users: 8, probes: 2, faults: { at: '1s', users: 2, go: 'offline', for: '1s' } };
    expect(resolve(input).faults).toHaveLength(1);
  });

  test('documents by themselves know none', async () => {
    const text = 'scenario: replay\nfaults: []';
    expect(await problems(() => load(text))).toEqual([
      expect.stringContaining('2:1 faults: there is no such property'),
    ]);
  });
});
