/** An update of Loro, as a value to read, for `explore --trace`: the operations that it brings of each peer, from and to. */
import { decodeImportBlobMeta } from 'loro-crdt';

export function decodeUpdate(update: Uint8Array): unknown {
  const { mode, partialStartVersionVector, partialEndVersionVector } = decodeImportBlobMeta(update, false);
  return { mode, from: partialStartVersionVector.toJSON(), to: partialEndVersionVector.toJSON() };
}
