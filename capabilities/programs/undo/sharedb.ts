/** Undo as an application must build it: it keeps its own operation's inverse, and transforms that past others' operations. */
import richText from 'rich-text';
import { Doc, types } from 'sharedb/lib/client/index.js';
import type { Program } from '../outcome.ts';
import { type Client, JSON_TYPE, pair } from '../sharedb/server.ts';
import { type UndoableText, undoesOwn } from './undo.ts';

export const program: Program = () =>
  undoesOwn(
    (text) => pair({ text }, bind),
    [
      {
        holds: 'undo' in Doc.prototype,
        otherwise:
          'there is no undo as such: the JSON type inverts an operation, and the application keeps that and transforms it past what others do',
      },
      { holds: richText.type.invert !== undefined, otherwise: 'the rich-text type inverts nothing' },
    ],
  );

function bind({ doc }: Client): UndoableText {
  const type = types.map[JSON_TYPE]!;
  /** The inverse of the last own operation, transformed past others' operations since. */
  let inverse: unknown[] = [];
  doc.on('op batch', (operations, source) => {
    if (source === false) inverse = type.transform(inverse, operations, 'left');
  });
  const submit = (operations: unknown[]) => {
    inverse = type.invert!(operations);
    doc.submitOp(operations);
  };
  return {
    insert: (position, typed) => submit([{ p: ['text', position], si: typed }]),
    undo: () => submit(inverse),
    redo: () => submit(inverse),
    text: () => doc.data.text,
  };
}
