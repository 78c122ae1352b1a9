/** Messages between a relay and its clients besides the framework's own; see `servers/relay.ts`. */

/** In the query of a client's address: who it is, a random text that stays through all its connections. */
export const CLIENT_PARAMETER = 'client';
/** The same: how many messages of others it has had since it first joined; absent the first time. */
export const RECEIVED_PARAMETER = 'received';
/** The same: present if cursors travel too. Then every binary frame, both ways, begins with a byte that names its kind. */
export const PRESENCE_PARAMETER = 'presence';

/** Values of that byte. Presence is kept only in its newest state, and only of users who are still there. */
export const FRAME_KINDS = { message: 0, presence: 1 } as const;

export function frameOf(kind: keyof typeof FRAME_KINDS, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(1 + content.length);
  frame[0] = FRAME_KINDS[kind];
  frame.set(content, 1);
  return frame;
}

/** The relay's only text frame, once all that a client lacked is sent. */
export interface CaughtUp {
  /** How many messages of this client it holds. */
  taken: number;
  /** It knew nothing of this client, though that may come back: it has started anew, and counts from here on. */
  isNew: boolean;
}
