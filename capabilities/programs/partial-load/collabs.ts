import { AbstractDoc, CRuntime, CText } from '@collabs/collabs';
import { expectThat, notOffered, type Program } from '../outcome.ts';

export const program: Program = () => {
  const doc = open();
  doc.runtime.transact(() => {
    doc.one.insert(0, 'part one');
    doc.two.insert(0, 'part two');
  });
  const reader = open();
  reader.runtime.load(doc.runtime.save());
  expectThat(reader.one.toString() === 'part one' && reader.two.toString() === 'part two', 'load gives all parts');
  return notOffered(
    'looked on CRuntime and AbstractDoc for a way to save or load one collab; a saved state is loaded as a whole',
    [CRuntime.prototype, AbstractDoc.prototype].flatMap((owner) =>
      ['saveCollab', 'loadCollab', 'loadPartial', 'lazyLoad'].map((name): [object, string] => [owner, name]),
    ),
  );
};

function open() {
  const runtime = new CRuntime();
  return {
    runtime,
    one: runtime.registerCollab('one', (init) => new CText(init)),
    two: runtime.registerCollab('two', (init) => new CText(init)),
  };
}
