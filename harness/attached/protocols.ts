/**
 * Protocols of collaboration servers, as far as to recognise one and to see that a document is empty. Sources: y-protocols
 * (sync.js, auth.js), @hocuspocus/common and its server's MessageReceiver, ShareDB's lib/agent.js, automerge-repo's DocSynchronizer and
 * WebSocketServerAdapter, loro-protocol, engine.io's protocol.
 */
import { createHash, randomBytes } from 'node:crypto';
import * as decoding from 'lib0/decoding';
import { decodeCbor, encodeCbor } from './cbor.ts';
import {
  AUTH,
  attempt,
  authFrame,
  CLOSE,
  DENIED,
  EMPTY_UPDATE,
  EMPTY_VECTOR,
  type Frame,
  HANDSHAKE,
  isSame,
  JOINED,
  loroJoinFrame,
  REFUSED,
  SHAREDB_COLLECTION,
  STEP_1,
  SYNC,
  SYNC_REPLY,
  syncFrame,
  UPDATE,
  unpackLoro,
  unpackSync,
} from './frames.ts';

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
  ask(options: { document: string; token: string | null }): Frame[];
  /** Null: a server of this protocol does not say this. */
  read(frame: Frame, document: string): Told | null;
  /** True if servers of it may end at a frame that is not theirs: seen of automerge-repo-sync-server 0.2.8. */
  isFragile?: boolean;
  /** True if `read` never says whether a document is empty. */
  isSilent?: boolean;
}

const NOTHING: Told = { access: null, denied: null, isEmpty: null };

/** Of one who tells its version, its content, or a change that came meanwhile, as where a store loads late. */
function readSync(decoder: decoding.Decoder): Told | null {
  const step = decoding.readVarUint(decoder);
  const content = decoding.readVarUint8Array(decoder);
  if (step > UPDATE) return null;
  const isEmpty = isSame(content, step === STEP_1 ? EMPTY_VECTOR : EMPTY_UPDATE);
  return step === UPDATE && isEmpty ? NOTHING : { ...NOTHING, isEmpty };
}

/** Null of text, and where a frame is cut off or of another form. */
function ofBytes(read: (frame: Uint8Array, document: string) => Told | null): Protocol['read'] {
  return (frame, document) => (typeof frame === 'string' ? null : attempt(() => read(frame, document)));
}

const yWebsocket: Protocol = {
  name: 'y-websocket',
  title: 'the y-websocket protocol (Yjs: @y/websocket-server, pycrdt-websocket, y-sweet and their kin)',
  ask: () => [],
  read: ofBytes((frame) => {
    const decoder = unpackSync(frame);
    return decoder && readSync(decoder);
  }),
};

export const hocuspocus: Protocol = {
  name: 'hocuspocus',
  title: 'the protocol of Hocuspocus (Yjs; Tiptap’s servers)',
  ask: (options) => [authFrame(options), syncFrame(options.document, STEP_1, EMPTY_VECTOR)],
  read: ofBytes((frame, document) => {
    const decoder = decoding.createDecoder(frame);
    if (decoding.readVarString(decoder) !== document) return null;
    const type = decoding.readVarUint(decoder);
    if (type === AUTH) {
      const isDenied = decoding.readVarUint(decoder) === DENIED;
      const said = decoding.readVarString(decoder);
      if (isDenied) return { ...NOTHING, denied: said };
      return { ...NOTHING, access: said === 'readonly' ? 'read-only' : 'read-write' };
    }
    if (type === CLOSE) return { ...NOTHING, denied: `it is closed: ${decoding.readVarString(decoder)}` };
    return type === SYNC || type === SYNC_REPLY ? readSync(decoder) : NOTHING;
  }),
};

