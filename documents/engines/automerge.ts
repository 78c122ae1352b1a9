/** Automerge 3: a string in a document, one change per edit. */
import * as Automerge from '@automerge/automerge';
import type { Engine, EngineDocument } from './engine.ts';
import { bytesOf, COMMON_START } from './identity.ts';

interface Content {
  text: string;
}

const PATH = ['text'];
/** An actor is 16 random bytes. */
const actorOf = (identity: number) => bytesOf(identity, 16).toString('hex');
/** Every replica begins with the same bytes: two texts made apart would be two texts. */
const EMPTY = Automerge.save(
  Automerge.change(Automerge.init<Content>({ actor: actorOf(COMMON_START) }), { time: 0 }, (draft) => {
    draft.text = '';
  }),
);

export const engine: Engine = {
  about: {
    package: '@automerge/automerge',
    algorithm: 'RGA, in columns of operations',
    licence: 'MIT',
    kind: 'library',
  },
  open: ({ identity }) => bind(Automerge.load<Content>(EMPTY, { actor: actorOf(identity) })),
  load: (saved) => bind(Automerge.load<Content>(saved)),
};

function bind(opened: Automerge.Doc<Content>): EngineDocument {
  let document = opened;
  const change = (make: (draft: Content) => void) => {
    document = Automerge.change(document, { time: 0 }, make);
  };
  return {
    edit: (position, deleted, inserted) =>
      change((draft) => Automerge.splice(draft, PATH, position, deleted, inserted)),
    together: (make) =>
      change((draft) =>
        make((position, deleted, inserted) => Automerge.splice(draft, PATH, position, deleted, inserted)),
      ),
    text: () => document.text,
    takeUpdate: () => Automerge.getLastLocalChange(document)!,
    // Its documentation's way to take in what was concatenated; `applyChanges` takes a third longer.
    receive(received) {
      document = Automerge.loadIncremental(document, Buffer.concat(received));
    },
    save: () => [{ name: 'columns', history: true, bytes: Automerge.save(document) }],
    free: () => Automerge.free(document),
  };
}
