import { LoroDoc } from 'loro-crdt';
import { expectThat, notOffered, type Program } from '../outcome.ts';

export const program: Program = () => {
  const doc = new LoroDoc();
  doc.getText('one').insert(0, 'part one');
  doc.getText('two').insert(0, 'part two');
  doc.commit();
  const reader = new LoroDoc();
  reader.import(doc.export({ mode: 'shallow-snapshot', frontiers: doc.frontiers() }));
  const seen = reader.toJSON();
  expectThat(seen.one === 'part one' && seen.two === 'part two', 'a shallow snapshot holds all parts');
  return notOffered(
    'looked on LoroDoc for an export or import of one container; a shallow snapshot leaves out history and holds all parts',
    ['exportContainer', 'importContainer', 'exportPartial', 'importPartial'].map((name) => [LoroDoc.prototype, name]),
  );
};
