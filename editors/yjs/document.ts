/** The document of both Yjs frameworks, and its binding: they differ in how it travels only. */
import Delta from 'quill-delta';
import { QuillBinding } from 'y-quill';
import * as Y from 'yjs';
import type { Editor } from '../base/editor.ts';
import { SEED_UPDATE, TEXT_NAME } from './seed.ts';

/** A document that holds the seed, and nothing else. */
export function createDocument(): Y.Doc {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, SEED_UPDATE);
  return doc;
}

/** The document that a saved state holds. */
export function loadDocument(saved: Uint8Array): Delta {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, saved);
  return contentsOf(doc);
}

/** What the document holds; formats as y-quill keeps them, header and list as attributes of their own. */
export function contentsOf(doc: Y.Doc): Delta {
  return new Delta(doc.getText(TEXT_NAME).toDelta());
}

export function bindToEditor(doc: Y.Doc, editor: Editor): { destroy(): void } {
  return new QuillBinding(doc.getText(TEXT_NAME), editor);
}

/**
 * Runs what applies a batch of received messages as one remote transaction: it makes one event, so y-quill updates the
 * editor once. Remote, because Yjs then cleans up formats that concurrent edits left twice, as it does message by message.
 */
export function receiveTogether(doc: Y.Doc, origin: unknown, apply: () => void): void {
  Y.transact(doc, apply, origin, false);
}
