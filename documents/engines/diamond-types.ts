/** Diamond Types as WebAssembly. */
import { Doc } from 'diamond-types-node';
import type { Engine, EngineDocument } from './engine.ts';
import { bytesOf, COMMON_START } from './identity.ts';

const SURROGATE = /[\ud800-\udfff]/;
/** An agent has any name that its user gives; ten letters, as other libraries draw. */
const agentOf = (identity: number) => bytesOf(identity, 5).toString('hex');

export const engine: Engine = {
  about: {
    package: 'diamond-types-node',
    algorithm: 'YATA on a list of operations',
    licence: 'ISC OR Apache-2.0',
    kind: 'library',
  },
  open: ({ identity, updates }) => bind(new Doc(agentOf(identity)), updates),
  load: (saved) => bind(Doc.fromBytes(saved, agentOf(COMMON_START)), false),
};

function bind(doc: Doc, updates: boolean): EngineDocument {
  /** It counts whole characters; asking it what units they are costs a call each. Null: not known since others' updates came. */
  let hasSurrogates: boolean | null = SURROGATE.test(doc.get());
  let before = doc.getLocalVersion();
  return {
    edit(position, deleted, inserted) {
      if (updates) before = doc.getLocalVersion();
      hasSurrogates ??= doc.charsToWchars(doc.len()) > doc.len();
      if (!hasSurrogates && inserted.length > 0) hasSurrogates = SURROGATE.test(inserted);
      const from = hasSurrogates ? doc.wCharsToChars(position) : position;
      if (deleted > 0) doc.del(from, hasSurrogates ? doc.wCharsToChars(position + deleted) - from : deleted);
      if (inserted !== '') doc.ins(from, inserted);
    },
    text: () => doc.get(),
    takeUpdate: () => doc.getPatchSince(before),
    receive(received) {
      for (const update of received) doc.mergeBytes(update);
      if (!hasSurrogates) hasSurrogates = null;
    },
    save: () => [{ name: 'bytes', history: true, bytes: doc.toBytes() }],
    free: () => doc.free(),
  };
}
