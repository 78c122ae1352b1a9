/** Automerge before its core was written in Rust: all JavaScript, with a `Text` that is a list of characters. */
import { createRequire } from 'node:module';
import type { Engine, EngineDocument } from './engine.ts';
import { bytesOf, COMMON_START } from './identity.ts';

/** The part of the package that is used: its types do not name the exports of its CommonJS module. */
interface Classic {
  init(actor: string): Document;
  change(document: Document, options: { time: number }, make: (draft: { text: ClassicText }) => void): Document;
  getLastLocalChange(document: Document): Uint8Array;
  applyChanges(document: Document, changes: readonly Uint8Array[]): [Document];
  save(document: Document): Uint8Array;
  load(saved: Uint8Array, actor?: string): Document;
  free(document: Document): void;
  Text: new () => ClassicText;
}
type Document = { readonly text: ClassicText };
interface ClassicText {
  insertAt?(index: number, ...characters: string[]): void;
  deleteAt?(index: number, count: number): void;
  toString(): string;
}

const Automerge = createRequire(import.meta.url)('automerge') as Classic;
/** An actor is 16 random bytes. */
const actorOf = (identity: number) => bytesOf(identity, 16).toString('hex');
const EMPTY = Automerge.save(
  Automerge.change(Automerge.init(actorOf(COMMON_START)), { time: 0 }, (draft) => {
    draft.text = new Automerge.Text();
  }),
);

export const engine: Engine = {
  about: {
    package: 'automerge',
    algorithm: 'RGA',
    licence: 'MIT',
    kind: 'library',
    wideCharacters: false,
    prefix: { edits: 20_000, why: 'all of a long trace takes it minutes and nearly a gigabyte' },
  },
  open: ({ identity }) => bind(Automerge.load(EMPTY, actorOf(identity))),
  load: (saved) => bind(Automerge.load(saved)),
};

function bind(opened: Document): EngineDocument {
  let document = opened;
  const edit = (text: ClassicText, position: number, deleted: number, inserted: string) => {
    if (deleted > 0) text.deleteAt!(position, deleted);
    // One element for each unit, as positions count: of a character of two units it would keep neither.
    if (inserted !== '') text.insertAt!(position, ...inserted.split(''));
  };
  return {
    edit(position, deleted, inserted) {
      document = Automerge.change(document, { time: 0 }, ({ text }) => edit(text, position, deleted, inserted));
    },
    together(make) {
      document = Automerge.change(document, { time: 0 }, ({ text }) =>
        make((position, deleted, inserted) => edit(text, position, deleted, inserted)),
      );
    },
    text: () => document.text.toString(),
    takeUpdate: () => Automerge.getLastLocalChange(document),
    receive(received) {
      [document] = Automerge.applyChanges(document, received);
    },
    save: () => [{ name: 'columns', history: true, bytes: Automerge.save(document) }],
    free: () => Automerge.free(document),
  };
}
