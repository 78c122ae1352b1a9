/** my-framework: its client, bound to the editor by the project's own binding. It runs in Chrome and in Node. */
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import Delta, { type Op } from 'quill-delta';
import { messageYjsSyncStep2, readSyncMessage, writeSyncStep1, writeUpdate } from 'y-protocols/sync';
import * as Y from 'yjs';
import {
  bindEditor,
  createBatcher,
  createLastingSocket,
  type EditorBinding,
  type FrameworkClient,
  gatherReceived,
  type JoinOptions,
  type Replica,
  unpackLineFormats,
} from '../../../../../editors/base/kit.ts';

/** The first number of each message that concerns the document. */
const SYNC = 0;
/** The origin of others' changes, in the document's transactions. */
const REMOTE = 'server';

export const client: FrameworkClient = {
  // TO WRITE: what a state that `save` returned holds.
  load(saved) {
    const doc = new Y.Doc();
    Y.applyUpdate(doc, saved);
    return contentsOf(doc);
  },

  // TO WRITE: your library's client in the place of that of Yjs. Join once it holds the document, which has exactly one
  // "\n" at first. Positions and lengths in deltas count UTF-16 units. A line's format comes as one attribute of its
  // "\n", which `LINE_FORMAT` names: hold it as any other attribute.
  async join({ url, documentId, editor, batching, ...callbacks }: JoinOptions): Promise<Replica> {
    const doc = createDocument();
    const text = doc.getText('text');
    let socket: WebSocket | null = null;
    let binding: EditorBinding | null = null;
    const send = (write: (encoder: encoding.Encoder) => void) => {
      const message = encoding.encode((encoder) => {
        encoding.writeVarUint(encoder, SYNC);
        write(encoder);
      });
      if (message.length > 1 && socket?.readyState === WebSocket.OPEN) socket.send(message);
    };

    // TO WRITE: send what the user did; called once for a send batch. If the library gathers by itself, leave it to it,
    // and say so in about.ts (`withoutSendBatching`).
    const outgoing = createBatcher<Uint8Array>(batching.sendMs, (updates) => {
      send((encoder) => writeUpdate(encoder, Y.mergeUpdates(updates)));
    });
    doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== REMOTE) outgoing.add(update);
    });

    // TO WRITE: hand the library what arrived within a receive batch, in order, and show all that this changed at once.
    const incoming = gatherReceived<decoding.Decoder>(batching, (messages) => {
      let isAnswered = false;
      const apply = () => {
        for (const message of messages) {
          if (decoding.peekVarUint(message) === messageYjsSyncStep2) isAnswered = true;
          send((answer) => readSyncMessage(message, answer, doc, REMOTE));
        }
      };
      Y.transact(doc, apply, REMOTE, false);
      if (isAnswered) lasting.inSync();
    });
    text.observe(({ transaction, delta }) => {
      if (transaction.origin === REMOTE) binding?.show(new Delta(delta as Op[]));
    });

    // TO WRITE: nothing, if the library takes a socket. Around one that opens its own stands `watchConnection`, as in
    // editors/yjs-hocuspocus/client.ts. Say `inSync` once the document is what the server holds: the first time, and each time
    // that the connection came back. Nothing may be lost by a break, and nothing come twice.
    const lasting = createLastingSocket({
      framework: 'my-framework',
      url: `${url}/${documentId}`,
      onOpen(opened) {
        socket = opened;
        // The server asks the same, so each side gets what it lacks of the other's.
        send((encoder) => writeSyncStep1(encoder, doc));
      },
      onMessage(data) {
        const message = decoding.createDecoder(new Uint8Array(data as ArrayBuffer));
        if (decoding.readVarUint(message) === SYNC) incoming.add(message);
      },
      onClose: () => incoming.flush(),
      // Reactions to a broken connection, and the harness's callbacks for it.
      ...callbacks,
    });
    await lasting.open();

    binding = bindEditor({
      editor,
      contents: new Delta(text.toDelta()),
      // TO WRITE: apply what the user did, at once: the editor has done it already.
      onChange: (change) => doc.transact(() => text.applyDelta(change.ops)),
    });
    return {
      // TO WRITE: what the document holds now, inserts only.
      contents: () => contentsOf(doc),
      // TO WRITE: the library's own saved state.
      save: () => Y.encodeStateAsUpdate(doc),
      async leave() {
        outgoing.flush();
        incoming.stop();
        binding?.unbind();
        lasting.close();
        doc.destroy();
      },
    };
  },
};

/** TO WRITE: a document that holds exactly one "\n", of the same bytes for everyone; if the server makes it, leave it to it. */
function createDocument(): Y.Doc {
  const seed = new Y.Doc();
  // As wide as a real user's: a small number would make saved states smaller than they are.
  seed.clientID = 3_904_217_655;
  seed.getText('text').insert(0, '\n');
  const doc = new Y.Doc();
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(seed));
  return doc;
}

function contentsOf(doc: Y.Doc): Delta {
  return unpackLineFormats(new Delta(doc.getText('text').toDelta()));
}
