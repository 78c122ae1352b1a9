import { expect, test } from 'vitest';
import { type ServerSample, together } from './server-sample.ts';

const ONE: ServerSample = {
  atMs: 10,
  traffic: { atMs: 9, sentBytes: 100, receivedBytes: 10 },
  cpuMs: 5,
  waitedMs: 1,
  memoryBytes: null,
  gateCpuMs: null,
  delays: [
    [2, 0.5],
    [1, 3],
  ],
  serverWrittenBytes: 7,
};

test('the sample of one server is its own', () => {
  expect(together([ONE])).toBe(ONE);
});

test('several count as one: sums, delays in their groups, and nothing of what one does not tell', () => {
  const other: ServerSample = { ...ONE, traffic: { atMs: 8, sentBytes: 1, receivedBytes: 2 }, waitedMs: null };
  expect(together([ONE, { ...other, cpuMs: 2, delays: [[4, 0.5]] }])).toEqual({
    atMs: 10,
    traffic: { atMs: 8, sentBytes: 101, receivedBytes: 12 },
    cpuMs: 7,
    waitedMs: null,
    memoryBytes: null,
    gateCpuMs: null,
    delays: [
      [6, 0.5],
      [1, 3],
    ],
    serverWrittenBytes: 14,
  });
  expect(together([ONE, { ...ONE, delays: null }]).delays).toBeNull();
  // Users' traffic alone.
  const between = { sentBytes: 40, receivedBytes: 20 };
  expect(together([ONE, ONE], between).traffic).toMatchObject({ sentBytes: 160, receivedBytes: 0 });
});
