/** Finds the close frames in the two byte streams of a WebSocket (RFC 6455, section 5), and reads nothing else of them. */

export interface CloseNews {
  /** As the server sent it; 1005: none. */
  code: number;
  reason: string;
}

export interface CloseWatch {
  /** Bytes of the client's, after its request. */
  sent(chunk: Buffer): void;
  /** Bytes of the server's, after its answer. */
  received(chunk: Buffer): void;
  /** True if one side has said goodbye, so that the end of the connection is no news. */
  readonly isOver: boolean;
}

const CLOSE = 0x8;
const NO_CODE = 1005;

/** @param onClosed is told at once of a close frame of the server's that answers none of the client's */
export function createCloseWatch(onClosed: (news: CloseNews) => void): CloseWatch {
  let isOver = false;
  return {
    sent: createFrameReader(() => {
      isOver = true;
    }),
    received: createFrameReader((payload) => {
      if (isOver) return;
      isOver = true;
      const hasCode = payload.length >= 2;
      onClosed({ code: hasCode ? payload.readUInt16BE(0) : NO_CODE, reason: payload.subarray(2).toString('utf8') });
    }),
    get isOver() {
      return isOver;
    },
  };
}

/**
 * Goes from frame to frame by their lengths. A close frame is never compressed, and at most 125 bytes long.
 *
 * @param onClose gets the payload of a close frame, unmasked only if the sender does not mask
 */
function createFrameReader(onClose: (payload: Buffer) => void): (chunk: Buffer) => void {
  let header = Buffer.alloc(0);
  /** Bytes of the frame under way that are still to come. */
  let ahead = 0;
  let closing: Buffer[] | null = null;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (ahead > 0) {
        const part = chunk.subarray(at, at + ahead);
        closing?.push(part);
        ahead -= part.length;
        at += part.length;
      } else {
        header = Buffer.concat([header, chunk.subarray(at, at + 1)]);
        at++;
        const length = payloadLength(header);
        if (length === null) continue;
        closing = (header[0]! & 0x0f) === CLOSE ? [] : null;
        ahead = length;
        header = Buffer.alloc(0);
      }
      if (ahead === 0 && closing !== null && header.length === 0) {
        onClose(Buffer.concat(closing));
        closing = null;
      }
    }
  };
}

/** The length of the frame behind this header; null while the header is not whole. */
function payloadLength(header: Buffer): number | null {
  if (header.length < 2) return null;
  const short = header[1]! & 0x7f;
  const extraBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const maskBytes = header[1]! & 0x80 ? 4 : 0;
  if (header.length < 2 + extraBytes + maskBytes) return null;
  if (extraBytes === 2) return header.readUInt16BE(2);
  return extraBytes === 8 ? Number(header.readBigUInt64BE(2)) : short;
}
