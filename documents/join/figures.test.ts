import { expect, test } from 'vitest';
import { toldIn } from '../test-data/told-in.ts';
import { type JoinOutcome, linesOf } from './figures.ts';
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
