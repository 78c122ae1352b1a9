/** A user's copy in a repository of its own, bound to the editor. */
import * as Automerge from '@automerge/automerge';
import { type DocHandle, Repo, Presence as RepoPresence } from '@automerge/automerge-repo';
import { changeBy, contentsOf, deltaOfPatches, type RichText, SEED } from '../automerge/rich-text.ts';
import { bindEditor } from '../base/binding/binding.ts';
import { unpackLineFormats } from '../base/binding/line-formats.ts';
import { type LibraryPresence, type PlacedCursor, shareCursors } from '../base/binding/shared-cursors.ts';
import type { JoinOptions, Presence, Replica } from '../base/framework.ts';
import { BatchingAdapter } from './adapter.ts';
import { documentIdOf } from './document-id.ts';
import { followConnection } from './reconnection.ts';

/** The library sends at most 100 ms after a change. Who leaves waits for the server's answer, but not for a broken connection. */
const LAST_ANSWER_LIMIT_MS = 1000;
const LAST_ANSWER_POLL_MS = 10;

/** @throws Error naming the framework if its server cannot be reached */
export async function joinRepo(options: JoinOptions): Promise<Replica> {
  const { url, documentId, editor, batching, begins = false, ...callbacks } = options;
  const adapter = new BatchingAdapter({ url: `${url}/${documentId}`, batching });
  const repo = new Repo({ network: [adapter] });
  let handle: DocHandle<RichText>;
  try {
    await adapter.connected;
    // Each brings the same beginning, which merges with itself: some servers never answer who asks for a document that nobody has.
    handle = begins
      ? repo.import<RichText>(SEED, { docId: documentIdOf(documentId) })
      : await repo.find<RichText>(documentIdOf(documentId));
  } catch (error) {
    await repo.shutdown();
    throw error;
  }

  let isCommitting = false;
  const binding = bindEditor({
    editor,
    contents: contentsOf(handle.doc()),
    // The library gathers what it sends by itself, within 100 ms.
    onChange(change) {
      isCommitting = true;
      try {
        handle.update((document) => changeBy(document, change));
      } finally {
        isCommitting = false;
      }
    },
  });
  // The library emits "change" for its own changes and for the others' alike, within the task that makes them.
  handle.on('change', ({ patches }) => {
    if (!isCommitting) binding.show(deltaOfPatches(patches));
  });
  const stopPresence = options.presence && startPresence(handle, options.presence, options);
  const { watcher, serverHas, stop } = followConnection({
    ...callbacks,
    document: () => handle.doc(),
    giveUp: () => adapter.disconnect(),
  });
  adapter.watcher = watcher;

  return {
    contents: () => unpackLineFormats(contentsOf(handle.doc())),
    save: () => Automerge.save(handle.doc()),
    async leave() {
      stopPresence?.();
      const last = Automerge.getLastLocalChange(handle.doc());
      const hash = last && Automerge.decodeChange(last).hash;
      const isOwed = () => hash !== undefined && !serverHas(hash);
      for (let waitedMs = 0; waitedMs < LAST_ANSWER_LIMIT_MS && isOwed(); waitedMs += LAST_ANSWER_POLL_MS) {
        await new Promise((resolve) => setTimeout(resolve, LAST_ANSWER_POLL_MS));
      }
      stop();
      binding.unbind();
      handle.removeAllListeners('change');
      await repo.shutdown();
    },
  };
}

/** @returns a function that ends it */
function startPresence(handle: DocHandle<RichText>, user: Presence, { editor, batching }: JoinOptions): () => void {
  const presence = joinPresence({ handle, user, onHeard: () => cursors.heard() });
  const cursors = shareCursors({ editor, presence, batching });
  return () => {
    cursors.stop();
    presence.leave();
  };
}

/** Its channels: what changes is sent by itself. */
type State = { user: Presence; cursor: PlacedCursor<Automerge.Cursor> | null };

const PATH = ['text'];

/**
 * automerge-repo's Presence, which sends by ephemeral messages of the document's handle. Cursors are Automerge's.
 *
 * @param options.onHeard called when an other came, moved, or went
 */
function joinPresence(options: {
  handle: DocHandle<RichText>;
  user: Presence;
  onHeard: () => void;
}): LibraryPresence<Automerge.Cursor> & { leave(): void } {
  const { handle, user, onHeard } = options;
  const presence = new RepoPresence<State, RichText>({ handle });
  for (const event of ['update', 'snapshot', 'goodbye', 'pruning'] as const) presence.on(event, onHeard);
  presence.start({ initialState: { user, cursor: null } });
  return {
    placeAt: (index) => Automerge.getCursor(handle.doc(), PATH, index),
    indexOf: (place) => indexOf(handle.doc(), place),
    isSame: (one, other) => one === other,
    tell: (cursor) => presence.broadcast('cursor', cursor),
    *others() {
      for (const [id, { value }] of Object.entries(presence.getPeerStates().value)) {
        // The first message of a peer may come after a later one.
        if (value.user !== undefined) yield [id, { ...value.user, cursor: value.cursor ?? null }];
      }
    },
    leave: () => presence.stop(),
  };
}

function indexOf(document: Automerge.Doc<RichText>, place: Automerge.Cursor): number | null {
  try {
    return Automerge.getCursorPosition(document, PATH, place);
  } catch {
    // The character has not arrived.
    return null;
  }
}
