/** Repositories name a document by 16 bytes, which both halves make of the name that a trial gives it. */
import { type BinaryDocumentId, type DocumentId, interpretAsDocumentId } from '@automerge/automerge-repo';
import { digest } from 'lib0/hash/sha256';

/** The length of a UUID, which a repository would draw at random. */
const LENGTH = 16;

export function documentIdOf(name: string): DocumentId {
  const bytes = digest(new TextEncoder().encode(name)).slice(0, LENGTH);
  return interpretAsDocumentId(bytes as Uint8Array as BinaryDocumentId);
}
