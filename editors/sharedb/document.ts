/** The agreements between both halves of ShareDB: the type, a document's place, and its first contents. */
import Delta, { type Op } from 'quill-delta';
import richText from 'rich-text';

export const TYPE = richText.type;
export const COLLECTION = 'documents';

/** The document as it is created for the first user, once. */
export const SEED: Op[] = [{ insert: '\n' }];

/** A document or change of the type, as the editors' delta. The type brings a `quill-delta` of its own, an older one. */
export function toDelta(operations: Op[] | { ops: Op[] }): Delta {
  return new Delta(operations);
}
