/**
 * In the place of `lib0/broadcastchannel`, by which clients of one browser tell one another their edits past the server. Users of
 * one Node process are not in one browser: each is as alone with it as in Chrome, where each has a context of its own.
 */
export function subscribe<Listener>(_room: string, listener: Listener): Listener {
  return listener;
}

export function unsubscribe(): boolean {
  return false;
}

export function publish(): void {}
