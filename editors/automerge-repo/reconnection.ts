/** Tells when a broken connection is of use again, and when it is gone for good. */
import * as Automerge from '@automerge/automerge';
import { type WatchOptions, watchConnection } from '../base/binding/reconnecting.ts';
import { type ConnectionWatcher, headsOf } from './adapter.ts';

/**
 * Follows a connection from when the user has joined. It is of use again when the replica has all that the server had, and the
 * server all that the replica had, when they met again.
 *
 * @returns the watcher; whether the server told that it has a change, by its hash; and what ends it
 */
export function followConnection(
  options: Omit<WatchOptions, 'framework' | 'isBackUnsaid'> & { document: () => Automerge.Doc<unknown> },
): { watcher: ConnectionWatcher; serverHas: (change: string) => boolean; stop: () => void } {
  const { document } = options;
  let lastReceived: Uint8Array | null = null;
  /** Null unless the connection is back, and not known to be of use yet. */
  let headsOnReturn: Automerge.Heads | null = null;
  let hasHeardSince = false;
  const watch = watchConnection({
    ...options,
    framework: 'automerge-repo',
    // The library says nothing if neither side lacks anything.
    isBackUnsaid: () => headsOnReturn !== null && !hasHeardSince,
  });
  watch.inSync();

  const checkInSync = (theirs: Automerge.Heads) => {
    const mine = headsOnReturn;
    if (mine === null || !Automerge.hasHeads(document(), theirs)) return;
    const missingThere = Automerge.getChangesMetaSince(document(), theirs);
    if (missingThere.some(({ hash }) => mine.includes(hash))) return;
    headsOnReturn = null;
    watch.inSync();
  };
  const isMissingAt = (theirs: Automerge.Heads, change: string) =>
    !Automerge.hasHeads(document(), theirs) ||
    Automerge.getChangesMetaSince(document(), theirs).some(({ hash }) => hash === change);
  return {
    watcher: {
      onConnected() {
        headsOnReturn = Automerge.getHeads(document());
        hasHeardSince = false;
      },
      onBroken(code) {
        headsOnReturn = null;
        watch.broke(code);
      },
      onReceived(message) {
        lastReceived = message;
        if (headsOnReturn === null) return;
        hasHeardSince = true;
        const theirs = headsOf(message);
        // The repository takes the message in within microtasks.
        setTimeout(() => checkInSync(theirs));
      },
    },
    serverHas: (change) => lastReceived !== null && !isMissingAt(headsOf(lastReceived), change),
    stop: watch.stop,
  };
}
