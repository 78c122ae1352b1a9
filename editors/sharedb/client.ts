/** ShareDB: its client and the rich-text type, bound to the editor by the project's own binding. */
import type Delta from 'quill-delta';
import { Connection, type Doc, types } from 'sharedb/lib/client/index.js';
import { type Batcher, createBatcher, gatherReceived } from '../base/binding/batching.ts';
import { bindEditor, type EditorBinding } from '../base/binding/binding.ts';
import { unpackLineFormats } from '../base/binding/line-formats.ts';
import { createLastingSocket } from '../base/binding/reconnecting.ts';
import { composeAll } from '../base/delta.ts';
import type { FrameworkClient, JoinOptions, Replica } from '../base/framework.ts';
import { COLLECTION, SEED, TYPE, toDelta } from './document.ts';
import { sharePresence } from './presence.ts';
import { QUICK_TYPE, quickenDeltas } from './quicken.ts';

types.register(TYPE);

/** ShareDB puts its handlers on this once; the sockets behind it come and go. */
function createWire(socketNow: () => WebSocket | null, close: () => void) {
  return {
    get readyState() {
      return socketNow()?.readyState ?? WebSocket.CLOSED;
    },
    send: (data: string) => socketNow()?.send(data),
    close,
    onmessage(_event: { data: Message }) {},
    onopen() {},
    onclose(_event: CloseEvent) {},
    onerror() {},
  };
}

/**
 * Of two users who begin a document at the same time one hears twice that it is there: by the other's creation, after which
 * ShareDB fetches it, and by the answer to its own, which nothing waits for any more.
 */
const ALREADY_CREATED: unknown = 'ERR_DOC_ALREADY_CREATED';

/** Errors that ShareDB itself raises have such codes; others are of what is behind the server, such as a Redis that was away. */
const OF_SHAREDB = /^ERR_/;

interface Outcomes {
  ready: () => void;
  refused: (error: ShareDbError) => void;
  /** It may go better next time. */
  failed: (error: ShareDbError) => void;
}
type ShareDbError = { message: string; code?: unknown };

/**
 * Also after a break, when the document subscribes again by itself: this only asks to be told. The project's own server has made
 * the document. At any other the first user does; a second one at the same time gets the first's.
 */
function follow(doc: Doc, { ready, refused, failed }: Outcomes): void {
  doc.subscribe((error) => {
    if (error) (OF_SHAREDB.test(String(error.code)) ? refused : failed)(error);
    else if (doc.type !== null) ready();
    else doc.create(SEED, TYPE.uri, (problem) => (doc.type === null ? refused(problem!) : ready()));
  });
}

/** Of the server: what it is about, and whose it is. */
type Message = { a: string; src?: string };

export const client: FrameworkClient = {
  load: (saved) => unpackLineFormats(toDelta(JSON.parse(new TextDecoder().decode(saved)).data)),

  quicken() {
    types.register(QUICK_TYPE);
    quickenDeltas();
  },

  async join({ url, documentId, editor, batching, presence, ...callbacks }: JoinOptions): Promise<Replica> {
    let socket: WebSocket | null = null;
    const wire = createWire(
      () => socket,
      () => lasting.close(),
    );
    const connection = new Connection(wire);
    const doc: Doc = connection.get(COLLECTION, documentId);
    let binding: EditorBinding | null = null;

    const outgoing = createBatcher<Delta>(batching.sendMs, () => doc.resume());
    const received: Delta[] = [];
    doc.on('op', (op, source) => source === false && received.push(toDelta(op)));
    const isOwn = ({ a: action, src }: Message) => action === 'op' && src === connection.id;
    const incoming = gatherMessages(batching, isOwn, (messages) => {
      for (const data of messages) wire.onmessage({ data });
      const change = composeAll(received.splice(0));
      binding?.show(change);
    });
    const lasting = createLastingSocket({
      framework: 'sharedb',
      url: `${url}/${documentId}`,
      onOpen(opened) {
        socket = opened;
        wire.onopen();
      },
      onMessage(data) {
        incoming.add(JSON.parse(data as string));
        // Joining takes three round trips, and there is no editor yet to spare.
        if (binding === null) incoming.flush();
      },
      onClose(event) {
        incoming.flush();
        wire.onclose(event);
        outgoing.flush();
      },
      ...callbacks,
    });
    let isRefused = false;
    const reason = ({ message }: ShareDbError) => `sharedb cannot go on with the document: ${message}`;
    const refused = (error: ShareDbError) => {
      isRefused = true;
      lasting.refused(reason(error));
    };
    connection.on('error', refused);
    doc.on('error', (error) => {
      if (error.code !== ALREADY_CREATED) refused(error);
    });
    const failed = (error: ShareDbError) => lasting.failed(reason(error));
    connection.on('connected', () => follow(doc, { ready: lasting.inSync, refused, failed }));
    await lasting.open();

    binding = bindEditor({
      editor,
      contents: toDelta(doc.data),
      onChange(change) {
        // Messages that were on their way when the line broke are known as this user's own only after they are sent again. A
        // pause would hold that up: the document would take them for somebody else's, and have them twice.
        if (batching.sendMs > 0 && connection.canSend) doc.pause();
        doc.submitOp(change.ops, { source: true });
        outgoing.add(change);
      },
    });
    const stopPresence = presence && (await sharePresence({ connection, documentId, presence, editor, batching }));
    return {
      contents: () => unpackLineFormats(toDelta(doc.data)),
      save: () => new TextEncoder().encode(JSON.stringify(doc.toSnapshot())),
      isAcknowledged: () => !isRefused && isWritten(doc),
      async leave() {
        outgoing.flush();
        if (socket?.readyState === WebSocket.OPEN) await written(connection, doc);
        incoming.stop();
        stopPresence?.();
        binding?.unbind();
        lasting.close();
      },
    };
  },
};

/**
 * Gathers a receive batch. An acknowledgement, for which the next edit waits, changes no editor and waits in none; but it may not
 * overtake others' edits, after which the server took this user's.
 */
function gatherMessages(
  batching: JoinOptions['batching'],
  isAcknowledgement: (message: Message) => boolean,
  deliver: (messages: Message[]) => void,
): Batcher<Message> {
  let waiting = 0;
  const batcher = gatherReceived<Message>(batching, (messages) => {
    waiting = 0;
    deliver(messages);
  });
  return {
    ...batcher,
    add(message) {
      const isAlone = waiting++ === 0;
      batcher.add(message);
      if (isAlone && isAcknowledgement(message)) batcher.flush();
    },
  };
}

/** An operation that is refused is pending no more, but its document has no type until it is fetched anew. */
function isWritten(doc: Doc): boolean {
  return doc.type !== null && !doc.hasWritePending();
}

/** Until the server has taken all edits, each of which waits for the one before, or the connection breaks. */
function written(connection: Connection, doc: Doc): Promise<void> {
  return new Promise((resolve) => {
    connection.on('disconnected', () => resolve());
    doc.whenNothingPending(resolve);
  });
}
