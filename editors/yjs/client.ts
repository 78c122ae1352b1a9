/** Yjs: y-quill binds the editor; an own client of the stock sync protocol, because the stock one cannot batch. */
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import Delta from 'quill-delta';
import * as syncProtocol from 'y-protocols/sync';
import { QuillBinding } from 'y-quill';
import * as Y from 'yjs';
import { createBatcher } from '../batching.ts';
import { openSocket, whyClosed } from '../connection.ts';
import type { FrameworkClient, JoinOptions, Replica } from '../framework.ts';
import { SEED_UPDATE, TEXT_NAME } from './seed.ts';

/** First number of every message of the y-websocket protocol; awareness (1) is off here. */
const MESSAGE_SYNC = 0;

export const client: FrameworkClient = {
  load(saved) {
    const doc = new Y.Doc();
    Y.applyUpdate(doc, saved);
    return new Delta(doc.getText(TEXT_NAME).toDelta());
  },

  async join({ url, documentId, editor, batching, onLost }: JoinOptions): Promise<Replica> {
    const doc = new Y.Doc();
    Y.applyUpdate(doc, SEED_UPDATE);
    const socket = await openSocket({ framework: 'yjs', url: `${url}/${documentId}` });

    const outgoing = createBatcher<Uint8Array>(batching.sendMs, (updates) => {
      sendSync(socket, (encoder) => syncProtocol.writeUpdate(encoder, Y.mergeUpdates(updates)));
    });
    doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== socket) outgoing.add(update);
    });

    // One transaction per batch makes one Y.Text event, so y-quill updates the editor once.
    const incoming = createBatcher<decoding.Decoder>(batching.receiveMs, (messages) => {
      doc.transact(() => {
        for (const message of messages) readSync(socket, doc, message);
      }, socket);
    });

    await new Promise<void>((resolve, reject) => {
      sendSync(socket, (encoder) => syncProtocol.writeSyncStep1(encoder, doc));
      socket.onclose = ({ code }) => reject(new Error(whyClosed({ framework: 'yjs', code })));
      socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
        const message = decoding.createDecoder(new Uint8Array(data));
        if (decoding.readVarUint(message) !== MESSAGE_SYNC) return;
        const kind = decoding.peekVarUint(message);
        readSync(socket, doc, message);
        if (kind === syncProtocol.messageYjsSyncStep2) resolve();
      };
    });
    socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
      const message = decoding.createDecoder(new Uint8Array(data));
      if (decoding.readVarUint(message) === MESSAGE_SYNC) incoming.add(message);
    };
    socket.onclose = ({ code }) => onLost(whyClosed({ framework: 'yjs', code }));

    const text = doc.getText(TEXT_NAME);
    const binding = new QuillBinding(text, editor);
    return {
      contents: () => new Delta(text.toDelta()),
      save: () => Y.encodeStateAsUpdate(doc),
      async leave() {
        outgoing.flush();
        incoming.stop();
        binding.destroy();
        socket.onclose = null;
        socket.close();
        doc.destroy();
      },
    };
  },
};

function sendSync(socket: WebSocket, write: (encoder: encoding.Encoder) => void): void {
  const encoder = encoding.createEncoder();
  encoding.writeVarUint(encoder, MESSAGE_SYNC);
  write(encoder);
  socket.send(encoding.toUint8Array(encoder));
}

/** Applies an update, or answers a question of the server. */
function readSync(socket: WebSocket, doc: Y.Doc, message: decoding.Decoder): void {
  const answer = encoding.createEncoder();
  encoding.writeVarUint(answer, MESSAGE_SYNC);
  syncProtocol.readSyncMessage(message, answer, doc, socket);
  if (encoding.length(answer) > 1) socket.send(encoding.toUint8Array(answer));
}
