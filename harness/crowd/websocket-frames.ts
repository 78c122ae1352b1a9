/**
 * WebSocket frames (RFC 6455, section 5): a client's, made before they are due; and a server's, read only as far as they must be:
 * where each ends, and the contents of control frames.
 */
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

/** A frame's head is 2 bytes, and up to 8 more of a long payload's length: servers mask nothing. */
const MOST_HEAD_BYTES = 10;
const FIRST_CONTROL_OPCODE = 0x8;

/** @param onControl a ping, pong or close came, with its payload */
export function createSkimmer(onControl: (opcode: number, payload: Buffer) => void): (bytes: Buffer) => void {
  const head = Buffer.alloc(MOST_HEAD_BYTES);
  let headBytes = 0;
  let toSkip = 0;
  let control: { opcode: number; payload: Buffer; read: number } | null = null;

  /** Whole once it has as many bytes as its second says. */
  const wantedHeadBytes = () => {
    if (headBytes < 2) return 2;
    const length = head[1]! & 0x7f;
    return length < 126 ? 2 : length === 126 ? 4 : 10;
  };
  const payloadBytes = () => {
    const length = head[1]! & 0x7f;
    return length < 126 ? length : length === 126 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2));
  };

  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      if (control !== null) {
        const copied = bytes.copy(control.payload, control.read, at);
        control.read += copied;
        at += copied;
        if (control.read < control.payload.length) return;
        const { opcode, payload } = control;
        control = null;
        onControl(opcode, payload);
        continue;
      }
      if (toSkip > 0) {
        const skipped = Math.min(toSkip, bytes.length - at);
        toSkip -= skipped;
        at += skipped;
        continue;
      }
      head[headBytes++] = bytes[at++]!;
      if (headBytes < wantedHeadBytes()) continue;
      const opcode = head[0]! & 0x0f;
      const length = payloadBytes();
      headBytes = 0;
      if (opcode < FIRST_CONTROL_OPCODE) toSkip = length;
      else if (length === 0) onControl(opcode, Buffer.alloc(0));
      else control = { opcode, payload: Buffer.alloc(length), read: 0 };
    }
  };
}
