/** Bytes that sockets carry, closed ones included, as the kernel got and gave them: no library needs to tell. */
import type { Socket } from 'node:net';

export class SocketTraffic {
  readonly #open = new Set<Socket>();
  readonly #closed = { sentBytes: 0, receivedBytes: 0 };

  add(socket: Socket): void {
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      addTo(this.#closed, socket);
    });
  }

  /** Since each began. */
  read(): { sentBytes: number; receivedBytes: number } {
    const total = { ...this.#closed };
    for (const socket of this.#open) addTo(total, socket);
    return total;
  }
}

function addTo(total: { sentBytes: number; receivedBytes: number }, { bytesWritten, bytesRead }: Socket): void {
  total.sentBytes += bytesWritten;
  total.receivedBytes += bytesRead;
}
