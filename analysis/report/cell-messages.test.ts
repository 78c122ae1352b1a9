import { expect, test } from 'vitest';
import { summarizeCell } from '../cell/cells.ts';
import { aboutCell, SPEEDS_DIFFER } from '../cell/messages.ts';
import type { TypingCell } from '../scenarios/cell.ts';
import { runOf } from '../test-data/written-cell.ts';
import { describeCells } from './cell-messages.ts';

/** A cell of one trial, with sentences of one kind that ask for care, and perhaps one that decides. */
function written(users: number, care: readonly string[], decides?: string): TypingCell {
  const parameters = { framework: 'yjs', mode: 'optquill', users };
  const cell = summarizeCell({ scenario: 'typing', tier: 'unknown', parameters }, []) as TypingCell;
  const messages = care.map((text) => aboutCell(SPEEDS_DIFFER, 'care', text));
  return {
    ...cell,
    messages: [...(decides === undefined ? [] : [aboutCell('user-lost', 'decides', decides)]), ...messages],
  };
}

test('of machines whose speed differed, four are listed, and the others counted', () => {
  const run = runOf(...[1, 2, 3, 4, 5, 6].map((users) => written(users, [`varied by ${users} %`])));
  const lines = describeCells(run, '- ').split('\n');
  expect(lines).toHaveLength(4);
  expect(lines.at(-1)).toBe('- yjs, optquill, 4 users: varied by 4 %; alike in 2 more cells');
});

test('all that decides is listed, and a sentence of several cells once', () => {
  const lost = [1, 2, 3, 4, 5, 6].map((users) => written(users, ['the machine was busy'], `user-00${users} was lost`));
  const lines = describeCells(runOf(...lost), '').split('\n');
  expect(lines.filter((line) => line.includes('was lost'))).toHaveLength(6);
  expect(lines.filter((line) => line.includes('busy'))).toEqual([
    expect.stringContaining('2 users; yjs, optquill, 3 users; yjs, optquill, 4 users and 2 more: the machine was busy'),
  ]);
});
