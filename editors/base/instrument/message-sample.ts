/** Some of the last messages of a page's WebSockets, kept for what is asked of them when nobody types any more. */
import { type OwnedPayload, owned, type Payload } from './traffic.ts';

/** In base64, in the order in which they went. */
export interface MessageSample {
  sent: string[];
  received: string[];
}

/** A compressor looks 32 KiB back; eight times that is enough to fill its window, and to weigh what follows. */
const MOST_BYTES = 256 * 1024;

/** One direction. */
class LastMessages {
  #messages: { payload: OwnedPayload; size: number }[] = [];
  #bytes = 0;

  add(data: Payload): void {
    const payload = owned(data);
    const size = typeof payload === 'string' ? payload.length : payload instanceof Blob ? payload.size : payload.length;
    this.#messages.push({ payload, size });
    this.#bytes += size;
    while (this.#bytes > MOST_BYTES) this.#bytes -= this.#messages.shift()!.size;
  }

  async take(): Promise<string[]> {
    const messages = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    const bytes = await Promise.all(messages.map(({ payload }) => new Blob([payload]).bytes()));
    return bytes.map((message) => message.toBase64());
  }
}

export interface MessageKeeper {
  keep(direction: keyof MessageSample, data: Payload): void;
  /** Messages kept since the last call; they are forgotten then. */
  take(): Promise<MessageSample>;
}

/** For both directions. */
export function createMessageKeeper(): MessageKeeper {
  const sent = new LastMessages();
  const received = new LastMessages();
  return {
    keep: (direction, data) => (direction === 'sent' ? sent : received).add(data),
    take: async () => ({ sent: await sent.take(), received: await received.take() }),
  };
}
