import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONCURRENT_EDIT_MS } from '../../analysis/figures/criterion.ts';
import type { Batching, FrameworkClient } from '../../editors/base/framework.ts';
import { webSocketOf } from '../../infra/virtual/client-socket.ts';
import { createVirtualClock } from '../../infra/virtual/clock.ts';
import { VirtualNetwork } from '../../infra/virtual/network.ts';
import type { FrameworkServer } from '../../servers/server.ts';
import type { Typing } from '../experiment/experiment.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { makePlan } from '../experiment/plan.ts';
import { assignmentOf } from '../trial/assignments.ts';
import { usersOf } from '../trial/trial-users.ts';
import { createInbox } from './inbox.ts';
import { SIGIL_LOOK_MS, TAKE_IN_MS } from './simulated-user.ts';
import { simulateCrowd } from './simulation.ts';

const USERS = 2;
const TELL_PERIOD_MS = 20;
const TYPING_MS = 20_000;
const KEYS_PER_SECOND = 6;
const SIGIL_PERIOD_MS = 2000;

interface Given {
  characters: number;
  namesNeighboursOnly: boolean;
  rhythm?: Typing['rhythm'];
  typingMs?: number;
}

/** By how much each key of a user, all at one place, follows the last message that it read, as the server sends them all the time; and the user's recorded frames. */
async function simulated({ characters, namesNeighboursOnly, rhythm = 'jittered', typingMs = TYPING_MS }: Given) {
  const clock = createVirtualClock();
  const network = new VirtualNetwork(clock);
  const Socket = webSocketOf(() => network);
  const lagsMs: number[] = [];
  const client: FrameworkClient = {
    async join({ url, editor }) {
      editor.setContents([{ insert: `${'x'.repeat(characters - 1)}\n` }], 'silent');
      let readMs = 0;
      const socket = new Socket(url);
      socket.onmessage = () => {
        readMs = clock.nowMs();
      };
      await new Promise((resolve) => {
        socket.onopen = resolve;
      });
      editor.on('editor-change', (name, ...details) => {
        if (name !== 'text-change' || details[2] !== 'user') return;
        lagsMs.push(clock.nowMs() - readMs);
        socket.send('key');
      });
      return {
        contents: () => editor.getContents(),
        save: () => new Uint8Array(),
        async leave() {
          socket.send('bye');
          socket.close();
        },
      };
    },
  };
  const server: FrameworkServer = {
    serve(connections) {
      connections.on('connection', (socket) => {
        const tell = () => {
          socket.send('news');
          clock.after(TELL_PERIOD_MS, tell);
        };
        tell();
      });
      return null;
    },
    start: () => Promise.reject(new Error('nobody asks for it')),
  };
  const experiment = resolveExperiment(
    {
      frameworks: 'fake',
      users: USERS,
      typing: {
        keysPerSecond: KEYS_PER_SECOND,
        rhythm,
        sigilPeriod: `${SIGIL_PERIOD_MS}ms`,
        formatOdds: { inline: 0, range: 0, block: 0 },
      },
      batching: { receive: '0s', send: '0s' },
    },
    { frameworks: [{ name: 'fake', about: {} }] },
  );
  const context = { experiment, planned: makePlan(experiment)[0]!, serverUrls: ['ws://crowd'], pageUrl: '' };
  const [user] = usersOf(experiment, context);
  const assignment = assignmentOf(user!, [{ kind: 'key', move: 0, text: 'a' }], context);
  const { users } = await simulateCrowd({
    clients: [client],
    server,
    crowd: { kind: 'recorded', why: 'a test', namesNeighboursOnly },
    clock,
    network,
    assignments: [assignment],
    startText: '',
    typingMs,
    onProgress: () => {},
  });
  return { lagsMs, frames: users[0]!.frames };
}

test('what a key may depend on is read before it: the later, the more room each user has, but what breaks a sigil in time', async () => {
  const longest = async (characters: number, namesNeighboursOnly = true) =>
    Math.max(...(await simulated({ characters, namesNeighboursOnly })).lagsMs);
  const all = await longest(100_000, false);
  expect(all).toBeLessThanOrEqual(2 * TELL_PERIOD_MS);
  const some = await longest(2);
  expect(some).toBeGreaterThan(all);
  expect(some).toBeLessThan(SIGIL_LOOK_MS / 2);
  const few = await longest(100_000);
  expect(few).toBeGreaterThan(some);
  expect(few).toBeLessThan(SIGIL_LOOK_MS + 2 * SIGIL_PERIOD_MS);
  expect(SIGIL_LOOK_MS).toBeLessThan(CONCURRENT_EDIT_MS);
});

test('a recording ends with the typing: what leaving sends would end the connection of all in a replay', async () => {
  const { lagsMs, frames } = await simulated({ characters: 2, namesNeighboursOnly: true });
  expect(frames.map(({ frame }) => frame)).toEqual(lagsMs.map(() => 'key'));
});

test('a key that falls due right before the end is typed, though its user takes in what came until after it', async () => {
  const keys = 12;
  const lastMs = (1000 * keys) / KEYS_PER_SECOND;
  const { frames } = await simulated({
    characters: 2,
    namesNeighboursOnly: false,
    // User 0's key k is due k intervals after the start.
    rhythm: 'regular',
    typingMs: lastMs + TAKE_IN_MS / 2,
  });
  expect(frames).toHaveLength(keys + 1);
  expect(frames.at(-1)!.dueMs).toBeCloseTo(lastMs + TAKE_IN_MS, 6);
});

/** The items that a client has applied at each of some moments if it follows its receive batches all along. */
function appliedLive(arrivals: readonly number[], moments: readonly number[], { receiveMs, receivePhaseMs }: Batching) {
  const appliedMs: number[] = [];
  let endsMs = Number.NEGATIVE_INFINITY;
  for (const atMs of arrivals) {
    if (receiveMs === 0) endsMs = atMs;
    else if (receivePhaseMs === undefined) endsMs = atMs < endsMs ? endsMs : atMs + receiveMs;
    else endsMs = receivePhaseMs + (Math.floor((atMs - receivePhaseMs) / receiveMs) + 1) * receiveMs;
    appliedMs.push(endsMs);
  }
  return moments.map((moment) => appliedMs.filter((ms) => ms <= moment).length);
}

test('at each key there is what receive batches would have brought by then, in order', () => {
  const rhythms: Batching[] = [
    { receiveMs: 50, receivePhaseMs: 17, sendMs: 0 },
    { receiveMs: 50, sendMs: 0 },
    { receiveMs: 0, sendMs: 0 },
  ];
  // Quarters, so that nothing falls on the very moment of a key.
  const times = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(times, times, fc.constantFrom(...rhythms), (some, others, batching) => {
      const arrivals = some.map((ms) => ms + 0.25).sort((a, b) => a - b);
      const keys = others.map((ms) => ms + 0.5).sort((a, b) => a - b);
      const inbox = createInbox(batching);
      const delivered: number[] = [];
      let added = 0;
      const counts = keys.map((keyMs) => {
        for (; added < arrivals.length && arrivals[added]! <= keyMs; added++) {
          const number = added;
          inbox.add(arrivals[number]!, () => delivered.push(number));
        }
        inbox.deliverBy(keyMs);
        return delivered.length;
      });
      expect(counts).toEqual(appliedLive(arrivals, keys, batching));
      expect(delivered).toEqual([...delivered.keys()]);
    }),
  );
});
