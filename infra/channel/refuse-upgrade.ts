/** Refuses a WebSocket before it is one. */
import type { Duplex } from 'node:stream';

/**
 * Answers an `upgrade` request with 403 and lets go of its connection. Node has taken its own listeners off by then, so
 * that a caller who breaks the connection off meanwhile would end this process.
 */
export function refuseUpgrade(socket: Duplex): void {
  const letGo = () => socket.destroy();
  socket.on('error', letGo);
  // Without it a caller that never closes its half would keep the server from closing.
  socket.once('finish', letGo);
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
}
