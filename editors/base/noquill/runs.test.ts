import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatInline, PLAIN } from './formats.ts';
import {
  changeRuns,
  characterAt,
  concat,
  insert,
  lengthOf,
  newlineIndex,
  newlinesBefore,
  type Runs,
  remove,
  runsOf,
  split,
  visitRuns,
} from './runs.ts';

const BOLD = formatInline(PLAIN, { bold: true });

interface Edit {
  at: number;
  deleted: number;
  inserted: string;
  bold: boolean;
}

const edits = fc.array(
  fc.record<Edit>({
    at: fc.nat(3000),
    deleted: fc.nat(600),
    inserted: fc.oneof(fc.string({ unit: fc.constantFrom('a', 'b', '\n') }), fc.constant('long line '.repeat(120))),
    bold: fc.boolean(),
  }),
  { maxLength: 30 },
);

/** The same document as an array with one entry for each character. */
type Model = { character: string; bold: boolean }[];

function edit(runs: Runs, model: Model, { at, deleted, inserted, bold }: Edit): Runs {
  const index = at % (model.length + 1);
  model.splice(index, deleted, ...[...inserted].map((character) => ({ character, bold })));
  return insert(remove(runs, index, index + deleted), index, inserted, bold ? BOLD : PLAIN);
}

function nodesOf(runs: Runs): object[] {
  return runs === null ? [] : [runs, ...nodesOf(runs.left), ...nodesOf(runs.right)];
}

function read(runs: Runs, from = 0, to = lengthOf(runs)): Model {
  const read: Model = [];
  visitRuns(runs, from, to, (text, attributes) => {
    for (const character of text) read.push({ character, bold: attributes === BOLD });
  });
  return read;
}

function countRuns(runs: Runs): number {
  let count = 0;
  visitRuns(runs, 0, lengthOf(runs), () => count++);
  return count;
}

test('any edits leave what the same edits leave of an array of characters', () => {
  fc.assert(
    fc.property(edits, fc.nat(), fc.nat(), (all, a, b) => {
      let runs: Runs = null;
      const model: Model = [];
      for (const one of all) runs = edit(runs, model, one);
      expect(lengthOf(runs)).toBe(model.length);
      expect(read(runs)).toEqual(model);
      expect(read(changeRuns(runs, 10, 700, (text) => runsOf(text, BOLD)))).toEqual(
        model.map(({ character, bold }, index) => ({ character, bold: bold || (index >= 10 && index < 700) })),
      );
      const [from, to] = [a % (model.length + 1), b % (model.length + 1)].sort((x, y) => x - y) as [number, number];
      expect(read(runs, from, to)).toEqual(model.slice(from, to));
      const character = characterAt(runs, from);
      expect(character && { character: character.character, bold: character.attributes === BOLD }).toEqual(
        model[from] ?? null,
      );
      const newlines = model.flatMap((entry, index) => (entry.character === '\n' ? [index] : []));
      expect(newlinesBefore(runs, from)).toBe(newlines.filter((index) => index < from).length);
      expect(newlines.map((_, nth) => newlineIndex(runs, nth))).toEqual(newlines);
      expect(newlineIndex(runs, newlines.length)).toBe(-1);
    }),
  );
});

test('an older state stays as it was', () => {
  const old = runsOf('one\ntwo\n', PLAIN);
  const [a, b] = split(old, 4);
  concat(concat(a, runsOf('and ', BOLD)), b);
  expect(read(old).map(({ character }) => character)).toEqual([...'one\ntwo\n']);
});

test('the tree stays flat, and its runs few, whatever the order of the edits', () => {
  const orders = {
    'at the start': () => 0,
    'at the end': (length: number) => length,
    'all over': (length: number, step: number) => (step * 7919) % (length + 1),
  };
  for (const place of Object.values(orders)) {
    let runs: Runs = null;
    for (let step = 0; step < 4000; step++) {
      runs = insert(runs, place(lengthOf(runs), step), 'x', step % 2 === 0 ? BOLD : PLAIN);
      if (step % 3 === 0) runs = remove(runs, place(lengthOf(runs), step + 1), place(lengthOf(runs), step + 1) + 1);
    }
    // An AVL tree whose sides may differ by two levels is at most about twice as high as a perfect one.
    expect(runs!.height).toBeLessThanOrEqual(2 * Math.log2(countRuns(runs) + 1) + 1);
  }
  let typed: Runs = null;
  for (let step = 0; step < 5000; step++) typed = insert(typed, step, 'x', PLAIN);
  // 5000 / 512 = 9.8
  expect(countRuns(typed)).toBe(10);
});

test('an edit within a run makes nothing anew but the way to it', () => {
  let runs: Runs = null;
  for (let run = 0; run < 2000; run++) runs = concat(runs, runsOf('fifteen letters', run % 2 === 0 ? BOLD : PLAIN));
  const old = new Set(nodesOf(runs));
  for (let index = 3; index < lengthOf(runs); index += 1009) {
    for (const edited of [
      insert(runs, index, 'x', characterAt(runs, index)!.attributes),
      remove(runs, index, index + 1),
    ]) {
      expect(nodesOf(edited).filter((node) => !old.has(node)).length).toBeLessThanOrEqual(runs!.height);
    }
  }
});

test('a place where runs of two kinds meet takes text into the one of its kind', () => {
  const runs = concat(runsOf('plain', PLAIN), runsOf('bold', BOLD));
  expect(countRuns(insert(runs, 5, 'x', PLAIN))).toBe(2);
  expect(countRuns(insert(runs, 5, 'x', BOLD))).toBe(2);
  expect(countRuns(insert(runs, 7, 'x', PLAIN))).toBe(4);
});
