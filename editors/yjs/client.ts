/** Yjs: y-quill binds the editor; an own client of the stock sync protocol, because the stock one cannot batch. */
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import { applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness';
import * as syncProtocol from 'y-protocols/sync';
import * as Y from 'yjs';
import { createBatcher, gatherReceived } from '../base/binding/batching.ts';
import { createLastingSocket } from '../base/binding/reconnecting.ts';
import type { FrameworkClient, JoinOptions, Replica } from '../base/framework.ts';
import {
  type AwarenessChange,
  createAwareness,
  createDocument,
  LOCAL,
  loadDocument,
  PACKED,
  receiveTogether,
  type YjsBinding,
} from './document.ts';
import { quicken } from './quicken.ts';

/** First number of every message of the y-websocket protocol. */
const MESSAGE_SYNC = 0;
/** Sent only if some client has told of its cursor. */
const MESSAGE_AWARENESS = 1;

/** The origin of what comes from the server, in the document's transactions. */
const REMOTE = 'server';

export const client: FrameworkClient = yjsClient('yjs', PACKED);

/** A message behind its type. */
interface Received {
  type: number;
  message: decoding.Decoder;
}

/** A client of the stock sync protocol, with this binding. */
export function yjsClient(framework: string, binding: YjsBinding): FrameworkClient {
  return {
    load: (saved) => binding.contentsOf(loadDocument(saved)),
    join: (options) => join(framework, binding, options),
    decode: async (message) => (await import('./decode.ts')).decodeMessage(message),
    resumes: true,
    quicken,
  };
}

async function join(framework: string, { bind, contentsOf }: YjsBinding, options: JoinOptions): Promise<Replica> {
  const { url, documentId, editor, batching, ...callbacks } = options;
  const doc = createDocument();
  if (options.saved !== undefined) Y.applyUpdate(doc, options.saved);
  let socket: WebSocket | null = null;
  const send = (type: number, write: (encoder: encoding.Encoder) => void) => {
    const encoder = encoding.createEncoder();
    encoding.writeVarUint(encoder, type);
    write(encoder);
    const isEmpty = encoding.length(encoder) === 1;
    if (!isEmpty && socket?.readyState === WebSocket.OPEN) socket.send(encoding.toUint8Array(encoder));
  };
  // Updates not sent while the connection is broken are in the answer to the server's next question.
  const sendSync = (write: (encoder: encoding.Encoder) => void) => send(MESSAGE_SYNC, write);
  const awareness = options.presence && createAwareness(doc, options.presence);
  const telling = createBatcher<null>(batching.sendMs, () => {
    const update = encodeAwarenessUpdate(awareness!, [doc.clientID]);
    send(MESSAGE_AWARENESS, (encoder) => encoding.writeVarUint8Array(encoder, update));
  });
  awareness?.on('update', (_change: AwarenessChange, origin: unknown) => {
    if (origin === LOCAL) telling.add(null);
  });

  const outgoing = createBatcher<Uint8Array>(batching.sendMs, (updates) => {
    sendSync((encoder) => syncProtocol.writeUpdate(encoder, Y.mergeUpdates(updates)));
  });
  doc.on('update', (update: Uint8Array, origin: unknown) => {
    if (origin !== REMOTE) outgoing.add(update);
  });
  const incoming = gatherReceived<Received>(batching, (all) => {
    let answered = false;
    receiveTogether(doc, REMOTE, () => {
      for (const { message } of all.filter(({ type }) => type === MESSAGE_SYNC)) {
        if (decoding.peekVarUint(message) === syncProtocol.messageYjsSyncStep2) answered = true;
        sendSync((answer) => syncProtocol.readSyncMessage(message, answer, doc, REMOTE));
      }
    });
    // A cursor may stand beside what came with it.
    for (const { message } of all.filter(({ type }) => type === MESSAGE_AWARENESS)) {
      applyAwarenessUpdate(awareness!, decoding.readVarUint8Array(message), REMOTE);
    }
    if (answered) connection.inSync();
  });

  const connection = createLastingSocket({
    framework,
    url: `${url}/${documentId}`,
    onOpen(opened) {
      socket = opened;
      sendSync((encoder) => syncProtocol.writeSyncStep1(encoder, doc));
      // After a break the server has told the others that this user is gone: only a newer state brings its cursor back.
      awareness?.setLocalState(awareness.getLocalState());
    },
    onMessage(data) {
      const message = decoding.createDecoder(new Uint8Array(data as ArrayBuffer));
      const type = decoding.readVarUint(message);
      const isWanted = type === MESSAGE_SYNC || (type === MESSAGE_AWARENESS && awareness !== undefined);
      if (isWanted) incoming.add({ type, message });
    },
    onClose: () => incoming.flush(),
    ...callbacks,
  });
  await connection.open();
  const binding = bind(doc, editor, awareness);
  return {
    contents: () => contentsOf(doc),
    save: () => Y.encodeStateAsUpdate(doc),
    async leave() {
      outgoing.flush();
      awareness?.setLocalState(null);
      telling.flush();
      incoming.stop();
      binding.destroy();
      connection.close();
      doc.destroy();
    },
  };
}
