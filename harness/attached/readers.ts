/** Clients that only read, as the libraries' own speak: they open a document, and may come back with it. */
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import type { FrameworkAbout } from '../../editors/base/framework.ts';
import {
  AWARENESS,
  attempt,
  authFrame,
  EMPTY_UPDATE,
  EMPTY_VECTOR,
  type Frame,
  HANDSHAKE,
  isSame,
  JOINED,
  LORO_UPDATE,
  loroJoinFrame,
  NOBODY,
  REFUSED,
  SHAREDB_COLLECTION,
  STEP_1,
  STEP_2,
  SYNC,
  SYNC_REPLY,
  syncFrame,
  unpackLoro,
  unpackSync,
} from './frames.ts';
import { hocuspocus } from './protocols.ts';

export interface Reader {
  /** Its words when a connection is open. */
  opening(): Frame[];
  /** Takes in a frame of the server's. */
  hear(frame: Frame): Heard;
}

interface Heard {
  answers: Frame[];
  /** True: it has the document now, with all that the server had, and has answered what the server asked. */
  isIn: boolean;
  /** Why the server does not give it out. */
  denied?: string;
}

export interface Reading {
  /** @param options.presence true: it wants to hear of others' cursors, too */
  reader(options: { document: string; token: string | null; presence: boolean }): Reader;
  /** Its words now and then, where a server drops a client that says nothing; absent: none does. */
  alive?(document: string): Frame;
  /** True: the server believes the version that a client says it holds. One that has forgotten the document does not show it. */
  isBelieved?: true;
}

const UNHEARD: Heard = { answers: [], isIn: false };

/**
 * A client of Yjs. Away from the server it holds what that told on its first connection.
 *
 * @param options.say     a sync message, as this protocol packs it
 * @param options.unpack  a decoder that stands at one; null: the frame is another
 * @param options.first   its words before it asks for the document
 */
function yReader(options: {
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
  const hear = (frame: Uint8Array): Heard => {
    const decoder = unpack(frame);
    if (decoder === null) return UNHEARD;
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
    if (step !== STEP_2) return UNHEARD;
    // Else it is only what the client lacked.
    if (isSame(vector, EMPTY_VECTOR)) state = content;
    isGiven = true;
    hold();
    return { answers: [], isIn: isAsked };
  };
  return {
    opening() {
      theirs = EMPTY_VECTOR;
      isAsked = false;
      isGiven = false;
      return [...first, say(STEP_1, vector)];
    },
    hear: (frame) => (typeof frame === 'string' ? UNHEARD : (attempt(() => hear(frame)) ?? UNHEARD)),
  };
}

/** Edits and cursors come to every connection of these, the document only if it is asked for. */
const yWebsocketReading: Reading = {
  reader: () => yReader({ say: (step, content) => syncFrame(null, step, content), unpack: unpackSync }),
};

const hocuspocusReading: Reading = {
  reader(options) {
    const { document } = options;
    const reader = yReader({
      first: [authFrame(options)],
      say: (step, content) => syncFrame(document, step, content),
      unpack(frame) {
        const decoder = decoding.createDecoder(frame);
        if (decoding.readVarString(decoder) !== document) return null;
        return [SYNC, SYNC_REPLY].includes(decoding.readVarUint(decoder)) ? decoder : null;
      },
    });
    const hear = (frame: Frame): Heard => {
      const denied = hocuspocus.read(frame, document)?.denied;
      return typeof denied === 'string' ? { ...UNHEARD, denied } : reader.hear(frame);
    };
    return { ...reader, hear };
  },
  // An awareness message that tells of nobody.
  alive(document) {
    const encoder = encoding.createEncoder();
    encoding.writeVarString(encoder, document);
    encoding.writeVarUint(encoder, AWARENESS);
    encoding.writeVarUint8Array(encoder, NOBODY);
    return encoding.toUint8Array(encoder);
  },
};

const sharedbReading: Reading = {
  isBelieved: true,
  reader({ document, presence }) {
    let version: number | undefined;
    return {
      opening: () =>
        [
          HANDSHAKE,
          { a: 's', c: SHAREDB_COLLECTION, d: document, v: version },
          ...(presence ? [{ a: 'ps', ch: `${SHAREDB_COLLECTION}.${document}`, seq: 1 }] : []),
        ].map((message) => JSON.stringify(message)),
      hear(frame) {
        const { a: action, error, data } = attempt(() => JSON.parse(String(frame))) ?? {};
        if (action !== 's') return UNHEARD;
        if (error !== undefined) return { ...UNHEARD, denied: error.message };
        version ??= data?.v;
        return { answers: [], isIn: true };
      },
    };
  },
};

/** Each server answers a version with what it holds beyond it, if only with nothing. */
const loroReading: Reading = {
  reader({ document, token }) {
    let version: Uint8Array = EMPTY_VECTOR;
    /** The server's: this client's too, once it has the document. Null: the server has none. */
    let theirs: Uint8Array | null = null;
    /** The frame with the document, which may be said as it was heard. */
    let state: Uint8Array | null = null;
    let isJoined = false;
    const hear = (frame: Uint8Array): Heard => {
      const decoder = unpackLoro(frame, document);
      const kind = decoder && decoding.readUint8(decoder);
      if (kind === REFUSED) {
        decoding.readUint8(decoder!);
        return { ...UNHEARD, denied: decoding.readVarString(decoder!) };
      }
      if (kind === JOINED) {
        isJoined = true;
        decoding.readVarString(decoder!);
        const told = decoding.readVarUint8Array(decoder!);
        theirs = told.every((byte) => byte === 0) ? null : told;
        if (theirs === null && state !== null) return { answers: [state], isIn: false };
      }
      if (kind !== LORO_UPDATE || !isJoined) return UNHEARD;
      if (theirs !== null) {
        if (isSame(version, EMPTY_VECTOR)) state = frame;
        version = theirs;
      }
      return { answers: [], isIn: true };
    };
    return {
      opening() {
        isJoined = false;
        theirs = null;
        return [loroJoinFrame({ document, token, version })];
      },
      hear: (frame) => (typeof frame === 'string' ? UNHEARD : (attempt(() => hear(frame)) ?? UNHEARD)),
    };
  },
};

const READINGS: Readonly<Record<string, Reading>> = {
  'y-websocket': yWebsocketReading,
  hocuspocus: hocuspocusReading,
  'sharedb-json': sharedbReading,
  'loro-protocol': loroReading,
};

/** How a framework's clients read; null: it is not known. */
export function readingOf({ attaches }: Pick<FrameworkAbout, 'attaches'>): Reading | null {
  return READINGS[attaches?.protocol ?? ''] ?? null;
}
