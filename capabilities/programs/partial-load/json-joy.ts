/** With the indexed encoding, which has a field for each node, and partial edits, which load the fields that a patch needs. */
import { Decoder } from 'json-joy/lib/json-crdt/codec/indexed/binary/Decoder.js';
import { Encoder } from 'json-joy/lib/json-crdt/codec/indexed/binary/Encoder.js';
import type { IndexedFields, IndexedNodeFields } from 'json-joy/lib/json-crdt/codec/indexed/binary/types.js';
import { Model } from 'json-joy/lib/json-crdt/index.js';
import { PartialEditFactory } from 'json-joy/lib/json-crdt/partial-edit/PartialEdit.js';
import { judge, type Program } from '../outcome.ts';
import { FIRST_SESSION } from '../pairs/json-joy.ts';

export const program: Program = () => {
  const whole = Model.create(undefined, FIRST_SESSION);
  whole.api.set({ one: 'part one', two: 'part two' });
  whole.api.flush();
  const stored = new Encoder().encode(whole);
  const patch = editOf(whole);

  const decoder = new Decoder();
  // A decoder knows the clock that the fields refer to only once it has decoded it.
  decoder.decode({ c: stored.c });
  const partial = new PartialEditFactory(decoder, new Encoder()).startPartialEdit(stored.c);
  partial.populateLoadList(patch);
  const names = [...partial.getFieldsToLoad()] as (keyof IndexedNodeFields)[];
  const part = partial.loadPartialModel(Object.fromEntries(names.map((name) => [name, stored[name]!])));
  const nodes = viewsOf(part);
  partial.applyPatch(patch);
  partial.populateClockTable();
  const { updates } = partial.getFieldEdits();
  const edited = new Decoder().decode({ ...stored, ...updates } as IndexedFields).view();

  return judge([
    { holds: nodes.join() === 'part one', otherwise: `the part holds ${JSON.stringify(nodes)}` },
    {
      holds: JSON.stringify(edited) === JSON.stringify({ one: 'edited part one', two: 'part two' }),
      otherwise: `after an edit of the part the whole is ${JSON.stringify(edited)}`,
    },
  ]);
};

function editOf(whole: Model) {
  const writer = Model.load(whole.toBinary(), FIRST_SESSION + 1);
  writer.api.str(['one']).ins(0, 'edited ');
  return writer.api.flush();
}

function viewsOf(model: Model): unknown[] {
  const views: unknown[] = [];
  model.index.forEach(({ v: node }) => {
    views.push(node.view());
  });
  return views;
}
