/** Repositories name a document by 16 bytes, which both halves make of the name that a trial gives it, unless it is a URL of theirs. */
import {
  type BinaryDocumentId,
  type DocumentId,
  interpretAsDocumentId,
  isValidAutomergeUrl,
} from '@automerge/automerge-repo';
import { digest } from 'lib0/hash/sha256';

/** The length of a UUID, which a repository would draw at random. */
const LENGTH = 16;

export function documentIdOf(name: string): DocumentId {
  if (isValidAutomergeUrl(name)) return interpretAsDocumentId(name);
  const bytes = digest(new TextEncoder().encode(name)).slice(0, LENGTH);
  return interpretAsDocumentId(bytes as Uint8Array as BinaryDocumentId);
}
