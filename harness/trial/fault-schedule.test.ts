import { expect, test } from 'vitest';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { makePlan } from '../experiment/plan.ts';
import { FaultLog, faultsFor, serverFaultsIn } from './fault-schedule.ts';
import type { Member } from './member.ts';
import type { MessageOf } from './protocol.ts';
import { usersOf } from './trial-users.ts';

const RESTART = { at: '30s', server: 'restart', downFor: '5s' };
const CUT = { at: '40s', network: 'cut', group: 'far', for: '20s' };
const SLOW = { at: '1m', network: 'slow', for: '1s', bandwidth: '64kbit/s' };
const OFFLINE = { at: '1s', users: 2, go: 'offline', for: '2s' };
const PAUSE = { at: '50s', server: 'pause', which: 2, for: '2s' };

function asked(...written: object[]) {
  return askedOf({}, ...written);
}

function askedOf(more: object, ...written: object[]) {
  const groups = [
    { name: 'near', share: 0.5, oneWayDelay: '10ms' },
    { name: 'far', share: 0.5, oneWayDelay: '50ms', jitter: '5ms' },
  ];
  const experiment = resolveExperiment(
    { users: 4, network: { groups }, faults: written, ...more },
    { frameworks: [{ name: 'yjs', about: {} }] },
  );
  const planned = makePlan(experiment)[0]!;
  const users = usersOf(experiment, { planned });
  const { faults } = experiment;
  return {
    faults,
    partOf: (user: number) => faultsFor(users[user]!, faults),
    log: new FaultLog(experiment, users, planned.servers),
  };
}

/** Servers that report these faults. */
function server(reports: MessageOf<'server-fault'>[]): Member {
  const expectReport = (async () => reports.shift() ?? new Promise(() => {})) as unknown as Member['expect'];
  return { role: 'server', user: null, send: () => {}, hasSaid: () => false, expect: expectReport };
}

const never = new AbortController().signal;

test('each user knows of all faults, and what becomes of its own line', () => {
  const { partOf } = asked(RESTART, CUT);
  const restart = { atMs: 30_000, forMs: 5000, line: null };
  const cut = { atMs: 40_000, forMs: 20_000 };
  expect(partOf(0)).toEqual([restart, { ...cut, line: null }]);
  expect(partOf(1)).toEqual([restart, { ...cut, line: { kind: 'cut' } }]);
  expect(partOf(3)).toEqual(partOf(1));
  expect(asked().partOf(0)).toEqual([]);
});

test('a slow line keeps what the fault does not say of it', () => {
  const { partOf } = asked(SLOW, OFFLINE);
  const slow = (oneWayDelayMs: number, jitterMs: number) => ({
    ...{ atMs: 60_000, forMs: 1000 },
    line: { kind: 'slow', link: { oneWayDelayMs, jitterMs, bandwidthBytesPerSecond: 8000 } },
  });
  const offline = { atMs: 1000, forMs: 2000 };
  expect(partOf(0)).toEqual([slow(10, 0), { ...offline, line: { kind: 'offline' } }]);
  expect(partOf(3)).toEqual([slow(50, 5), { ...offline, line: null }]);
});

test('the servers know of their faults, by their places in the list', () => {
  expect(serverFaultsIn(askedOf({ servers: 2 }, OFFLINE, RESTART, PAUSE).faults)).toEqual([
    { fault: 1, kind: 'server-restart', which: null, atMs: 30_000, forMs: 5000 },
    { fault: 2, kind: 'server-pause', which: 1, atMs: 50_000, forMs: 2000 },
  ]);
});

test('what became of each is recorded once, with what the server reported', async () => {
  const { log } = asked(RESTART, OFFLINE, CUT);
  await log.follow(server([{ type: 'server-fault', fault: 0, beganMs: 31_002, endedMs: 36_500 }]), never);
  const line = { type: 'asked-fault' as const };
  expect(log.lines({ startMs: 1000, nowMs: 40_000 })).toEqual([
    { ...line, fault: 0, kind: 'server-restart', beganMs: 31_002, endedMs: 36_500, users: [] },
    { ...line, fault: 1, kind: 'offline', beganMs: 2000, endedMs: 4000, users: [0, 1] },
  ]);
  expect(log.lines({ startMs: 1000, nowMs: 99_000 })).toEqual([]);
});

test('a fault that has not ended when the trial does never ended', () => {
  expect(asked(RESTART, CUT).log.lines({ startMs: 0, nowMs: 45_000 })).toEqual([
    { type: 'asked-fault', fault: 0, kind: 'server-restart', beganMs: 30_000, endedMs: null, users: [] },
    { type: 'asked-fault', fault: 1, kind: 'network-cut', beganMs: 40_000, endedMs: null, users: [1, 3] },
  ]);
});

test('a fault of one of several servers strikes its users alone, wherever they are', async () => {
  const struckBy = (more: object, fault: object) =>
    askedOf({ users: 5, ...more }, fault)
      .log.lines({ startMs: 0, nowMs: 99_000 })
      .map(({ server: which, users }) => [which, users]);
  expect(struckBy({ servers: 2 }, PAUSE)).toEqual([[1, [1, 3]]]);
  expect(struckBy({ servers: 3 }, PAUSE)).toEqual([[1, [1, 4]]]);
  expect(struckBy({ servers: 3, affinity: 'document' }, { ...PAUSE, which: 1 })).toEqual([[0, [0, 1, 2, 3, 4]]]);
  // All at once: nobody is named.
  expect(struckBy({ servers: 3 }, RESTART)).toEqual([[undefined, []]]);
  expect(struckBy({ servers: 3 }, { at: '1s', server: 'roll', downFor: '1s' })).toEqual([[undefined, []]]);
});
