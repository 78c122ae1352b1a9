/** EditorDriver without a browser: a session at NoQuill in this process, where the framework's client runs too. */
import type { FrameworkClient } from '../../../editors/base/framework.ts';
import { createNoQuillScreen } from '../../../editors/base/noquill/screen.ts';
import { openSession, type Session } from '../../../editors/base/page/session.ts';
import { copiesOf } from '../copies.ts';
import type { EditorDriver } from '../editor-driver.ts';
import { performAt } from './perform.ts';

/** What the screen shows is stamped in a task of its own, after the change. */
const afterStamps = () => new Promise((resolve) => setTimeout(resolve));

export function createHeadlessDriver(client: FrameworkClient): EditorDriver {
  const screen = createNoQuillScreen(null);
  let session: Session;
  return {
    async join({ serverUrl, documentId, batching, user }, { onSigil, onLost, onReconnected }) {
      session = await openSession({
        client,
        screen,
        url: serverUrl,
        documentId,
        batching,
        // Of what a new document holds, somebody must be the author.
        ownsContents: user === 0,
        onSigil,
        onLost,
        onReconnected: () => onReconnected(performance.timeOrigin + performance.now()),
      });
      screen.editor.focus();
    },
    async perform(action) {
      performAt(screen.editor, session, action);
    },
    // The screen's clock is this process's.
    measureClock: async () => ({ offsetMs: 0, errorMs: 0 }),
    state: () => session.state(),
    leave: () => session.leave(),

    // Not `sample`: the clients of this process share one WebSocket class, so nobody tells whose bytes are whose.
    async flush() {
      await afterStamps();
    },
    ownEdits: async () => session.ownEdits(),
    ownSigils: async () => session.ownSigils(),
    copies: (options) => copiesOf(session, options),
    contents: async () => session.contents(),
    savedStateBase64: async () => Buffer.from(session.savedState()).toString('base64'),
  };
}
