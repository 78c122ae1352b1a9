import { expect, test } from 'vitest';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { AskedFaults } from './fault-schedule.ts';
import type { Member } from './coordinator.ts';
import type { MessageOf } from './protocol.ts';

const RESTART = { at: '30s', server: 'restart', downFor: '5s' };
const CUT = { at: '40s', network: 'cut', group: 'far', for: '20s' };
const SLOW = { at: '1m', network: 'slow', for: '1s', bandwidth: '64kbit/s' };
const OFFLINE = { at: '1s', users: 2, go: 'offline', for: '2s' };

function asked(...faults: object[]) {
  const groups = [
    { name: 'near', share: 0.5, oneWayDelay: '10ms' },
    { name: 'far', share: 0.5, oneWayDelay: '50ms', jitter: '5ms' },
  ];
  const experiment = resolveExperiment(
    { users: 4, network: { groups }, faults },
    { frameworks: [{ name: 'yjs', about: {} }] },
  );
  return new AskedFaults({ experiment, planned: { users: 4 } });
}

/** A server that is ordered to restart, and says of each what is given. */
function server(told: MessageOf<'restarted'>[]) {
  const sent: unknown[] = [];
  const member = {
    role: 'server',
    user: null,
    send: (message) => sent.push(message),
    expect: (async () => told.shift() ?? new Promise(() => {})) as unknown as Member['expect'],
  } satisfies Member;
  return { member, sent };
}

const never = new AbortController().signal;

test('each user is told whether its own line is to fail, and that all bear faults', () => {
  const faults = asked(RESTART, CUT);
  expect([0, 1, 2, 3].map((user) => faults.announcedTo(user).lineFails)).toEqual([false, true, false, true]);
  expect(faults.announcedTo(0).bearsFaults).toBe(true);
  expect(asked().announcedTo(0)).toEqual({});
});

test('orders stand on the coordinator’s clock, from when typing begins', () => {
  const faults = asked(RESTART, CUT, SLOW, OFFLINE);
  faults.beginAt(1000);
  const slow = (oneWayDelayMs: number, jitterMs: number) => ({
    fault: { kind: 'slow', link: { oneWayDelayMs, jitterMs, bandwidthBytesPerSecond: 8000 } },
    fromMs: 61_000,
    untilMs: 62_000,
  });
  // What the fault does not say of the link stays as it is.
  expect(faults.ordersFor(0)).toEqual([slow(10, 0), { fault: { kind: 'offline' }, fromMs: 2000, untilMs: 4000 }]);
  expect(faults.ordersFor(3)).toEqual([{ fault: { kind: 'cut' }, fromMs: 41_000, untilMs: 61_000 }, slow(50, 5)]);
});

test('what became of each is recorded once, with what the server told', async () => {
  const faults = asked(RESTART, OFFLINE, CUT);
  expect(faults.restartServer).toBe(true);
  faults.beginAt(1000);
  const { member, sent } = server([{ type: 'restarted', fault: 0, beganMs: 31_002, endedMs: 36_500 }]);
  await faults.follow(member, never);
  expect(sent).toEqual([{ type: 'restarts', restarts: [{ fault: 0, fromMs: 31_000, untilMs: 36_000 }] }]);
  const line = { type: 'asked-fault' as const };
  expect(faults.tell(40_000)).toEqual([
    { ...line, fault: 0, kind: 'server-restart', beganMs: 31_002, endedMs: 36_500, users: [] },
    { ...line, fault: 1, kind: 'offline', beganMs: 2000, endedMs: 4000, users: [0, 1] },
  ]);
  expect(faults.tell(99_000)).toEqual([]);
});

test('a fault that has not ended when the trial does never ended, and nothing is told before typing began', () => {
  const faults = asked(RESTART, CUT);
  expect(faults.tell(5)).toEqual([]);
  faults.beginAt(0);
  expect(faults.tell(45_000)).toEqual([
    { type: 'asked-fault', fault: 0, kind: 'server-restart', beganMs: 30_000, endedMs: null, users: [] },
    { type: 'asked-fault', fault: 1, kind: 'network-cut', beganMs: 40_000, endedMs: null, users: [1, 3] },
  ]);
});
