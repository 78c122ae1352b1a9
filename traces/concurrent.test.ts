import fc from 'fast-check';
import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import { PlainEditor } from '../tests/traces/plain-editor.ts';
import { concurrentTrace } from '../tests/traces/random-traces.ts';
import type { Change } from './change.ts';
import { Author, editsOf } from './edits.ts';
import type { ConcurrentTrace } from './format.ts';
import { textOf } from './gap-buffer.ts';
import { replay } from './replay.ts';

/** Agent 0 writes "ab|"; then at once agent 0 puts "X" between a and b, and agent 1 "yz" at the end. Both merge. */
const small: ConcurrentTrace = {
  kind: 'concurrent',
  numAgents: 2,
  endContent: 'aXb|yz!?',
  txns: [
    { parents: [], agent: 0, patches: [[0, 0, 'ab|']] },
    { parents: [0], agent: 1, patches: [[3, 0, 'y']] },
    { parents: [0], agent: 0, patches: [[1, 0, 'X']] },
    { parents: [1], agent: 1, patches: [[4, 0, 'z']] },
    { parents: [2, 3], agent: 1, patches: [[6, 0, '!']] },
    { parents: [4], agent: 1, patches: [[7, 0, '?']] },
  ],
};

test('merges what was written at the same time', () => {
  expect(() => replay(small)).not.toThrow();
});

test("gives each agent's edits, whose cursor follows what the other writes before it", () => {
  const key = (text: string, move = 0) => ({ kind: 'key', move, text });
  // Agent 0 goes from behind the bar (3) to behind the a (1): -2. Agent 1 starts at 0, goes to the end, and types on,
  // although agent 0's X has come in before it.
  expect(editsOf(small)).toEqual([
    [key('a'), key('b'), key('|'), key('X', -2)],
    [key('y', 3), key('z'), key('!'), key('?')],
  ]);
});

test('replays random concurrent traces to their end', () => {
  fc.assert(fc.property(concurrentTrace, (trace) => replay(trace)));
});

test("each agent's edits, made between what arrives from the other, keep the agent's document", () => {
  fc.assert(
    fc.property(concurrentTrace, (trace) => {
      const authors = Array.from({ length: trace.numAgents }, () => new Author());
      const editors = authors.map(() => new PlainEditor());
      const expectSame = ({ author, document }: Change) => {
        expect(editors[author]!.text).toBe(textOf(document.slice()).replaceAll('\r', ''));
      };
      replay(trace, {
        typed(change) {
          expectSame(change);
          const { edits } = authors[change.author]!;
          const known = edits.length;
          authors[change.author]!.typed(change);
          for (const edit of edits.slice(known)) editors[change.author]!.perform(edit);
        },
        received(change) {
          expectSame(change);
          authors[change.author]!.received(change);
          receive(editors[change.author]!, change);
        },
      });
    }),
  );
});

/** As Quill applies another's change: text and cursor by its delta. */
function receive(editor: PlainEditor, { document, position, deleted, inserted }: Change): void {
  const shown = (from: number, to: number) => textOf(document.slice(from, to)).replaceAll('\r', '');
  const delta = new Delta()
    .retain(shown(0, position).length)
    .delete(shown(position, position + deleted).length)
    .insert(inserted.replaceAll('\r', ''));
  const content = new Delta().insert(editor.text).compose(delta);
  editor.text = content.reduce((text, op) => text + (op.insert ?? ''), '');
  editor.cursor = delta.transformPosition(editor.cursor, true);
}

test('refuses an agent who forgets', () => {
  const txns: ConcurrentTrace['txns'] = [
    { parents: [], agent: 0, patches: [[0, 0, 'a']] },
    { parents: [0], agent: 0, patches: [[1, 0, 'b']] },
    { parents: [0], agent: 0, patches: [[1, 0, 'c']] },
  ];
  expect(() => replay({ ...small, txns })).toThrow(/Transaction 2 is by agent 0, who already held transaction 1/);
});

test('names the patch that reaches outside, and the difference at the end', () => {
  const txns: ConcurrentTrace['txns'] = [{ parents: [], agent: 1, patches: [[1, 0, 'a']] }];
  expect(() => replay({ ...small, txns })).toThrow(/Transaction 0, patch 0 inserts at 1, but the document has 0/);
  expect(() => replay({ ...small, endContent: 'aXb|yz!.' })).toThrow(/first difference is at character 7/);
});

test('allows a transaction without patches', () => {
  const txns = [...small.txns, { parents: [5], agent: 0, patches: [] }];
  expect(() => replay({ ...small, txns })).not.toThrow();
});
