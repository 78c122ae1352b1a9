/** Repositories name a document by a UUID, which both halves make of the name that a trial gives it, unless that is a URL of theirs. */
import {
  type BinaryDocumentId,
  type DocumentId,
  interpretAsDocumentId,
  isValidAutomergeUrl,
} from '@automerge/automerge-repo';
import { digest } from 'lib0/hash/sha256';

const UUID_BYTES = 16;

export function documentIdOf(name: string): DocumentId {
  if (isValidAutomergeUrl(name)) return interpretAsDocumentId(name);
  const bytes = digest(new TextEncoder().encode(name)).slice(0, UUID_BYTES);
  // Version 4, variant 1: older repositories take no other.
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return interpretAsDocumentId(bytes as Uint8Array as BinaryDocumentId);
}
