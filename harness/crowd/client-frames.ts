/** WebSocket frames as a client sends them (RFC 6455, section 5), made before they are due. */
import { randomBytes } from 'node:crypto';
import type { Frame } from './recording.ts';

export const OPCODES = { text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;

const FINAL = 0x80;
const MASKED = 0x80;
/** Payload lengths from here on stand in 2 further bytes, and larger ones in 8. */
const LENGTH_IN_2 = 126;
const LENGTH_IN_8 = 127;

/** One message in one masked frame. */
export function clientFrame(frame: Frame): Buffer {
  const isText = typeof frame === 'string';
  return maskedFrame(isText ? OPCODES.text : OPCODES.binary, isText ? Buffer.from(frame) : frame);
}

/** @param opcode one of `OPCODES` */
export function maskedFrame(opcode: number, payload: Uint8Array): Buffer {
  const lengthBytes = payload.length < LENGTH_IN_2 ? 0 : payload.length < 2 ** 16 ? 2 : 8;
  const bytes = Buffer.allocUnsafe(2 + lengthBytes + 4 + payload.length);
  bytes[0] = FINAL | opcode;
  bytes[1] = MASKED | (lengthBytes === 0 ? payload.length : lengthBytes === 2 ? LENGTH_IN_2 : LENGTH_IN_8);
  if (lengthBytes === 2) bytes.writeUInt16BE(payload.length, 2);
  if (lengthBytes === 8) bytes.writeBigUInt64BE(BigInt(payload.length), 2);
  // A mask of zeros would spare the server the work that a real client's frame gives it.
  const mask = randomBytes(4);
  const start = 2 + lengthBytes;
  mask.copy(bytes, start);
  for (let index = 0; index < payload.length; index++) bytes[start + 4 + index] = payload[index]! ^ mask[index & 3]!;
  return bytes;
}
