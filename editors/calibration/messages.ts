/** The kind of what a message of `yjs-relay` holds, which is one update of Yjs. */
import * as Y from 'yjs';

/** A deletion holds nothing else; a format holds the marks of its ends, and may replace others. */
export function kindOf(message: Uint8Array): 'deletion' | 'format' | 'other' {
  const { structs } = Y.decodeUpdate(message);
  if (structs.length === 0) return 'deletion';
  return structs.every((struct) => struct instanceof Y.Item && struct.content instanceof Y.ContentFormat)
    ? 'format'
    : 'other';
}
