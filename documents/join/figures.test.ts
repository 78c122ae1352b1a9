import { expect, test } from 'vitest';
import { toldIn } from '../test-data/told-in.ts';
import { cpuMsBetween, type JoinOutcome, linesOf, loadPercentsOf } from './figures.ts';
import type { JoinMarks } from './page/newcomer.ts';

function joined(typableMs: number, serverCpuMs: number | null = 1): JoinOutcome['joins'][number] {
  const marks: JoinMarks = {
    ...{ firstTextMs: typableMs / 4, wholeMs: typableMs / 2, typableMs, caughtUpMs: 2 * typableMs },
    ...{ receivedBytes: 2048, sentBytes: 512, blockedMs: 0, length: 10 },
  };
  return { marks, serverCpuMs };
}

const OUTCOME: JoinOutcome = {
  joins: [joined(80), joined(40), joined(400)],
  loadPercents: null,
  serverMemoryBytes: 50 * 2 ** 20,
  keys: { due: 100, typed: 100 },
  pageErrors: [],
};

test('a trial has the medians of its newcomers, and the slowest of them', () => {
  expect(toldIn(linesOf(OUTCOME)).figures).toEqual({
    'firstTextMs.p50': 20,
    'wholeMs.p50': 40,
    'typableMs.p50': 80,
    'typableMs.worst': 400,
    'caughtUpMs.p50': 160,
    receivedKiB: 2,
    sentKiB: 0.5,
    'blockedMs.p50': 0,
    'serverCpuMs.p50': 1,
    serverMemoryMiB: 50,
    typedPercent: 100,
  });
});

test('of twenty newcomers there is a 95th percentile, of many documents the load of their server', () => {
  const joins = Array.from({ length: 21 }, (_, index) => joined(100 + index, null));
  const unknown = { serverMemoryBytes: null, keys: { due: 0, typed: 0 } };
  const { figures } = toldIn(linesOf({ ...OUTCOME, joins, loadPercents: [20, 30], ...unknown }));
  expect(figures).toMatchObject({ 'typableMs.p95': 119, serverCpuPercent: 50, busiestServerPercent: 30 });
  for (const name of ['serverCpuMs.p50', 'serverMemoryMiB', 'typedPercent']) expect(figures).not.toHaveProperty(name);
});

test('who typed less than was asked, and errors of pages, are noted', () => {
  const notes = linesOf({ ...OUTCOME, keys: { due: 100, typed: 60 }, pageErrors: ['Oh', 'no'] }).filter(
    (line) => line.type === 'note',
  );
  expect(notes.map(({ code }) => code)).toEqual(['typed-less', 'page-errors']);
  expect(notes[0]!.message).toContain('60 %');
  expect(notes[1]!.message).toContain('2 errors, the first: Oh');
});

test('a server’s CPU that the system does not tell is no figure, and never 0', () => {
  expect(cpuMsBetween([10, 20], [15, 40])).toBe(25);
  expect(cpuMsBetween([10, null], [15, 40])).toBeNull();
  expect(cpuMsBetween([10, 20], [null, 40])).toBeNull();
  expect(loadPercentsOf({ before: [10, 20], after: [15, 40], passedMs: 50 })).toEqual([10, 40]);
  expect(loadPercentsOf({ before: [10, 20], after: [15, null], passedMs: 50 })).toBeNull();
  expect(loadPercentsOf({ before: [null, 20], after: [15, 40], passedMs: 50 })).toBeNull();
  const unknown = {
    joins: [joined(80, null)],
    loadPercents: loadPercentsOf({ before: [null], after: [null], passedMs: 1 }),
  };
  const { figures } = toldIn(linesOf({ ...OUTCOME, ...unknown }));
  for (const name of ['serverCpuMs.p50', 'serverCpuPercent', 'busiestServerPercent'])
    expect(figures).not.toHaveProperty(name);
});
