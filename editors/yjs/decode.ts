/** Messages of y-protocols and updates of Yjs, as values to read: for `explore --trace`. */
import * as decoding from 'lib0/decoding';
import * as syncProtocol from 'y-protocols/sync';
import * as Y from 'yjs';

/** Kinds of sync messages. */
const STEPS: Readonly<Record<number, string>> = {
  [syncProtocol.messageYjsSyncStep1]: 'state vector',
  [syncProtocol.messageYjsSyncStep2]: 'all that was missing',
  [syncProtocol.messageYjsUpdate]: 'update',
};
const MESSAGE_SYNC = 0;
const MESSAGE_AWARENESS = 1;

/** @param message of the y-websocket protocol */
export function decodeMessage(message: Uint8Array): unknown {
  return decodeFrom(decoding.createDecoder(message));
}

/** From the message's type on. */
export function decodeFrom(decoder: decoding.Decoder): unknown {
  const type = decoding.readVarUint(decoder);
  if (type === MESSAGE_AWARENESS) return { awareness: decoding.readVarUint8Array(decoder) };
  if (type !== MESSAGE_SYNC) return { type };
  const step = decoding.readVarUint(decoder);
  const content = decoding.readVarUint8Array(decoder);
  const isState = step === syncProtocol.messageYjsSyncStep1;
  return { [STEPS[step] ?? step]: isState ? Y.decodeStateVector(content) : decodeUpdate(content) };
}

/** @returns each part by the number of its first character, and what is deleted */
export function decodeUpdate(update: Uint8Array): unknown {
  const { structs, ds } = Y.decodeUpdate(update);
  const parts = structs.map((struct) => {
    const { id, length } = struct;
    const content = struct instanceof Y.Item ? { ...struct.content } : { gone: length };
    return [`${id.client}:${id.clock}`, content];
  });
  const deleted = [...ds.clients].flatMap(([client, ranges]) =>
    ranges.map(({ clock, len }) => `${client}:${clock}+${len}`),
  );
  const decoded: Record<string, unknown> = Object.fromEntries(parts);
  if (deleted.length > 0) decoded.deleted = deleted;
  return decoded;
}
