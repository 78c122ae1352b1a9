/** A server of yjs-relay's that passes all on, and writes down later: what its author left behind within that time is lost. */
import type { WebSocket } from 'ws';
import { compactLog } from '../../editors/yjs-relay/document.ts';
import { createRelay } from '../../servers/relay.ts';

const WRITES_AFTER_MS = 2000;

const unwritten = new WeakMap<WebSocket, Set<Uint8Array>>();
const lost = new Set<Uint8Array>();

export const server = createRelay({
  compact(saved, log) {
    const written = log.filter((message) => !lost.has(message));
    return compactLog(saved, written);
  },
  treat({ from, data, pass }) {
    pass();
    const { socket } = from as { socket: WebSocket };
    const waiting = unwritten.get(socket) ?? new Set();
    if (!unwritten.has(socket)) {
      unwritten.set(socket, waiting);
      socket.once('close', () => {
        for (const message of waiting) lost.add(message);
      });
    }
    waiting.add(data);
    setTimeout(() => waiting.delete(data), WRITES_AFTER_MS);
  },
});
