/** The frames of a WebSocket (RFC 6455, section 5), for those who need less of them than a library's socket gives. */
import { randomBytes } from 'node:crypto';

export const OPCODES = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;

const FIRST_CONTROL_OPCODE = 0x8;
/** A longer control frame is none that the RFC allows, and is passed over. */
const MOST_CONTROL_BYTES = 125;

/** 2 bytes, up to 8 more of a long payload's length, and 4 of a client's mask. */
const MOST_HEAD_BYTES = 14;
const FINAL = 0x80;
const MASKED = 0x80;
/** Payload lengths from here on stand in 2 further bytes, and larger ones in 8. */
const LENGTH_IN_2 = 126;
const LENGTH_IN_8 = 127;

export interface FrameListener {
  /** A frame of a message has begun: the length of its payload, whether it is the message's last, and its opcode. */
  onData?(payloadBytes: number, isLast: boolean, opcode: number): void;
  /** A part of that payload has come. Whoever keeps it makes a copy. */
  onPayload?(bytes: Buffer): void;
  /** A ping, pong or close has come whole. Its payload is as it was sent: a client's is masked. */
  onControl(opcode: number, payload: Buffer): void;
}

/**
 * Goes along one direction of a connection from frame to frame, and reads only where each ends, and the contents of control frames.
 *
 * @returns takes the bytes, cut as the network cuts them; none are kept, so the caller may use their buffer again
 */
export function createFrameReader({ onData, onPayload, onControl }: FrameListener): (bytes: Buffer) => void {
  const head = Buffer.alloc(MOST_HEAD_BYTES);
  let headBytes = 0;
  let toSkip = 0;
  let isData = false;
  let control: { opcode: number; payload: Buffer; read: number } | null = null;

  const shortLength = () => head[1]! & ~MASKED;
  const wantedHeadBytes = () => {
    if (headBytes < 2) return 2;
    const lengthBytes = shortLength() === LENGTH_IN_2 ? 2 : shortLength() === LENGTH_IN_8 ? 8 : 0;
    return 2 + lengthBytes + (head[1]! & MASKED ? 4 : 0);
  };
  const payloadLength = () => {
    if (shortLength() === LENGTH_IN_2) return head.readUInt16BE(2);
    return shortLength() === LENGTH_IN_8 ? Number(head.readBigUInt64BE(2)) : shortLength();
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
        if (isData) onPayload?.(bytes.subarray(at, at + skipped));
        toSkip -= skipped;
        at += skipped;
        continue;
      }
      head[headBytes++] = bytes[at++]!;
      if (headBytes < wantedHeadBytes()) continue;
      const opcode = head[0]! & 0x0f;
      const length = payloadLength();
      headBytes = 0;
      isData = opcode < FIRST_CONTROL_OPCODE;
      if (isData) onData?.(length, (head[0]! & FINAL) !== 0, opcode);
      if (isData || length > MOST_CONTROL_BYTES) toSkip = length;
      else if (length === 0) onControl(opcode, Buffer.alloc(0));
      else control = { opcode, payload: Buffer.alloc(length), read: 0 };
    }
  };
}

/**
 * A message in one frame, as a client sends it.
 *
 * @param opcode one of `OPCODES`
 */
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
