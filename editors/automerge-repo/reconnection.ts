/** Tells when a broken connection is of use again, and when it is gone for good. */
import * as Automerge from '@automerge/automerge';
import { CLOSED_TOO_LARGE, RECONNECT_LIMIT_MS, whyClosed } from '../base/binding/reconnecting.ts';
import type { JoinOptions } from '../base/framework.ts';
import { type ConnectionWatcher, headsOf } from './adapter.ts';

/**
 * It is of use again when the replica has all that the server had, and the server all that the replica had, when they
 * met again.
 *
 * @returns the watcher, and what ends it
 */
export function watchConnection(
  options: Pick<JoinOptions, 'onBroken' | 'onReconnected' | 'onLost' | 'reconnectLimitMs'> & {
    document: () => Automerge.Doc<unknown>;
  },
): { watcher: ConnectionWatcher; stop: () => void } {
  const { document, onBroken, onLost, onReconnected, reconnectLimitMs = RECONNECT_LIMIT_MS } = options;
  let isBroken = false;
  let giveUp: ReturnType<typeof setTimeout> | null = null;
  let headsOnReturn: Automerge.Heads | null = null;
  let hasHeardSince = false;
  /** The adapter stays, and so do the ends of connections that it may still tell of. */
  let isOver = false;

  const endBreak = () => {
    isBroken = false;
    if (giveUp !== null) clearTimeout(giveUp);
    giveUp = null;
    headsOnReturn = null;
  };
  const stop = () => {
    isOver = true;
    endBreak();
  };
  const lose = (why: string) => {
    stop();
    onLost(why);
  };
  const returnInStep = () => {
    endBreak();
    onReconnected();
  };
  const checkInSync = (theirs: Automerge.Heads) => {
    const mine = headsOnReturn;
    if (mine === null || !Automerge.hasHeads(document(), theirs)) return;
    const missingThere = Automerge.getChangesMetaSince(document(), theirs);
    if (missingThere.some(({ hash }) => mine.includes(hash))) return;
    returnInStep();
  };
  return {
    watcher: {
      onConnected() {
        if (isOver) return;
        headsOnReturn = Automerge.getHeads(document());
        hasHeardSince = false;
      },
      onBroken(code) {
        if (isOver) return;
        headsOnReturn = null;
        const why = whyClosed({ framework: 'automerge-repo', code });
        if (code === CLOSED_TOO_LARGE) {
          // It would be sent again.
          lose(why);
        } else if (!isBroken) {
          isBroken = true;
          onBroken?.();
          if (reconnectLimitMs === null) return;
          const tooLate = `${why}, and it was not back in step within ${reconnectLimitMs / 1000} s`;
          giveUp = setTimeout(() => {
            // The library says nothing if neither side lacks anything.
            if (headsOnReturn !== null && !hasHeardSince) returnInStep();
            else lose(tooLate);
          }, reconnectLimitMs);
        }
      },
      onReceived(message) {
        if (headsOnReturn === null) return;
        hasHeardSince = true;
        const theirs = headsOf(message);
        // The repository takes the message in within microtasks.
        setTimeout(() => checkInSync(theirs));
      },
    },
    stop,
  };
}
