/**
 * Protocols of collaboration servers, as far as to recognise one and to see that a document is empty. Sources: y-protocols
 * (sync.js, auth.js), @hocuspocus/common and its server's MessageReceiver, ShareDB's lib/agent.js, engine.io's protocol.
 */
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';

/** The news in a server's frame. */
export interface Told {
  /** Null: this protocol does not say, or not yet. */
  access: 'read-write' | 'read-only' | null;
  /** Why it gives the document to nobody with this token; null: it does, or does not say. */
  denied: string | null;
  /** Null: not told yet. */
  isEmpty: boolean | null;
}

export interface Protocol {
  name: string;
  /** For people: the family and who speaks it. */
  title: string;
  /** Frames that ask and write nothing; none: the server speaks first. */
  ask(options: { document: string; token: string | null }): (Uint8Array | string)[];
  /** Null: a server of this protocol does not say this. */
  read(frame: Uint8Array | string, document: string): Told | null;
  /** True if `read` comes to say whether a document is empty. */
  tellsEmptiness: boolean;
}

const NOTHING: Told = { access: null, denied: null, isEmpty: null };

const SYNC = 0;
const AUTH = 2;
const SYNC_REPLY = 4;
const [STEP_1, STEP_2] = [0, 1];
/** A state vector, and an update, of a document in which nothing was ever written. */
const EMPTY_VECTOR = Uint8Array.of(0);
const EMPTY_UPDATE = Uint8Array.of(0, 0);

const yWebsocket: Protocol = {
  name: 'y-websocket',
  title: 'the y-websocket protocol (Yjs: @y/websocket-server, pycrdt-websocket, y-sweet and their kin)',
  tellsEmptiness: true,
  ask: () => [],
  read(frame) {
    if (typeof frame === 'string') return null;
    return attempt(() => {
      const decoder = decoding.createDecoder(frame);
      if (decoding.readVarUint(decoder) !== SYNC) return null;
      const step = decoding.readVarUint(decoder);
      const content = decoding.readVarUint8Array(decoder);
      if (step === STEP_1) return { ...NOTHING, isEmpty: isSame(content, EMPTY_VECTOR) };
      return step === STEP_2 ? { ...NOTHING, isEmpty: isSame(content, EMPTY_UPDATE) } : null;
    });
  },
};

const hocuspocus: Protocol = {
  name: 'hocuspocus',
  title: 'the protocol of Hocuspocus (Yjs; Tiptap’s servers)',
  tellsEmptiness: true,
  ask({ document, token }) {
    const auth = encoding.createEncoder();
    encoding.writeVarString(auth, document);
    encoding.writeVarUint(auth, AUTH);
    encoding.writeVarUint(auth, 0);
    encoding.writeVarString(auth, token ?? '');
    const sync = encoding.createEncoder();
    encoding.writeVarString(sync, document);
    encoding.writeVarUint(sync, SYNC);
    encoding.writeVarUint(sync, STEP_1);
    encoding.writeVarUint8Array(sync, EMPTY_VECTOR);
    return [encoding.toUint8Array(auth), encoding.toUint8Array(sync)];
  },
  read(frame, document) {
    if (typeof frame === 'string') return null;
    return attempt(() => {
      const decoder = decoding.createDecoder(frame);
      if (decoding.readVarString(decoder) !== document) return null;
      const type = decoding.readVarUint(decoder);
      if (type === AUTH) {
        const [, DENIED] = [0, 1];
        const isDenied = decoding.readVarUint(decoder) === DENIED;
        const said = decoding.readVarString(decoder);
        if (isDenied) return { ...NOTHING, denied: said };
        return { ...NOTHING, access: said === 'readonly' ? 'read-only' : 'read-write' };
      }
      if (type !== SYNC && type !== SYNC_REPLY) return NOTHING;
      const isState = decoding.readVarUint(decoder) === STEP_2;
      return isState ? { ...NOTHING, isEmpty: isSame(decoding.readVarUint8Array(decoder), EMPTY_UPDATE) } : NOTHING;
    });
  },
};

/** As in editors/sharedb/document.ts, whose package is not always there. */
export const SHAREDB_COLLECTION = 'documents';

const sharedb: Protocol = {
  name: 'sharedb-json',
  title: 'the protocol of ShareDB',
  tellsEmptiness: true,
  ask: ({ document }) =>
    [
      { a: 'hs', id: null, protocol: 1, protocolMinor: 2 },
      { a: 'f', c: SHAREDB_COLLECTION, d: document },
    ].map((message) => JSON.stringify(message)),
  read(frame) {
    if (typeof frame !== 'string') return null;
    return attempt(() => {
      const { a: action, error, data } = JSON.parse(frame);
      if (action === 'f' && error !== undefined) return { ...NOTHING, denied: error.message };
      // One that nobody made has no type.
      if (action === 'f') return { ...NOTHING, isEmpty: data.type === undefined || data.type === null };
      return ['hs', 'init'].includes(action) ? NOTHING : null;
    });
  },
};

const engineIo: Protocol = {
  name: 'engine.io',
  title: 'Socket.IO (Etherpad and Fluid speak it)',
  tellsEmptiness: false,
  ask: () => [],
  read: (frame) => (typeof frame === 'string' && /^0\{"sid"/.test(frame) ? NOTHING : null),
};

/** In the order in which a server is asked: those first that say so by themselves. */
export const PROTOCOLS: readonly Protocol[] = [yWebsocket, engineIo, hocuspocus, sharedb];

/** Null where the frame is cut off or of another form. */
function attempt<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
