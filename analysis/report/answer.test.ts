import { expect, test } from 'vitest';
import type { CellSummary } from '../../results/formats/summary.ts';
import type { TypingCell } from '../scenarios/cell.ts';
import { cellOf } from '../test-data/written-cell.ts';
import { answerOf } from './answer.ts';

const cell = (framework: string, p50: number | null, judged: Partial<CellSummary> = {}) =>
  cellOf({
    ...{ framework, mode: 'optquill', users: 4, fullyFunctional: true, smooth: true },
    ...{ endToEndLatencyMs: { p50, p95: null, p99: null, samples: 0 }, ...judged },
  });

const WAY = 'from key to the others’ screens (median)';

test.each<[string, TypingCell[], string[]]>([
  ['one, once', [cell('yjs', 39, { validTrials: 1 })], [`With 4 users, in one trial, yjs is smooth: 39 ms ${WAY}.`]],
  ['one', [cell('yjs', 39.4)], [`With 4 users yjs is smooth: 39 ms ${WAY}.`]],
  ['two alike', [cell('yjs', 39), cell('loro', 57)], [`With 4 users both are smooth: yjs 39 ms, loro 57 ms ${WAY}.`]],
  [
    'unlike ones, best first',
    [
      cell('slow', 900, { fullyFunctional: false, smooth: false }),
      cell('a', 10, { smooth: false }),
      cell('b', 20),
      cell('c', null, { fullyFunctional: null, smooth: null }),
    ],
    [
      `With 4 users b is smooth; a is fully functional, but not smooth; slow is not fully functional; c is valid, but not judged. It took slow 900 ms, a 10 ms, b 20 ms, c – ${WAY}.`,
    ],
  ],
  [
    'nothing measured',
    [cell('yjs', null, { fullyFunctional: null, smooth: null })],
    ['With 4 users yjs is valid, but not judged.'],
  ],
  [
    'trials that are not valid',
    [cell('yjs', null, { fullyFunctional: null, smooth: null, trials: 1, validTrials: 0 })],
    ['With 4 users yjs is not judged.'],
  ],
  [
    'modes and users apart',
    [cell('yjs', 5), cell('yjs', 6, { users: 1 }), cell('yjs', 7, { mode: 'noquill' })],
    [
      `With 4 users in optquill yjs is smooth: 5 ms ${WAY}.`,
      `With 1 user in optquill yjs is smooth: 6 ms ${WAY}.`,
      `With 4 users in noquill yjs is smooth: 7 ms ${WAY}.`,
    ],
  ],
  [
    'once',
    [cell('yjs', 39, { validTrials: 1 }), cell('loro', 57, { validTrials: 1 })],
    [`With 4 users, in one trial of each, both are smooth: yjs 39 ms, loro 57 ms ${WAY}.`],
  ],
  [
    'once, beside one that has no valid trial',
    [
      cell('yjs', 39, { validTrials: 1 }),
      cell('loro', 57, { validTrials: 1 }),
      cell('slow', null, { trials: 1, validTrials: 0, smooth: null, fullyFunctional: null }),
    ],
    [
      `With 4 users, in one trial of each, yjs and loro are smooth; slow is not judged. It took yjs 39 ms, loro 57 ms, slow – ${WAY}.`,
    ],
  ],
  [
    'many, by their number and their ends',
    [
      ...['a', 'b', 'c', 'd', 'e'].map((name, index) => cell(name, 10 + index)),
      cell('f', null, { smooth: null, fullyFunctional: null }),
    ],
    [`With 4 users 5 of 6 are smooth; f is valid, but not judged. It took a 10 ms to e 14 ms ${WAY}.`],
  ],
  ['no cell', [], []],
])('%s', (_, cells, sentences) => expect(answerOf(cells)).toEqual(sentences));
