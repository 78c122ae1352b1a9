/** With a projection: a server's collection that shows some fields of another's documents. */
import { isDeepStrictEqual } from 'node:util';
import { judge, type Program } from '../outcome.ts';
import { COLLECTION, serveDocument, settled } from '../sharedb/server.ts';

export const program: Program = async () => {
  const server = await serveDocument({ one: 'part one', two: 'part two' });
  server.backend.addProjection('firsts', COLLECTION, { one: true });
  const [whole, part] = [await server.join(), await server.join('firsts')];
  const loaded = structuredClone(part.doc.data);
  part.doc.submitOp([{ p: ['one', 0], si: 'edited ' }]);
  await settled(part, whole);
  const edited = structuredClone(whole.doc.data);
  whole.doc.submitOp([{ p: ['two', 0], si: 'edited ' }]);
  await settled(whole, part);
  const after = structuredClone(part.doc.data);
  await server.close();
  return judge([
    { holds: isDeepStrictEqual(loaded, { one: 'part one' }), otherwise: `the part is ${JSON.stringify(loaded)}` },
    {
      holds: isDeepStrictEqual(edited, { one: 'edited part one', two: 'part two' }),
      otherwise: `after an edit of the part the whole is ${JSON.stringify(edited)}`,
    },
    {
      holds: isDeepStrictEqual(after, { one: 'edited part one' }),
      otherwise: `after an edit elsewhere the part is ${JSON.stringify(after)}`,
    },
  ]);
};
