/** Messages between a relay and its clients besides the framework's own; see `servers/relay.ts`. */

/** In the query of a client's address: who it is, a random text that stays through all its connections. */
export const CLIENT_PARAMETER = 'client';
/** The same: the log that it comes back to (`CaughtUp`); absent the first time. */
export const LOG_PARAMETER = 'log';
/** The same: how many messages of others it has had since it first joined that log. */
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
  /**
   * Which log of the document that is: a random text. A relay that has started anew has another one, in which all counts
   * begin anew.
   */
  log: string;
}
