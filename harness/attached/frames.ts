/** Frames of protocols, as both who asks a server and who reads there write and read them. */
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';

export type Frame = Uint8Array | string;

export const SYNC = 0;
export const AWARENESS = 1;
export const AUTH = 2;
export const SYNC_REPLY = 4;
/** Of Hocuspocus: it closes a document, and not the connection. */
export const CLOSE = 7;
/** In an answer to who asks to be let in. */
export const DENIED = 1;
/** A vector, all that one lacks, a change. */
export const [STEP_1, STEP_2, UPDATE] = [0, 1, 2];
/** A state vector, and an update, of a document in which nothing was ever written. */
export const EMPTY_VECTOR = Uint8Array.of(0);
export const EMPTY_UPDATE = Uint8Array.of(0, 0);
/** An awareness update of no client. */
export const NOBODY = Uint8Array.of(0);

/** @returns a decoder at a sync message; null: the frame is another */
export function unpackSync(frame: Uint8Array): decoding.Decoder | null {
  const decoder = decoding.createDecoder(frame);
  return decoding.readVarUint(decoder) === SYNC ? decoder : null;
}

/** @param document its name, where that stands before the message; else null */
export function syncFrame(document: string | null, step: number, content: Uint8Array): Uint8Array {
  const encoder = encoding.createEncoder();
  if (document !== null) encoding.writeVarString(encoder, document);
  encoding.writeVarUint(encoder, SYNC);
  encoding.writeVarUint(encoder, step);
  encoding.writeVarUint8Array(encoder, content);
  return encoding.toUint8Array(encoder);
}

/** Of Hocuspocus. */
export function authFrame({ document, token }: { document: string; token: string | null }): Uint8Array {
  const encoder = encoding.createEncoder();
  encoding.writeVarString(encoder, document);
  encoding.writeVarUint(encoder, AUTH);
  encoding.writeVarUint(encoder, 0);
  encoding.writeVarString(encoder, token ?? '');
  return encoding.toUint8Array(encoder);
}

/** As in editors/sharedb/document.ts, whose package is not always there. */
export const SHAREDB_COLLECTION = 'documents';

export const HANDSHAKE = { a: 'hs', id: null, protocol: 1, protocolMinor: 2 };

/** Of the Loro protocol: how its frames begin that are about documents of Loro, and their kinds. */
const LORO = new TextEncoder().encode('%LOR');
const JOIN = 0;
export const JOINED = 1;
export const REFUSED = 2;
export const LORO_UPDATE = 3;

/** @param version that of the document which the client holds */
export function loroJoinFrame(options: { document: string; token: string | null; version: Uint8Array }): Uint8Array {
  const encoder = encoding.createEncoder();
  encoding.writeUint8Array(encoder, LORO);
  encoding.writeVarString(encoder, options.document);
  encoding.writeUint8(encoder, JOIN);
  encoding.writeVarString(encoder, options.token ?? '');
  encoding.writeVarUint8Array(encoder, options.version);
  return encoding.toUint8Array(encoder);
}

/** @returns a decoder that stands at the frame's kind; null: it is about something else */
export function unpackLoro(frame: Uint8Array, document: string): decoding.Decoder | null {
  const decoder = decoding.createDecoder(frame);
  if (!isSame(decoding.readUint8Array(decoder, LORO.length), LORO)) return null;
  return decoding.readVarString(decoder) === document ? decoder : null;
}

/** Null where the frame is cut off or of another form. */
export function attempt<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
