/** EditorDriver without a browser: a session at NoQuill in this process, where the framework's client runs too. */
import type { FrameworkClient } from '../../../editors/base/framework.ts';
import { SentKeeper, type SentMessages } from '../../../editors/base/instrument/traffic.ts';
import { createNoQuillScreen, type NoQuillScreen } from '../../../editors/base/noquill/screen.ts';
import { openSession, type Session } from '../../../editors/base/page/session.ts';
import { nowMs } from '../../../infra/clock.ts';
import { takeCpuProfile } from '../../probes/cpu-profile.ts';
import type { Sent } from '../../trial/protocol.ts';
import { copiesOf } from '../copies.ts';
import { ClientFailure, type EditorDriver } from '../editor-driver.ts';
import { type Gestures, performHere } from '../typing/perform.ts';
import { Client } from './client.ts';
import { gesturesAt } from './gestures.ts';

/** Stamps of the screen are taken in a task of their own, after the change. */
const afterStamps = () => new Promise((resolve) => setTimeout(resolve));

/** Two users' profiles at a time would be two of the same thread, each of which holds both up. */
let profileUnderWay: Promise<string> | null = null;

export function createNodeDriver(framework: FrameworkClient): EditorDriver {
  let screen: NoQuillScreen;
  let client: Client;
  let session: Session;
  let gestures: Gestures<void>;
  let address = '';
  const keeper = new SentKeeper();
  return {
    async join(assignment, events) {
      const { serverUrl, documentId, batching, presence, keepsSent, faults, user } = assignment;
      address = serverUrl;
      screen = createNoQuillScreen(null, { hasCursors: presence !== undefined });
      client = new Client((message) => events.onPageError(nowMs(), message), keepsSent ? keeper : null);
      const open = () =>
        openSession({
          client: framework,
          screen,
          url: serverUrl,
          documentId,
          batching,
          presence,
          // The end of a new document's only line must have an author.
          ownsEnd: user === 0,
          onSigil: events.onSigil,
          onLost: (reason) => events.onLost(reason, 'framework'),
          onBroken: () => events.onBroken(nowMs()),
          onReconnected: () => events.onReconnected(nowMs()),
          expectsFaults: faults.length > 0,
          onCursorMoved: (movedBy) => events.onCursorMoved(nowMs(), movedBy),
        });
      const opening = client.run(open);
      session = await opening.catch((error: Error) => {
        throw new ClientFailure(error);
      });
      gestures = gesturesAt(screen.editor, session);
      screen.editor.focus();
    },
    async perform(action) {
      client.run(() => {
        try {
          performHere(gestures, action);
        } catch (error) {
          // As in a page, where it is thrown within the event of the key.
          client.failed(error);
        }
      });
    },
    // The screen's clock is this process's.
    measureClock: async () => ({ offsetMs: 0, errorMs: 0 }),
    state: () => session.state(),
    leave: () => client.run(() => session.leave()),

    async flush() {
      await afterStamps();
    },
    async sample() {
      const traffic = { ...client.traffic.read(), sentMessages: null, receivedMessages: null };
      return { atMs: nowMs(), characters: session.characters(), traffic };
    },
    ownEdits: async () => session.ownEdits(),
    ownSigils: async () => session.ownSigils(),
    cursorNames: async () => session.cursorNames(),
    copies: (options) => copiesOf(session, options),
    async sent() {
      const sent = await keeper.sent(address);
      return sent.map(({ path, frames }) => ({ path, frames: frames.map(frameAsJson) }));
    },
    contents: async () => session.contents(),
    savedStateBase64: async () => Buffer.from(session.savedState()).toString('base64'),
    // Not `heapBytes`: the users of a process share its heap.
    profile(durationMs) {
      profileUnderWay ??= takeCpuProfile(durationMs).finally(() => {
        profileUnderWay = null;
      });
      return profileUnderWay;
    },
  };
}

function frameAsJson({ atMs, frame }: SentMessages['frames'][number]): Sent['frames'][number] {
  return typeof frame === 'string' ? { atMs, text: frame } : { atMs, base64: Buffer.from(frame).toString('base64') };
}
