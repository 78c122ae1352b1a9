/** The Loro protocol, as loro-websocket speaks it. Source: loro-protocol. */
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import { type Heard, isSame, NOTHING, ofBytes, type Protocol, type Reading, UNHEARD } from './protocol.ts';

/** How frames begin that are about documents of Loro, and their kinds. */
const LORO = new TextEncoder().encode('%LOR');
const [JOIN, REFUSED] = [0, 2];
export const [JOINED, UPDATE] = [1, 3];

/** @param version that of the document which the client holds */
export function joinFrame(options: { document: string; token: string | null; version: Uint8Array }): Uint8Array {
  return encoding.encode((encoder) => {
    encoding.writeUint8Array(encoder, LORO);
    encoding.writeVarString(encoder, options.document);
    encoding.writeUint8(encoder, JOIN);
    encoding.writeVarString(encoder, options.token ?? '');
    encoding.writeVarUint8Array(encoder, options.version);
  });
}

type Message =
  /** `version`: the server's; null: the document is empty. */
  | { kind: 'joined'; mayWrite: boolean; version: Uint8Array | null }
  | { kind: 'refused'; why: string }
  | { kind: 'update' | 'other' };

/** @returns null: it is about something else */
function unpack(frame: Uint8Array, document: string): Message | null {
  const decoder = decoding.createDecoder(frame);
  if (!isSame(decoding.readUint8Array(decoder, LORO.length), LORO)) return null;
  if (decoding.readVarString(decoder) !== document) return null;
  const kind = decoding.readUint8(decoder);
  if (kind === REFUSED) {
    decoding.readUint8(decoder);
    return { kind: 'refused', why: decoding.readVarString(decoder) };
  }
  if (kind !== JOINED) return { kind: kind === UPDATE ? 'update' : 'other' };
  const mayWrite = decoding.readVarString(decoder) === 'write';
  const version = decoding.readVarUint8Array(decoder);
  return { kind: 'joined', mayWrite, version: version.every((byte) => byte === 0) ? null : version };
}

const NO_VERSION = Uint8Array.of(0);

/** Each server answers a version with what it holds beyond it, if only with nothing. */
const reading: Reading = {
  reader({ document, token }) {
    /** Null: it holds nothing. */
    let version: Uint8Array | null = null;
    /** The server's: this client's too, once it has the document. Null: the server has none. */
    let theirs: Uint8Array | null = null;
    /** The frame with the document, which may be said as it was heard. */
    let state: Uint8Array | null = null;
    let isJoined = false;
    const hear = ofBytes((frame): Heard | null => {
      const message = unpack(frame, document);
      if (message?.kind === 'refused') return { ...UNHEARD, denied: message.why };
      if (message?.kind === 'joined') {
        isJoined = true;
        theirs = message.version;
        return theirs === null && state !== null ? { answers: [state], isIn: false } : null;
      }
      if (message?.kind !== 'update' || !isJoined) return null;
      if (theirs !== null) {
        if (version === null) state = frame;
        version = theirs;
      }
      return { answers: [], isIn: true };
    });
    return {
      opening() {
        isJoined = false;
        theirs = null;
        return [joinFrame({ document, token, version: version ?? NO_VERSION })];
      },
      hear: (frame) => hear(frame) ?? UNHEARD,
    };
  },
};

export const loro: Protocol = {
  name: 'loro-protocol',
  title: 'the Loro protocol (loro-websocket)',
  ask: (options) => [joinFrame({ ...options, version: new Uint8Array() })],
  read: ofBytes((frame, document) => {
    const message = unpack(frame, document);
    if (message === null) return null;
    if (message.kind === 'refused') return { ...NOTHING, denied: message.why };
    if (message.kind !== 'joined') return NOTHING;
    return { ...NOTHING, access: message.mayWrite ? 'read-write' : 'read-only', isEmpty: message.version === null };
  }),
  reading,
};
