import { expect, test } from 'vitest';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { assignmentOf } from './assignments.ts';
import { editsFor, isReplica, restMsAfter, userProcesses, usersOf, writersAmong } from './trial-users.ts';

const base = { cell: 'c', framework: 'yjs', mode: 'optquill', users: 4, trial: 1, seed: 1, directory: '' };

function experimentOf(written: object = {}) {
  return resolveExperiment({ users: 4, ...written }, { frameworks: [{ name: 'yjs', about: {} }] });
}

test('who each user is follows from the plan and from what the crowd is', () => {
  const kinds = (planned: PlannedTrial, crowd?: 'recorded' | 'live') =>
    usersOf(experimentOf(), { planned, crowd }).map(({ kind }) => kind);
  expect(kinds(base)).toEqual(['plain', 'plain', 'plain', 'plain']);
  expect(kinds({ ...base, probes: 1 }, 'recorded')).toEqual(['probe', 'played', 'played', 'played']);
  expect(kinds({ ...base, probes: 2 }, 'live')).toEqual(['probe', 'probe', 'live-crowd', 'live-crowd']);
});

test('a probe beside a played crowd keeps what it sends, a live crowd is in Node, and a played user holds no document', () => {
  const experiment = experimentOf();
  const planned = { ...base, probes: 2 };
  const assigned = (crowd: 'recorded' | 'live') =>
    usersOf(experiment, { planned, crowd }).map((user) => {
      const { mode, keepsSent } = assignmentOf(user, [], { planned, experiment, serverUrls: [''], pageUrl: '' });
      return [mode, keepsSent, isReplica(user)];
    });
  expect([assigned('recorded')[0], assigned('recorded')[2]]).toEqual([
    ['optquill', true, true],
    ['optquill', false, false],
  ]);
  expect([assigned('live')[0], assigned('live')[2]]).toEqual([
    ['optquill', false, true],
    ['node', false, true],
  ]);
});

test('the author of the start goes on at its end, the others begin all over it, and a watcher types nothing', () => {
  const authors = [[{ kind: 'key', move: 0, text: 'x' } as const]];
  const firstMoves = (planned: PlannedTrial, crowd?: 'recorded') =>
    usersOf(experimentOf({ writers: 3 }), { planned, crowd }).map(
      (user) => editsFor(user, { authors, startText: 'x'.repeat(100) })[0]?.move,
    );
  expect(firstMoves(base)).toEqual([0, 61, 23, undefined]);
  expect(firstMoves({ ...base, probes: 2 }, 'recorded')).toEqual([0, 61, 0, undefined]);
  expect(writersAmong(usersOf(experimentOf({ writers: 3 }), { planned: base }))).toBe(3);
});

test('documents rest as long as a message may be under way', () => {
  const experiment = experimentOf({ network: { oneWayDelay: '300ms' }, batching: { receive: '50ms' } });
  expect(restMsAfter(usersOf(experiment, { planned: base }), experiment)).toBe(650);
  const played = usersOf(experiment, { planned: { ...base, probes: 1 }, crowd: 'recorded' });
  expect(restMsAfter(played, experiment)).toBe(1350);
});

test('agents and readers come after the users, in Node and at the server, and all sockets are one member', () => {
  const experiment = experimentOf({ network: { oneWayDelay: '30ms' } });
  const planned = { ...base, agents: '2-stream', readers: 10 };
  const company = usersOf(experiment, { planned }).slice(4);
  expect(company.map(({ number, kind, farMs }) => [number, kind, farMs])).toEqual([
    ...[
      [4, 'agent', 0],
      [5, 'agent', 0],
    ],
    ...[
      [6, 'reader', 0],
      [7, 'reader', 0],
      [8, 'audience', 0],
    ],
  ]);
  const context = { planned: { ...planned, presence: true as const }, experiment, serverUrls: [''], pageUrl: '' };
  const assigned = company.map((user) => assignmentOf(user, editsFor(user, { authors: [], startText: '' }), context));
  expect(
    assigned.map(({ mode, agent, readers, writes, presence }) => [mode, agent, readers?.count, writes, !!presence]),
  ).toEqual([
    ['node', 'stream', undefined, true, true],
    ['node', 'stream', undefined, true, true],
    ['node', undefined, undefined, false, false],
    ['node', undefined, undefined, false, false],
    ['optquill', undefined, 8, false, true],
  ]);
  expect(company.map(isReplica)).toEqual([true, true, true, true, false]);
  expect(writersAmong(usersOf(experiment, { planned }))).toBe(4);
  const hosts = userProcesses({ planned, experiment, show: false });
  expect(
    hosts.map(({ name, mode, users }) => [name, mode, users]).filter(([, mode]) => mode === 'node').length,
  ).toBeGreaterThan(0);
  expect(hosts.filter(({ arguments: flags }) => flags.includes('--load')).length).toBeGreaterThan(0);
  expect(hosts.some(({ arguments: flags }) => flags.includes('--crowd'))).toBe(false);
  const crowd = { kind: 'live' as const };
  const beside = userProcesses({ planned: { ...planned, probes: 2 }, experiment, crowd, show: false });
  // Agents and readers have the library as it comes.
  const patched = beside.filter(({ arguments: flags }) => flags.includes('--crowd'));
  expect(patched.every(({ arguments: flags }) => flags.includes('--load'))).toBe(true);
  // In one process or two, by the machine's cores.
  expect(patched.flatMap(({ users }) => users.match(/\d+/g)!)).toEqual(['2', '3']);
  expect(hosts.at(-1)).toMatchObject({ name: 'audience', arguments: ['--first', '8', '--users', '1'] });
});

test('a page is slowed down where its user’s group says so, if the user has a page', () => {
  const slow = { oneWayDelay: '0ms', cpuSlowdown: 4 };
  const groups = [
    { name: 'desks', share: 0.5, oneWayDelay: '0ms' },
    { name: 'phones', share: 0.5, ...slow },
  ];
  const experiment = experimentOf({ network: { groups } });
  const slowdowns = (planned: PlannedTrial, crowd?: 'live') =>
    usersOf(experiment, { planned, crowd }).map(
      (user) => assignmentOf(user, [], { planned, experiment, serverUrls: [''], pageUrl: '' }).cpuSlowdown,
    );
  expect(slowdowns(base)).toEqual([undefined, 4, undefined, 4]);
  expect(slowdowns({ ...base, probes: 2 }, 'live')).toEqual([undefined, 4, undefined, undefined]);
});
