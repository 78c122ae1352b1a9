/**
 * The protocol of Hocuspocus: that of y-websocket, with the document's name before each message. Sources: y-protocols (auth.js),
 * @hocuspocus/common and its server's MessageReceiver.
 */
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import { NOTHING, ofBytes, type Protocol, type Reading, UNHEARD } from './protocol.ts';
import { EMPTY_VECTOR, readSync, STEP_1, SYNC, syncFrame, yReader } from './y-websocket.ts';

const AWARENESS = 1;
const AUTH = 2;
const SYNC_REPLY = 4;
/** It closes a document, and not the connection. */
export const CLOSE = 7;
/** In an answer to who asks to be let in. */
const DENIED = 1;
/** An awareness update of no client. */
const NOBODY = Uint8Array.of(0);

function authFrame({ document, token }: { document: string; token: string | null }): Uint8Array {
  return encoding.encode((encoder) => {
    encoding.writeVarString(encoder, document);
    encoding.writeVarUint(encoder, AUTH);
    encoding.writeVarUint(encoder, 0);
    encoding.writeVarString(encoder, token ?? '');
  });
}

/** @returns the message's type, and a decoder that stands behind it; null: it is about another document */
function unpack(frame: Uint8Array, document: string): { type: number; decoder: decoding.Decoder } | null {
  const decoder = decoding.createDecoder(frame);
  if (decoding.readVarString(decoder) !== document) return null;
  return { type: decoding.readVarUint(decoder), decoder };
}

const isSync = (type: number) => type === SYNC || type === SYNC_REPLY;

const read: Protocol['read'] = ofBytes((frame, document) => {
  const message = unpack(frame, document);
  if (message === null) return null;
  const { type, decoder } = message;
  if (type === AUTH) {
    const isDenied = decoding.readVarUint(decoder) === DENIED;
    const said = decoding.readVarString(decoder);
    if (isDenied) return { ...NOTHING, denied: said };
    return { ...NOTHING, access: said === 'readonly' ? 'read-only' : 'read-write' };
  }
  if (type === CLOSE) return { ...NOTHING, denied: `it is closed: ${decoding.readVarString(decoder)}` };
  return isSync(type) ? readSync(decoder) : NOTHING;
});

const reading: Reading = {
  reader(options) {
    const { document } = options;
    const { opening, hear } = yReader({
      first: [authFrame(options)],
      say: (step, content) => syncFrame(document, step, content),
      unpack(frame) {
        const message = unpack(frame, document);
        return message !== null && isSync(message.type) ? message.decoder : null;
      },
    });
    return {
      opening,
      hear(frame) {
        const denied = read(frame, document)?.denied ?? null;
        return denied === null ? hear(frame) : { ...UNHEARD, denied };
      },
    };
  },
  // An awareness message that tells of nobody.
  alive: (document) =>
    encoding.encode((encoder) => {
      encoding.writeVarString(encoder, document);
      encoding.writeVarUint(encoder, AWARENESS);
      encoding.writeVarUint8Array(encoder, NOBODY);
    }),
};

export const hocuspocus: Protocol = {
  name: 'hocuspocus',
  title: 'the protocol of Hocuspocus (Yjs; Tiptap’s servers)',
  ask: (options) => [authFrame(options), syncFrame(options.document, STEP_1, EMPTY_VECTOR)],
  read,
  reading,
};
