/** Where users find a document, and what they hold of it, for comparing with another's: in a page and in Node. */
import { digest, shownDelta } from '../../editors/base/delta.ts';
import type { Editor } from '../../editors/base/editor.ts';
import type { Batching, Replica } from '../../editors/base/framework.ts';

/** Users of this scenario are given all at once: what gathering would add to each message is a choice, no library's. */
export const AT_ONCE: Batching = { receiveMs: 0, sendMs: 0 };

/** As users in Node have it by default in trials of typing. */
export const AS_IN_TYPING: Batching = { receiveMs: 50, sendMs: 0 };

/** The address of a document. */
export interface Place {
  url: string;
  documentId: string;
}

/** The same for all who hold the same document. */
export interface HeldDocument {
  editorDigest: string;
  /** Digest of the document that the model has to show. */
  modelDigest: string;
  length: number;
}

export async function heldBy(editor: Editor, replica: Replica): Promise<HeldDocument> {
  return {
    editorDigest: await digest(editor.getContents()),
    modelDigest: await digest(shownDelta(replica.contents())),
    length: editor.getLength(),
  };
}
