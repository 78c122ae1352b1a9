/** Opens a channel to a process that listens for it. */
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { Channel, type ChannelOptions, LARGEST_MESSAGE_BYTES, SILENCE_MS } from './channel.ts';

/**
 * Tries once.
 *
 * @param options.url              `ws://host:port`, and the path where channels are opened
 * @param options.token            shown in a header; absent if the address holds it
 * @param options.handshakeLimitMs how long the other end may take to let this one in; `silenceMs` unless given
 * @throws Error that says why it cannot be opened, and the signal's reason if it aborts before
 */
export async function openChannel<In, Out>(
  options: ChannelOptions<In> & {
    url: string;
    token?: string;
    maxMessageBytes?: number;
    handshakeLimitMs?: number;
    signal?: AbortSignal;
  },
): Promise<Channel<In, Out>> {
  const { url, token, signal, silenceMs = SILENCE_MS } = options;
  signal?.throwIfAborted();
  const socket = new WebSocket(url, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    maxPayload: options.maxMessageBytes ?? LARGEST_MESSAGE_BYTES,
    handshakeTimeout: options.handshakeLimitMs ?? silenceMs,
  });
  let localAddress: string | null = null;
  socket.once('upgrade', ({ socket: tcp }: { socket: Socket }) => {
    localAddress = tcp.localAddress ?? null;
  });
  const giveUp = () => socket.terminate();
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    return await new Promise<Channel<In, Out>>((resolve, reject) => {
      // In the same turn, so that no message can come before there is a channel that keeps it.
      socket.once('open', () => resolve(new Channel(socket, { ...options, localAddress })));
      socket.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
    });
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}
