/** One end of the connection between the person's machine and a coordinator elsewhere. */
import { WebSocket } from 'ws';
import type * as z from 'zod';
import { LINK_PING_PERIOD_MS, LINK_SILENCE_MS } from './link-protocol.ts';

/** Messages that only inform are left out while so much waits to be sent. */
const CROWDED_BYTES = 4 * 2 ** 20;
/** A file travels in frames of this size. */
const FRAME_BYTES = 2 ** 20;
/** The largest message that either end takes. */
export const LARGEST_FRAME_BYTES = 16 * 2 ** 20;

export interface Link<Out> {
  send(message: Out): void;
  /** Like `send`, for what can be done without: nothing is sent while much waits. */
  inform(message: Out): void;
  /** The content of what was announced last. Resolves when it is on its way. */
  sendBytes(bytes: Uint8Array): Promise<void>;
  /** Aborts when the connection has ended, with an Error that says why. */
  ended: AbortSignal;
  close(): void;
}

/**
 * Holds a connection that is open. It ends when the other end says what is not in the protocol, or nothing for too long.
 *
 * @param options.onMessage called one by one: the next waits until the last has been dealt with
 * @param options.onBytes   the same for binary frames
 */
export function holdLink<In extends z.ZodType, Out>(options: {
  socket: WebSocket;
  schema: In;
  silenceMs?: number;
  onMessage(message: z.output<In>): void | Promise<void>;
  onBytes(bytes: Buffer): void | Promise<void>;
}): Link<Out> {
  const { socket, schema, silenceMs = LINK_SILENCE_MS } = options;
  const ended = new AbortController();
  let heardMs = performance.now();
  const hear = () => {
    heardMs = performance.now();
  };
  const end = (why: string) => {
    ended.abort(new Error(why));
    socket.terminate();
  };
  const watch = setInterval(
    () => {
      if (performance.now() - heardMs > silenceMs) end(`nothing was heard for ${Math.round(silenceMs / 1000)} s`);
      else if (socket.readyState === WebSocket.OPEN) socket.ping();
    },
    Math.min(LINK_PING_PERIOD_MS, silenceMs / 4),
  );
  let dealing = Promise.resolve();
  const next = (deal: () => void | Promise<void>) => {
    dealing = dealing.then(deal).catch((error: Error) => end(error.message));
  };
  socket.on('ping', hear);
  socket.on('pong', hear);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    hear();
    if (ended.signal.aborted) return;
    if (isBinary) next(() => options.onBytes(data));
    else next(() => options.onMessage(schema.parse(JSON.parse(data.toString()))));
  });
  socket.on('close', () => {
    clearInterval(watch);
    // What came before the end is dealt with first.
    next(() => ended.abort(new Error('the connection ended')));
  });
  // What follows an error is a close.
  socket.on('error', () => socket.terminate());

  const send = (message: Out) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  return {
    send,
    inform: (message) => {
      if (socket.bufferedAmount < CROWDED_BYTES) send(message);
    },
    async sendBytes(bytes) {
      for (let from = 0; from < bytes.length; from += FRAME_BYTES) {
        await new Promise<void>((resolve, reject) => {
          socket.send(bytes.subarray(from, from + FRAME_BYTES), (error) => (error ? reject(error) : resolve()));
        });
      }
    },
    ended: ended.signal,
    close: () => socket.close(),
  };
}
