/** As an application must do it: keeps its own operation's inverse, and transforms that past what others do. */
import richText from 'rich-text';
import { Doc, types } from 'sharedb/lib/client/index.js';
import type { Program } from '../outcome.ts';
import { JSON_TYPE, serveDocument, settled } from '../sharedb/server.ts';
import { type UndoStage, undoesOwn } from './undo.ts';

export const program: Program = () =>
  undoesOwn(open, [
    {
      holds: 'undo' in Doc.prototype,
      otherwise:
        'there is no undo as such: the JSON type inverts an operation, and the application keeps that and transforms it past what others do',
    },
    { holds: richText.type.invert !== undefined, otherwise: 'the rich-text type inverts nothing' },
  ]);

async function open(text: string): Promise<UndoStage> {
  const type = types.map[JSON_TYPE]!;
  const server = await serveDocument({ text });
  const [mine, theirs] = [await server.join(), await server.join()];
  const insert = (position: number, typed: string) => [{ p: ['text', position], si: typed }];
  /** What would take back the last own operation, kept up with what others did since. */
  let inverse: unknown[] = [];
  mine.doc.on('op batch', (operations, source) => {
    if (source === false) inverse = type.transform(inverse, operations, 'left');
  });
  const submit = (operations: unknown[]) => {
    inverse = type.invert!(operations);
    mine.doc.submitOp(operations);
  };
  return {
    mine: {
      insert: (position, typed) => submit(insert(position, typed)),
      undo: () => submit(inverse),
      redo: () => submit(inverse),
      text: () => mine.doc.data.text,
    },
    theirs: {
      insert: (position, typed) => theirs.doc.submitOp(insert(position, typed)),
      text: () => theirs.doc.data.text,
    },
    exchange: () => settled(mine, theirs),
    close: () => server.close(),
  };
}
