/** The protocol of automerge-repo. Sources: its DocSynchronizer and WebSocketServerAdapter. */
import { createHash, randomBytes } from 'node:crypto';
import { decodeCbor, encodeCbor } from './cbor.ts';
import { NOTHING, ofBytes, type Protocol } from './protocol.ts';

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

export const automergeRepo: Protocol = {
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
