/** The y-websocket protocol, and the messages that Hocuspocus has in common with it. Source: y-protocols (sync.js). */
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import type { Frame } from '../../../infra/virtual/network.ts';
import { type Heard, isSame, NOTHING, ofBytes, type Protocol, type Reader, type Told, UNHEARD } from './protocol.ts';

export const SYNC = 0;
/** A vector, all that one lacks, a change. */
export const [STEP_1, STEP_2, UPDATE] = [0, 1, 2];
/** A state vector, and an update, of a document in which nothing was ever written. */
export const EMPTY_VECTOR = Uint8Array.of(0);
export const EMPTY_UPDATE = Uint8Array.of(0, 0);

/** @param document its name, where that stands before the message; else null */
export function syncFrame(document: string | null, step: number, content: Uint8Array): Uint8Array {
  return encoding.encode((encoder) => {
    if (document !== null) encoding.writeVarString(encoder, document);
    encoding.writeVarUint(encoder, SYNC);
    encoding.writeVarUint(encoder, step);
    encoding.writeVarUint8Array(encoder, content);
  });
}

/** Of one who tells its version, its content, or a change that came meanwhile, as where a store loads late. */
export function readSync(decoder: decoding.Decoder): Told | null {
  const step = decoding.readVarUint(decoder);
  const content = decoding.readVarUint8Array(decoder);
  if (step > UPDATE) return null;
  const isEmpty = isSame(content, step === STEP_1 ? EMPTY_VECTOR : EMPTY_UPDATE);
  return step === UPDATE && isEmpty ? NOTHING : { ...NOTHING, isEmpty };
}

/**
 * A client of Yjs. Away from the server it holds what that told on its first connection.
 *
 * @param options.say     a sync message, as this protocol packs it
 * @param options.unpack  a decoder that stands at one; null: the frame is another
 * @param options.first   its words before it asks for the document
 */
export function yReader(options: {
  say: (step: number, content: Uint8Array) => Frame;
  unpack: (frame: Uint8Array) => decoding.Decoder | null;
  first?: Frame[];
}): Reader {
  const { say, unpack, first = [] } = options;
  let vector: Uint8Array = EMPTY_VECTOR;
  let state: Uint8Array = EMPTY_UPDATE;
  /** The server's vector: this client's too, once it has the document. */
  let theirs: Uint8Array = EMPTY_VECTOR;
  let isAsked = false;
  let isGiven = false;
  const hold = () => {
    if (isGiven && !isSame(theirs, EMPTY_VECTOR)) vector = theirs;
  };
  const hear = ofBytes((frame): Heard | null => {
    const decoder = unpack(frame);
    if (decoder === null) return null;
    const step = decoding.readVarUint(decoder);
    const content = decoding.readVarUint8Array(decoder);
    if (step === STEP_1) {
      // A server that has anything has all that this client holds, which typed nothing.
      const isNew = isSame(content, EMPTY_VECTOR);
      theirs = content;
      isAsked = true;
      hold();
      return { answers: [say(STEP_2, isNew ? state : EMPTY_UPDATE)], isIn: isGiven };
    }
    if (step !== STEP_2) return null;
    // Else it is only what the client lacked.
    if (isSame(vector, EMPTY_VECTOR)) state = content;
    isGiven = true;
    hold();
    return { answers: [], isIn: isAsked };
  });
  return {
    opening() {
      theirs = EMPTY_VECTOR;
      isAsked = false;
      isGiven = false;
      return [...first, say(STEP_1, vector)];
    },
    hear: (frame) => hear(frame) ?? UNHEARD,
  };
}

function unpackSync(frame: Uint8Array): decoding.Decoder | null {
  const decoder = decoding.createDecoder(frame);
  return decoding.readVarUint(decoder) === SYNC ? decoder : null;
}

export const yWebsocket: Protocol = {
  name: 'y-websocket',
  title: 'the y-websocket protocol (Yjs: @y/websocket-server, pycrdt-websocket, y-sweet and their kin)',
  ask: () => [],
  read: ofBytes((frame) => {
    const decoder = unpackSync(frame);
    return decoder && readSync(decoder);
  }),
  // Edits and cursors come to every connection, the document only if it is asked for.
  reading: {
    reader: () => yReader({ say: (step, content) => syncFrame(null, step, content), unpack: unpackSync }),
  },
};
