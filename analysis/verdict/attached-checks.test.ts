/** The limit of a trial at a server that somebody else runs: the way there, or the server. */
import { expect } from 'vitest';
import type { RecordLine } from '../../results/formats/records.ts';
import { test } from '../test-data/at-once.ts';
import { at, type HandMadeTrial, resources, sent, shown } from '../test-data/hand-made-trial.ts';
import { judged, settled, soundTrial, user } from '../test-data/sound-trial.ts';

const LATENCY_MS = 100;
const MARKERS = Array.from({ length: 5 }, (_, count) => ({ sigil: `00@${count}0`, sentMs: 11_000 + 1000 * count }));
const LIMITS = ['way-long', 'server-full'];

const attached = (given: Partial<HandMadeTrial>): HandMadeTrial =>
  soundTrial({
    users: [
      user(settled, ...MARKERS.map(({ sigil, sentMs }) => sent(sigil, sentMs))),
      user(settled, ...MARKERS.map(({ sigil, sentMs }) => shown(sigil, sentMs + LATENCY_MS))),
    ],
    backing: { document: 'fresh' },
    ...given,
  });
const limitsIn = async (given: Partial<HandMadeTrial>) => {
  const { verdict, notes } = await judged(attached(given));
  expect(verdict).toBe('valid');
  return notes.filter(({ code }) => LIMITS.includes(code));
};

test('a way that takes half of the latency or more is told', async () => {
  const [near, far, beyond, unknown] = await Promise.all([
    limitsIn({ handshakeMs: 49 }),
    limitsIn({ handshakeMs: 60 }),
    limitsIn({ handshakeMs: 120 }),
    limitsIn({}),
  ]);
  expect(far).toEqual([
    { code: 'way-long', message: expect.stringMatching(/60\.0 ms or more, 60 % of the median .*\(100\.0 ms\)/) },
  ]);
  // Such a figure tells that something is wrong.
  expect(beyond).toMatchObject([{ message: expect.stringContaining('120 % of the median') }]);
  expect([near, unknown]).toEqual([[], []]);
});

test('a server that has no time left is told, if somebody else runs it', async () => {
  const cpu = (percent: number) =>
    [0, 100 * percent].map((cpuMs, index) => resources('server', 10_000 * (index + 1), { cpuMs, memoryBytes: null }));
  const late = (ms: number): RecordLine => ({ type: 'loop-delay', atMs: at(15_000), delays: [[392, 0.5], [8, ms]] }); // biome-ignore format: in pairs
  const [calm, full, slow, own] = await Promise.all([
    limitsIn({ server: [...cpu(60), late(20)] }),
    limitsIn({ server: cpu(97) }),
    limitsIn({ server: [...cpu(60), late(150)] }),
    limitsIn({ server: cpu(97), backing: undefined }),
  ]);
  expect([calm, own]).toEqual([[], []]);
  expect(full).toMatchObject([
    { code: 'server-full', message: expect.stringContaining('(took 97 % of a core), so it may be the limit') },
  ]);
  expect(slow).toMatchObject([
    { code: 'server-full', message: expect.stringMatching(/came 150 ms late .*, so it is the limit/) },
  ]);
});
