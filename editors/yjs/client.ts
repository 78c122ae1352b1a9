/** Yjs: y-quill binds the editor; an own client of the stock sync protocol, because the stock one cannot batch. */
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import * as syncProtocol from 'y-protocols/sync';
import * as Y from 'yjs';
import { createBatcher, gatherReceived } from '../base/binding/batching.ts';
import { createLastingSocket } from '../base/binding/reconnecting.ts';
import type { FrameworkClient, JoinOptions, Replica } from '../base/framework.ts';
import { createDocument, loadDocument, PACKED, receiveTogether, type YjsBinding } from './document.ts';
import { quickenEvents } from './quick-events.ts';

/** First number of every message of the y-websocket protocol; awareness (1) is off here. */
const MESSAGE_SYNC = 0;

/** The origin of what comes from the server, in the document's transactions. */
const REMOTE = 'server';

export const client: FrameworkClient = yjsClient('yjs', PACKED);

/** A client of the stock sync protocol, with this binding. */
export function yjsClient(framework: string, binding: YjsBinding): FrameworkClient {
  return {
    load: (saved) => binding.contentsOf(loadDocument(saved)),
    join: (options) => join(framework, binding, options),
    quicken: quickenEvents,
  };
}

async function join(framework: string, { bind, contentsOf }: YjsBinding, options: JoinOptions): Promise<Replica> {
  const { url, documentId, editor, batching, ...told } = options;
  const doc = createDocument();
  let socket: WebSocket | null = null;
  // What is not sent while the connection is broken is in the answer to the server's next question.
  const sendSync = (write: (encoder: encoding.Encoder) => void) => {
    const encoder = encoding.createEncoder();
    encoding.writeVarUint(encoder, MESSAGE_SYNC);
    write(encoder);
    const isEmpty = encoding.length(encoder) === 1;
    if (!isEmpty && socket?.readyState === WebSocket.OPEN) socket.send(encoding.toUint8Array(encoder));
  };

  const outgoing = createBatcher<Uint8Array>(batching.sendMs, (updates) => {
    sendSync((encoder) => syncProtocol.writeUpdate(encoder, Y.mergeUpdates(updates)));
  });
  doc.on('update', (update: Uint8Array, origin: unknown) => {
    if (origin !== REMOTE) outgoing.add(update);
  });
  const incoming = gatherReceived<decoding.Decoder>(batching, (messages) => {
    let answered = false;
    receiveTogether(doc, REMOTE, () => {
      for (const message of messages) {
        if (decoding.peekVarUint(message) === syncProtocol.messageYjsSyncStep2) answered = true;
        sendSync((answer) => syncProtocol.readSyncMessage(message, answer, doc, REMOTE));
      }
    });
    if (answered) connection.inSync();
  });

  const connection = createLastingSocket({
    framework,
    url: `${url}/${documentId}`,
    onOpen(opened) {
      socket = opened;
      sendSync((encoder) => syncProtocol.writeSyncStep1(encoder, doc));
    },
    onMessage(data) {
      const message = decoding.createDecoder(new Uint8Array(data as ArrayBuffer));
      if (decoding.readVarUint(message) === MESSAGE_SYNC) incoming.add(message);
    },
    onClose: () => incoming.flush(),
    ...told,
  });
  await connection.open();
  const binding = bind(doc, editor);
  return {
    contents: () => contentsOf(doc),
    save: () => Y.encodeStateAsUpdate(doc),
    async leave() {
      outgoing.flush();
      incoming.stop();
      binding.destroy();
      connection.close();
      doc.destroy();
    },
  };
}
