/** Reads a server's WebSocket frames only as far as it must: where each ends, and what control frames say. */

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
