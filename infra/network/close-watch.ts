/** Finds the close frames in the two byte streams of a WebSocket, and reads nothing else of them. */
import { createFrameReader, OPCODES } from './websocket-frames.ts';

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

const NO_CODE = 1005;

/** @param onClosed is told at once of a close frame of the server's that answers none of the client's */
export function createCloseWatch(onClosed: (news: CloseNews) => void): CloseWatch {
  let isOver = false;
  return {
    sent: createFrameReader({
      onControl(opcode) {
        if (opcode === OPCODES.close) isOver = true;
      },
    }),
    received: createFrameReader({
      onControl(opcode, payload) {
        if (opcode !== OPCODES.close || isOver) return;
        isOver = true;
        const hasCode = payload.length >= 2;
        onClosed({ code: hasCode ? payload.readUInt16BE(0) : NO_CODE, reason: payload.subarray(2).toString('utf8') });
      },
    }),
    get isOver() {
      return isOver;
    },
  };
}
