/** The document of the Yjs frameworks that use y-quill, and its binding: they differ in how it travels only. */
import Delta from 'quill-delta';
import { Awareness } from 'y-protocols/awareness';
import { QuillBinding } from 'y-quill';
import * as Y from 'yjs';
import { packedEditor } from '../base/binding/binding.ts';
import { unpackLineFormats } from '../base/binding/line-formats.ts';
import type { Editor } from '../base/editor.ts';
import type { Presence } from '../base/framework.ts';

const TEXT_NAME = 'text';

/** As wide as the client number of any first author: 32 bits, drawn once. */
const SEED_CLIENT = 2_781_604_397;

/** The document that every replica starts from: exactly one "\n", as the same bytes for everyone. */
const SEED_UPDATE = makeSeed();

function makeSeed(): Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = SEED_CLIENT;
  doc.getText(TEXT_NAME).insert(0, '\n');
  return Y.encodeStateAsUpdate(doc);
}

/** The binding of an editor to a document's text. */
export interface YjsBinding {
  /** @param awareness source of the cursors that the editor shows; it learns of the editor's own. Absent: none */
  bind(doc: Y.Doc, editor: Editor, awareness?: Awareness): { destroy(): void };
  /** The document's contents, in the editor's form. */
  contentsOf(doc: Y.Doc): Delta;
}

/** y-quill unchanged, with an editor that keeps a line's format in one attribute, on which any two users agree. */
export const PACKED: YjsBinding = {
  bind: (doc, editor, awareness) => new QuillBinding(textOf(doc), packedEditor(editor), awareness),
  contentsOf: (doc) => unpackLineFormats(deltaOf(doc)),
};

/** y-quill as it comes: header and list are attributes of their own. */
export const STOCK: YjsBinding = {
  bind: (doc, editor, awareness) => new QuillBinding(textOf(doc), editor, awareness),
  contentsOf: deltaOf,
};

/** A document that holds the seed, and nothing else. */
export function createDocument(): Y.Doc {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, SEED_UPDATE);
  return doc;
}

/** The document that a saved state holds. */
export function loadDocument(saved: Uint8Array): Y.Doc {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, saved);
  return doc;
}

export function textOf(doc: Y.Doc): Y.Text {
  return doc.getText(TEXT_NAME);
}

/** The text as Yjs holds it. */
export function deltaOf(doc: Y.Doc): Delta {
  return new Delta(textOf(doc).toDelta());
}

/**
 * Runs what applies a batch of received messages as one remote transaction: it makes one event, so y-quill updates the
 * editor once. Remote, because Yjs then cleans up formats that concurrent edits left twice, as it does message by message.
 */
export function receiveTogether(doc: Y.Doc, origin: unknown, apply: () => void): void {
  Y.transact(doc, apply, origin, false);
}

/** It tells the others anew every 15 s that its user is there, until it is destroyed. */
export function createAwareness(doc: Y.Doc, { name, colour }: Presence): Awareness {
  const awareness = new Awareness(doc);
  awareness.setLocalStateField('user', { name, color: colour });
  return awareness;
}

/** A change of awareness, by client. */
export type AwarenessChange = Record<'added' | 'updated' | 'removed', number[]>;

/** The origin of what this user changed itself. */
export const LOCAL = 'local';
