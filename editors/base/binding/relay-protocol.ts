/** What a relay and its clients say to each other besides the framework's own messages; see `servers/relay.ts`. */

/** In the query of a client's address: who it is, a random text that stays through all its connections. */
export const CLIENT_PARAMETER = 'client';
/** The same: how many messages of others it has had since it first joined; absent the first time. */
export const RECEIVED_PARAMETER = 'received';

/** The relay's only text frame, once all that a client lacked is sent. */
export interface CaughtUp {
  /** How many messages of this client it holds. */
  taken: number;
  /** It knew nothing of this client, though that may come back: it has started anew, and counts from here on. */
  isNew: boolean;
}
