/** Presence through the relay: messages of the library's own, which the relay passes on and puts into no log. */
import type { JoinOptions, Presence } from '../framework.ts';
import { type LibraryPresence, type SharedCursors, shareCursors } from './shared-cursors.ts';

export interface PresenceJoin {
  user: Presence;
  send: (message: Uint8Array) => void;
  /** To be called when an other came, moved, or went. */
  onHeard: () => void;
}

/** A library's presence whose messages go through the relay. Who comes later gets the last one of each who is there. */
export interface RelayedPresence<Place = unknown> extends LibraryPresence<Place> {
  receive(message: Uint8Array): void;
  /** Says so to the others, and ends what it does by itself. */
  leave(): void;
}

export interface JoinedPresence {
  receive(message: Uint8Array): void;
  /** The document is open, and bound to the editor. */
  begin(): void;
  tellAgain(): void;
  leave(): void;
}

/** @returns absent if this user takes no part, or the library has no presence */
export function joinPresence(
  document: { joinPresence?(options: PresenceJoin): RelayedPresence },
  { editor, batching, presence: user }: JoinOptions,
  send: (message: Uint8Array) => void,
): JoinedPresence | undefined {
  if (user === undefined || document.joinPresence === undefined) return undefined;
  const early: Uint8Array[] = [];
  let presence: RelayedPresence | null = null;
  let cursors: SharedCursors | null = null;
  return {
    receive(message) {
      if (presence === null) early.push(message);
      else presence.receive(message);
    },
    begin() {
      presence = document.joinPresence!({ user, send, onHeard: () => cursors?.heard() });
      for (const message of early) presence.receive(message);
      cursors = shareCursors({ editor, presence, batching });
    },
    tellAgain: () => cursors?.tellAgain(),
    leave() {
      cursors?.stop();
      presence?.leave();
    },
  };
}
