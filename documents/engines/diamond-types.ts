/** Diamond Types as WebAssembly. */
import { Doc } from 'diamond-types-node';
import type { Engine, EngineDocument } from './engine.ts';

const SURROGATE = /[\ud800-\udfff]/;

export const engine: Engine = {
  about: {
    package: 'diamond-types-node',
    algorithm: 'YATA on a list of operations',
    licence: 'ISC OR Apache-2.0',
    kind: 'library',
  },
  open: ({ replica, updates }) => bind(new Doc(`replica-${replica}`), updates),
  load: (saved) => bind(Doc.fromBytes(saved, 'replica-1'), false),
};

function bind(doc: Doc, updates: boolean): EngineDocument {
  /** It counts whole characters; asking it what units they are costs a call each. */
  let hasSurrogates = SURROGATE.test(doc.get());
  let before = doc.getLocalVersion();
  return {
    edit(position, deleted, inserted) {
      if (updates) before = doc.getLocalVersion();
      if (!hasSurrogates && inserted.length > 0) hasSurrogates = SURROGATE.test(inserted);
      const from = hasSurrogates ? doc.wCharsToChars(position) : position;
      if (deleted > 0) doc.del(from, hasSurrogates ? doc.wCharsToChars(position + deleted) - from : deleted);
      if (inserted !== '') doc.ins(from, inserted);
    },
    text: () => doc.get(),
    takeUpdate: () => doc.getPatchSince(before),
    receive(received) {
      for (const update of received) doc.mergeBytes(update);
    },
    save: () => [{ name: 'bytes', history: true, bytes: doc.toBytes() }],
    free: () => doc.free(),
  };
}
