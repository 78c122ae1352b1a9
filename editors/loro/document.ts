/** A LoroText as a document of deltas, and of messages for the relay. */
import { type Delta as LoroDelta, LoroDoc } from 'loro-crdt';
import Delta from 'quill-delta';
import { LINE_FORMAT } from '../base/binding/line-formats.ts';
import type { RelayedDocument } from '../base/binding/relayed.ts';
import { composeAll, formatsSet } from '../base/delta.ts';
import { joinPresence } from './presence.ts';

const TEXT_NAME = 'text';
/** As wide as the peer of any first author: 64 bits, drawn once. */
const SEED_PEER = '12297829382473034410';

/** The update that every replica starts from: exactly one "\n". */
const SEED_UPDATE: Uint8Array = makeSeed();

function makeSeed(): Uint8Array {
  const doc = new LoroDoc();
  doc.setPeerId(SEED_PEER);
  doc.getText(TEXT_NAME).insert(0, '\n');
  return doc.export({ mode: 'update' });
}

export interface LoroDocument extends RelayedDocument {
  /** For who brings it the others' updates otherwise than by `receive`. */
  readonly doc: LoroDoc;
  /** Others' changes in the imports since the last call, as one delta. */
  takeReceived(): Delta;
}

export function createDocument(): LoroDocument {
  const doc = new LoroDoc();
  doc.configTextStyle({ bold: { expand: 'after' }, italic: { expand: 'after' }, [LINE_FORMAT]: { expand: 'none' } });
  doc.import(SEED_UPDATE);
  const text = doc.getText(TEXT_NAME);
  /** Loro reports what others changed before the import of it returns. */
  const received: Delta[] = [];
  text.subscribe(({ by, events }) => {
    if (by === 'local') return;
    for (const { diff } of events) {
      if (diff.type === 'text') received.push(fromLoro(diff.diff));
    }
  });
  const takeReceived = () => composeAll(received.splice(0));
  /** How many operations of this replica the others have. */
  let sentOperations = 0;

  return {
    doc,
    contents: () => fromLoro(text.toDelta()),
    change(delta) {
      text.applyDelta(delta.ops as LoroDelta<string>[]);
    },
    takeMessage() {
      doc.commit();
      const operations = countOwnOperations(doc);
      if (operations === sentOperations) return null;
      const id = { peer: doc.peerIdStr, counter: sentOperations };
      const message = doc.export({ mode: 'updates-in-range', spans: [{ id, len: operations - sentOperations }] });
      sentOperations = operations;
      return message;
    },
    receive(messages) {
      doc.importBatch(messages);
      return takeReceived();
    },
    takeReceived,
    save: () => doc.export({ mode: 'snapshot' }),
    wholeAsMessage: () => doc.export({ mode: 'snapshot' }),
    joinPresence: (options) => joinPresence({ doc, text }, options),
  };
}

/** The document that a saved state holds. */
export function contentsOfSaved(saved: Uint8Array): Delta {
  const document = createDocument();
  document.receive([saved]);
  return document.contents();
}

/** One saved state from another (null: the first) and the messages after it: what the relay gives to a newcomer. */
export function compactLog(savedState: Uint8Array | null, log: readonly Uint8Array[]): Uint8Array {
  const document = createDocument();
  document.receive(savedState === null ? [...log] : [savedState, ...log]);
  return document.save();
}

function countOwnOperations(doc: LoroDoc): number {
  const version = doc.oplogVersion();
  const operations = version.get(doc.peerIdStr) ?? 0;
  version.free();
  return operations;
}

/** Loro's deltas name formats that inserted text does not have, with null, and do not merge equal neighbours. */
function fromLoro(ops: readonly LoroDelta<string>[]): Delta {
  return ops.reduce((delta, { insert, retain, delete: deleted, attributes }) => {
    if (insert !== undefined) return delta.insert(insert, formatsSet(attributes));
    return retain !== undefined ? delta.retain(retain, attributes) : delta.delete(deleted);
  }, new Delta());
}
