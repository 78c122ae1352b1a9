import * as Y from 'yjs';
import type { Program } from '../outcome.ts';
import { type HistoryStage, looksBack } from './history.ts';

export const program: Program = async () => {
  const usual = open(new Y.Doc());
  usual.write('first');
  const first = usual.version();
  usual.write('second');
  let refusal = '';
  try {
    await usual.textAt(first);
  } catch (error) {
    refusal = (error as Error).message;
  }
  return looksBack(
    () => open(new Y.Doc({ gc: false })),
    [
      {
        holds: refusal === '',
        otherwise: `only of a document that keeps all that was ever deleted, which is not the default ("${refusal}")`,
      },
    ],
  );
};

function open(doc: Y.Doc): HistoryStage<Y.Snapshot> {
  const text = doc.getText('text');
  return {
    write(written) {
      text.delete(0, text.length);
      text.insert(0, written);
    },
    version: () => Y.snapshot(doc),
    textAt: (snapshot) => Y.createDocFromSnapshot(doc, snapshot).getText('text').toString(),
    text: () => text.toString(),
  };
}
