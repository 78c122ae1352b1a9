/** Its clients merge through the server only; `text0` is the text type within JSON documents. */
import { judge, type Program } from '../outcome.ts';
import { COLLECTION, done, ID, serveDocument, settled } from '../sharedb/server.ts';

const insert = (position: number, text: string) => [{ p: ['text', position], si: text }];

export const program: Program = async () => {
  const server = await serveDocument({ text: 'middle' });
  const [one, other] = [await server.join(), await server.join()];
  one.cut();
  one.doc.submitOp(insert(0, 'first '));
  other.doc.submitOp(insert('middle'.length, ' last'));
  await settled(other);
  await one.rejoin();
  await settled(one, other);
  const merged: string[] = [one.doc.data.text, other.doc.data.text];

  other.cut();
  other.doc.submitOp(insert(0, 'very '));
  // A restart: all that is left is what can be saved of it, and all that it can save is the document's snapshot.
  const saved = JSON.parse(JSON.stringify(other.doc.toSnapshot()));
  const connection = server.backend.connect();
  const restarted = connection.get(COLLECTION, ID);
  await done((callback) => restarted.ingestSnapshot(saved, callback));
  await done((callback) => restarted.subscribe(callback));
  await settled({ doc: restarted }, one);
  const afterRestart: string = one.doc.data.text;
  await server.close();

  return judge([
    { holds: merged[0] === merged[1], otherwise: 'replicas end apart', isEssential: true },
    { holds: merged[0] === 'first middle last', otherwise: `edits made offline give "${merged[0]}"` },
    {
      holds: afterRestart === 'very first middle last',
      otherwise:
        'edits made offline wait in memory, and a client that restarts before it meets the server has lost them',
    },
  ]);
};
