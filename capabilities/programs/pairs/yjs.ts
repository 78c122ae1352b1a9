import * as Y from 'yjs';
import type { Stage } from '../stage.ts';

/** @param begin writes what both replicas begin with */
export function pair<Replica>(begin: (doc: Y.Doc) => void, bind: (doc: Y.Doc) => Replica): Stage<Replica> {
  const seed = new Y.Doc();
  begin(seed);
  const [one, other] = [1, 2].map((clientId) => {
    const doc = new Y.Doc();
    doc.clientID = clientId;
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(seed));
    return doc;
  }) as [Y.Doc, Y.Doc];
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      const forOther = Y.encodeStateAsUpdate(one, Y.encodeStateVector(other));
      Y.applyUpdate(one, Y.encodeStateAsUpdate(other, Y.encodeStateVector(one)), 'from the other');
      Y.applyUpdate(other, forOther, 'from the other');
    },
  };
}
