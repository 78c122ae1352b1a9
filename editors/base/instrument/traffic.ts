/** Counts the payloads of the page's WebSockets, whichever library opens them, and keeps sent ones if it is asked to. */
import { toBase64 } from 'lib0/buffer';

export interface Traffic {
  sentBytes: number;
  receivedBytes: number;
  sentMessages: number;
  receivedMessages: number;
}

/** Messages that one WebSocket sent, in order, as plain data: what is no text is in base64. */
interface SentMessages {
  /** Behind the server's address. */
  path: string;
  /** `atMs`: since the epoch. */
  frames: ({ atMs: number } & ({ text: string } | { base64: string }))[];
}

export type Payload = string | ArrayBuffer | Blob | ArrayBufferView<ArrayBuffer>;
type OwnedPayload = string | Uint8Array<ArrayBuffer> | Blob;

interface KeptSocket {
  url: string;
  frames: { atMs: number; frame: OwnedPayload }[];
}

/** Keeps what sockets send that are opened from then on. */
export class SentKeeper {
  readonly #sockets: KeptSocket[] = [];

  /** @returns a function to call with each message */
  open(url: string): (data: Payload) => void {
    const socket: KeptSocket = { url, frames: [] };
    this.#sockets.push(socket);
    return (data) => {
      socket.frames.push({ atMs: performance.timeOrigin + performance.now(), frame: owned(data) });
    };
  }

  /** @param address the server's: of sockets that were opened behind it */
  sent(address: string): Promise<SentMessages[]> {
    const sockets = this.#sockets.filter(({ url }) => url.startsWith(address));
    return Promise.all(
      sockets.map(async ({ url, frames }) => ({
        path: url.slice(address.length),
        frames: await Promise.all(
          frames.map(async ({ atMs, frame }) => ({
            atMs,
            ...(typeof frame === 'string' ? { text: frame } : { base64: await base64Of(frame) }),
          })),
        ),
      })),
    );
  }
}

async function base64Of(payload: OwnedPayload): Promise<string> {
  return toBase64(await new Blob([payload]).bytes());
}

/** A copy, if one is needed: a library may use its buffer again. */
function owned(data: Payload): OwnedPayload {
  return typeof data === 'string' || data instanceof Blob ? data : bytesOf(data).slice();
}

function bytesOf(data: ArrayBuffer | ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/**
 * Replaces `scope.WebSocket` by one that counts payloads; the counts that it returns grow from then on.
 *
 * @param keeper gives the keeper of all that the next opened socket sends; null: none
 * @param onMessage gets each payload
 */
export function countTraffic(
  scope: { WebSocket: typeof WebSocket },
  keeper: () => SentKeeper | null = () => null,
  onMessage: (direction: 'sent' | 'received', data: Payload) => void = () => {},
): Traffic {
  const traffic: Traffic = { sentBytes: 0, receivedBytes: 0, sentMessages: 0, receivedMessages: 0 };
  scope.WebSocket = class extends WebSocket {
    readonly #keep: ((data: Payload) => void) | undefined;
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.#keep = keeper()?.open(this.url);
      this.addEventListener('message', ({ data }) => {
        traffic.receivedMessages++;
        traffic.receivedBytes += payloadBytes(data);
        onMessage('received', data);
      });
    }
    override send(data: string | ArrayBufferLike | Blob | ArrayBufferView<ArrayBuffer>): void {
      traffic.sentMessages++;
      traffic.sentBytes += payloadBytes(data);
      this.#keep?.(data as Payload);
      onMessage('sent', data as Payload);
      super.send(data as string);
    }
  };
  return traffic;
}

function payloadBytes(data: unknown): number {
  if (typeof data === 'string') return new TextEncoder().encode(data).length;
  if (data instanceof Blob) return data.size;
  return (data as ArrayBufferLike | ArrayBufferView).byteLength;
}

/** Some of the last messages of a page's WebSockets, kept until nobody types any more: in base64, in their order. */
export interface MessageSample {
  sent: string[];
  received: string[];
}

/** A compressor looks 32 KiB back; eight times that is enough to fill its window, and to weigh what follows. */
const MOST_BYTES = 256 * 1024;

/** Those of one direction. */
export class KeptMessages {
  #messages: { payload: OwnedPayload; size: number }[] = [];
  #bytes = 0;

  add(data: Payload): void {
    const payload = owned(data);
    const size = typeof payload === 'string' ? payload.length : payload instanceof Blob ? payload.size : payload.length;
    this.#messages.push({ payload, size });
    this.#bytes += size;
    while (this.#bytes > MOST_BYTES) this.#bytes -= this.#messages.shift()!.size;
  }

  /** Messages kept since the last call; they are forgotten then. */
  take(): Promise<string[]> {
    const messages = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    return Promise.all(messages.map(({ payload }) => base64Of(payload)));
  }
}
