import { LoroDoc } from 'loro-crdt';
import type { Stage } from '../stage.ts';

/** @param begin writes what both replicas begin with */
export function pair<Replica>(begin: (doc: LoroDoc) => void, bind: (doc: LoroDoc) => Replica): Stage<Replica> {
  const seed = new LoroDoc();
  seed.setPeerId(99n);
  begin(seed);
  const saved = seed.export({ mode: 'snapshot' });
  const [one, other] = [1n, 2n].map((peer) => {
    const doc = new LoroDoc();
    doc.setPeerId(peer);
    doc.import(saved);
    return doc;
  }) as [LoroDoc, LoroDoc];
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      const forOther = one.export({ mode: 'update', from: other.version() });
      one.import(other.export({ mode: 'update', from: one.version() }));
      other.import(forOther);
    },
  };
}
