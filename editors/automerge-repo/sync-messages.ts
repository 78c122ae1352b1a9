/** Automerge's sync messages that arrived together, as one: a receive batch is then one transaction, and one answer. */
import * as Automerge from '@automerge/automerge';

/** The second version holds changes in a form of its own, within which the first version's may stand, too. */
type SyncMessage = Automerge.DecodedSyncMessage & { type?: 'v1' | 'v2' };

/**
 * @param messages of one sender, in the order of sending; at least one. What each says of the sender's state holds until
 *        the next one; the changes add up.
 */
export function mergeSyncMessages(messages: readonly Uint8Array[]): Uint8Array {
  const [only] = messages;
  if (only !== undefined && messages.length === 1) return only;
  const decoded = messages.map((message): SyncMessage => Automerge.decodeSyncMessage(message));
  const merged: SyncMessage = { ...decoded.at(-1)!, changes: decoded.flatMap(({ changes }) => changes) };
  if (decoded.some(({ type }) => type === 'v2')) merged.type = 'v2';
  return Automerge.encodeSyncMessage(merged);
}

/** The heads of the sender's document when it wrote the message. */
export function headsOf(message: Uint8Array): Automerge.Heads {
  return Automerge.decodeSyncMessage(message).heads;
}