const sharedb: Protocol = {
  name: 'sharedb-json',
  title: 'the protocol of ShareDB',
  ask: ({ document }) =>
    [HANDSHAKE, { a: 'f', c: SHAREDB_COLLECTION, d: document }].map((message) => JSON.stringify(message)),
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

/** The ids of automerge-repo: others' by URL, and of a name the one that editors/automerge-repo/document-id.ts makes of it. */
export function automergeId(document: string): string {
  const url = /^automerge:(\w+)/.exec(document);
  if (url !== null) return url[1]!;
  const uuid = sha256(Buffer.from(document)).subarray(0, UUID_BYTES);
  uuid[6] = (uuid[6]! & 0x0f) | 0x40;
  uuid[8] = (uuid[8]! & 0x3f) | 0x80;
  return base58Check(uuid);
}

const UUID_BYTES = 16;
const BASE_58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const CHECKSUM_BYTES = 4;

/** @see https://en.bitcoin.it/wiki/Base58Check_encoding */
function base58Check(bytes: Uint8Array): string {
  const whole = Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, CHECKSUM_BYTES)]);
  let text = '';
  for (let rest = BigInt(`0x${whole.toString('hex')}`); rest > 0n; rest /= 58n)
    text = BASE_58[Number(rest % 58n)] + text;
  return '1'.repeat(whole.findIndex((byte) => byte !== 0)) + text;
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** A sync message of who has nothing: no heads, no needs, one empty filter of what it has, no changes. */
const NOTHING_TO_SYNC = Uint8Array.of(0x42, 0, 0, 1, 0, 0, 0);

const automergeRepo: Protocol = {
  name: 'automerge-sync',
  title: 'the protocol of automerge-repo (Automerge’s sync server)',
  isFragile: true,
  ask({ document }) {
    const senderId = `scriptorium-hello-${randomBytes(4).toString('hex')}`;
    const join = { type: 'join', senderId, peerMetadata: {}, supportedProtocolVersions: ['1'] };
    const named = { senderId, targetId: '', documentId: automergeId(document) };
    return [encodeCbor(join), encodeCbor({ type: 'request', ...named, data: NOTHING_TO_SYNC })];
  },
  read: ofBytes((frame, document) => {
    const message = decodeCbor(frame) as Readonly<Record<string, unknown>> | null;
    if (typeof message?.type !== 'string' || typeof message.targetId !== 'string') return null;
    const { type, documentId, data } = message;
    if (type === 'error') return { ...NOTHING, denied: String(message.message) };
    if (documentId !== automergeId(document)) return NOTHING;
    if (type === 'doc-unavailable') return { ...NOTHING, isEmpty: true };
    const heads = data instanceof Uint8Array ? (data[1] ?? 0) : 0;
    return heads > 0 ? { ...NOTHING, isEmpty: false } : NOTHING;
  }),
};

const loro: Protocol = {
  name: 'loro-protocol',
  title: 'the Loro protocol (loro-websocket)',
  ask: (options) => [loroJoinFrame({ ...options, version: new Uint8Array() })],
  read: ofBytes((frame, document) => {
    const decoder = unpackLoro(frame, document);
    if (decoder === null) return null;
    const type = decoding.readUint8(decoder);
    if (type === REFUSED) {
      decoding.readUint8(decoder);
      return { ...NOTHING, denied: decoding.readVarString(decoder) };
    }
    if (type !== JOINED) return NOTHING;
    const access = decoding.readVarString(decoder) === 'write' ? 'read-write' : 'read-only';
    const version = decoding.readVarUint8Array(decoder);
    return { ...NOTHING, access, isEmpty: version.every((byte) => byte === 0) };
  }),
};

const engineIo: Protocol = {
  name: 'engine.io',
  title: 'Socket.IO (Etherpad and Fluid speak it)',
  isSilent: true,
  ask: () => [],
  read: (frame) => (typeof frame === 'string' && /^0\{"sid"/.test(frame) ? NOTHING : null),
};

/** In the order in which a server is asked: those first that say so by themselves. */
export const PROTOCOLS: readonly Protocol[] = [yWebsocket, engineIo, hocuspocus, sharedb, automergeRepo, loro];
