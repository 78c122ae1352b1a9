import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import type { ConcurrentTrace, Patch, SequentialTrace } from '../../traces/format.ts';
import { EditFiles, stepsOf } from './edit-files.ts';
import { contentAfter, type Edits, editsOf, firstWideCharacter, readEdits, writeEdits } from './edits.ts';

const folder = folderOfEachTest();

/** The text that edits make, each taken as it says. */
function textOf({ positions, deleted, inserted, repeat }: Edits): string {
  let text = '';
  for (let time = 0; time < repeat; time++) {
    for (const [index, position] of positions.entries()) {
      text = text.slice(0, position) + inserted[index] + text.slice(position + deleted[index]!);
    }
  }
  return text;
}

/** A trace of random edits, in code points. */
const traces = fc
  .array(fc.record({ at: fc.nat(), gone: fc.nat(3), text: fc.string({ unit: 'grapheme', maxLength: 3 }) }), {
    maxLength: 20,
  })
  .map((all): SequentialTrace => {
    let points = Array.from('start');
    const txns = all.map(({ at, gone, text }) => {
      const position = at % (points.length + 1);
      const deleted = Math.min(gone, points.length - position);
      points = [...points.slice(0, position), ...Array.from(text), ...points.slice(position + deleted)];
      return { patches: [[position, deleted, text]] as [number, number, string][] };
    });
    return { kind: 'sequential', startContent: 'start', endContent: points.join(''), txns };
  });

test('edits are a trace’s in UTF-16 units, and the file gives back what went in', async () => {
  await fc.assert(
    fc.asyncProperty(traces, fc.integer({ min: 1, max: 3 }), async (trace, repeat) => {
      const edits = await writeEdits(folder.in('edits'), trace, { repeat });
      expect(textOf(edits)).toBe(edits.endContent);
      expect(edits.endContent).toBe(trace.endContent.repeat(repeat));
      expect(await readEdits(folder.in('edits'))).toEqual(edits);
    }),
    { numRuns: 50 },
  );
  await writeFile(folder.in('other'), 'something else');
  await expect(readEdits(folder.in('other'))).rejects.toThrow(/holds no edits/);
});

test('what changes nothing is no edit, whoever typed it', () => {
  const patches: Patch[] = [
    [0, 0, 'a'],
    [1, 0, ''],
    [1, 0, 'b'],
  ];
  const trace: SequentialTrace = { kind: 'sequential', startContent: '', endContent: 'ab', txns: [{ patches }] };
  expect(editsOf(trace)).toMatchObject({ count: 2, inserted: ['a', 'b'] });
  expect(editsOf(trace, { atMost: 2 }).endContent).toBe('ab');
  expect(new EditFiles(folder.path, trace).edits).toBe(2);
  const concurrent: ConcurrentTrace = {
    ...{ kind: 'concurrent', endContent: 'ab', numAgents: 1 },
    txns: [{ parents: [], agent: 0, patches }],
  };
  expect(stepsOf(concurrent).steps[0]!.edits).toHaveLength(2);
});

test('of the first edits only, the end is what they make', () => {
  fc.assert(
    fc.property(traces, fc.integer({ min: 1, max: 25 }), (trace, atMost) => {
      const edits = editsOf(trace, { atMost });
      expect(edits.count).toBe(Math.min(atMost, new EditFiles(folder.path, trace).edits));
      expect(textOf(edits)).toBe(edits.endContent);
      expect(contentAfter(editsOf(trace), edits.count)).toBe(edits.endContent);
    }),
    { numRuns: 50 },
  );
});

test('the first character of two units is named', () => {
  const trace = (text: string): SequentialTrace => ({
    ...{ kind: 'sequential', startContent: '', endContent: text },
    txns: [{ patches: [[0, 0, text]] }],
  });
  expect(firstWideCharacter(trace('a😀b'))).toBe('😀');
  expect(firstWideCharacter(trace('aéb'))).toBeNull();
});

test('a concurrent trace becomes steps: who takes in what, then types what', () => {
  const txn = (agent: number, parents: number[], ...patches: Patch[]) => ({ agent, parents, patches });
  const trace: ConcurrentTrace = {
    ...{ kind: 'concurrent', numAgents: 2, endContent: 'ab!c' },
    txns: [
      txn(0, [], [0, 0, 'ac']),
      txn(1, [0], [1, 0, 'b']),
      txn(0, [0], [2, 0, '?']),
      txn(0, [1, 2], [3, 1, ''], [2, 0, '!']),
    ],
  };
  const step = (agent: number, receives: number[], ...edits: Patch[]) => ({ agent, receives, edits });
  expect(stepsOf(trace)).toEqual({
    ...{ endContent: 'ab!c', last: [[], [2, 3]] },
    steps: [
      step(0, [], [0, 0, 'ac']),
      step(1, [0], [1, 0, 'b']),
      step(0, [], [2, 0, '?']),
      step(0, [1], [3, 1, ''], [2, 0, '!']),
    ],
  });
});
