/**
 * An ordered-log relay, for frameworks without a server of their own: it keeps every message of a document in the order
 * of arrival, gives a newcomer the log and passes each new message to all the others. It looks into no message.
 * Messages about cursors are passed on too, but only the last of each client is kept, while that client is connected.
 *
 * A client connects to `/<document>?client=<id>`. The relay sends the log as binary frames, then a text frame (`CaughtUp`),
 * then what the others send. A client that comes back says to which log, and how many messages of others it has had since it
 * first joined that (`&log=<id>&received=<count>`); it gets the rest, and learns from the text frame which of its own arrived.
 * A relay that has started anew in between, or has dropped the document, has another log. It gives that whole, counts anew,
 * and each client that comes back brings it the document as its first message, if its library can (`relayed.ts`).
 */
import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import {
  type CaughtUp,
  CLIENT_PARAMETER,
  FRAME_KINDS,
  frameOf,
  LOG_PARAMETER,
  PRESENCE_PARAMETER,
  RECEIVED_PARAMETER,
} from '../editors/base/binding/relay-protocol.ts';
import { frameworkServer } from './listen.ts';
import type { FrameworkServer, Serve } from './server.ts';

/** One saved state from another (null: the first) and the messages after it. */
export type Compact = (savedState: Uint8Array | null, log: readonly Uint8Array[]) => Uint8Array;

/** Treatment of a document's message before the relay passes it on by calling `pass` once. */
type Treat = (message: { document: string; from: object; data: Uint8Array; pass: () => void }) => void;

export interface RelayOptions {
  compact?: Compact;
  compactEvery?: number;
  treat?: Treat;
  /** How long a document is kept that nobody is connected to; absent: `KEPT_MS`. */
  keptMs?: number;
}

/** A relay, and how it makes saved states: others can be made that hand out the same in another way. */
export interface RelayServer extends FrameworkServer {
  serve: Serve;
  readonly compact?: Compact;
}

/** A client that lets so much wait for it is cut off; it may come back. */
const LARGEST_BACKLOG_BYTES = 64 * 2 ** 20;
/** Longer than any client is away that may still come back. */
const KEPT_MS = 3_600_000;
/** RFC 6455's registry: try again later. */
const TRY_AGAIN_LATER = 1013;

/**
 * @param options.compact if given, a newcomer gets one saved state instead of the log; it is made when one comes,
 *        so that passing messages on costs no more
 * @param options.compactEvery with `compact`: a state is saved after every so many messages instead, and a newcomer gets the
 *        last one, which is of no message at first, and the messages after it
 * @param options.treat if given, decides when a message is passed on; `from` stands for its client. It must keep their
 *        order, unless no connection may break
 */
export function createRelay(options: RelayOptions = {}): RelayServer {
  const { compact, treat, keptMs = KEPT_MS } = options;
  const server = frameworkServer((connections) => {
    const documents = new Map<string, RelayedLog>();
    connections.on('connection', (socket, request) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'ws://relay');
      const log =
        documents.get(pathname) ??
        new RelayedLog(options, treat && ((ways) => treat({ document: pathname.slice(1), ...ways })));
      documents.set(pathname, log);
      log.connect(socket, {
        id: searchParams.get(CLIENT_PARAMETER) ?? '',
        log: searchParams.get(LOG_PARAMETER),
        received: Number(searchParams.get(RECEIVED_PARAMETER)),
        hasPresence: searchParams.has(PRESENCE_PARAMETER),
      });
      socket.on('close', () => {
        const { leftAt } = log;
        if (leftAt === null) return;
        setTimeout(() => {
          // Somebody may have come, and even left again, in between.
          if (log.leftAt === leftAt && documents.get(pathname) === log) documents.delete(pathname);
        }, keptMs).unref();
      });
    });
    return null;
  });
  return { ...server, compact };
}

export const relay: RelayServer = createRelay();

/** The relay's view of a client, through all its connections. */
interface Client {
  /** Null: it is away. */
  socket: WebSocket | null;
  /** How long the log was when it first joined. */
  joinedAt: number;
  /** How many messages it has sent. */
  sent: number;
  /** True if the client's frames name their kind, and cursors are among them. */
  hasPresence: boolean;
  /** The last frame in which it told of its cursor; null: it told nothing, or is away. */
  presence: Buffer | null;
}

/** Ways on for a message. */
type Ways = Omit<Parameters<Treat>[0], 'document'>;

/** One document's messages, and who is connected to it. */
class RelayedLog {
  readonly #id = randomUUID();
  readonly #compact: Compact | undefined;
  readonly #compactEvery: number | undefined;
  readonly #log: { message: Uint8Array; from: Client }[] = [];
  readonly #clients = new Map<string, Client>();
  readonly #connected = new Set<Client>();
  /** The number of the connection with whose end nobody was left; null: somebody is connected. */
  leftAt: number | null = null;
  #connections = 0;
  /** The result of `compact` for the first `length` messages. */
  #saved: { state: Uint8Array | null; length: number } = { state: null, length: 0 };

  readonly #treat: (ways: Ways) => void;

  constructor({ compact, compactEvery }: RelayOptions, treat: (ways: Ways) => void = ({ pass }) => pass()) {
    this.#compact = compact;
    this.#compactEvery = compactEvery;
    this.#treat = treat;
    // A client may know the saved state by its place alone, so there is one before the first message.
    if (compactEvery !== undefined) this.#save();
  }

  /**
   * @param of.log      the log that the client comes back to; null: it is a newcomer
   * @param of.received how many messages of others it has had of that log since it first joined
   */
  connect(socket: WebSocket, of: { id: string; log: string | null; received: number; hasPresence: boolean }): void {
    const { id, hasPresence } = of;
    const former = this.#clients.get(id);
    // Of a client that comes back, the broken connection may not have ended here yet.
    former?.socket?.terminate();
    const known = of.log === this.#id ? former : undefined;
    const client = known ?? { socket, joinedAt: this.#log.length, sent: 0, hasPresence, presence: null };
    client.socket = socket;
    this.#clients.set(id, client);
    for (const message of this.#lackedBy(known, of)) {
      socket.send(hasPresence ? frameOf('message', message) : message, { binary: true });
    }
    socket.send(JSON.stringify({ taken: client.sent, log: this.#id } satisfies CaughtUp));
    if (hasPresence) this.#tellWhoIsThere(client);
    this.#connected.add(client);
    this.#connections++;
    this.leftAt = null;
    socket.on('message', (data: Buffer) => {
      if (client.socket !== socket) return;
      if (hasPresence && data[0] === FRAME_KINDS.presence) return this.#passPresence(client, data);
      const message = hasPresence ? data.subarray(1) : data;
      this.#treat({ from: client, data: message, pass: () => this.#pass(client, message) });
    });
    socket.on('close', () => {
      if (client.socket !== socket) return;
      client.socket = null;
      this.#connected.delete(client);
      if (this.#connected.size === 0) this.leftAt = this.#connections;
      client.presence = null;
    });
  }

  #pass(from: Client, message: Buffer): void {
    from.sent++;
    this.#log.push({ message, from });
    let frame: Uint8Array | null = null;
    for (const client of this.#othersThan(from)) {
      if (client.hasPresence) frame ??= frameOf('message', message);
      client.socket!.send(client.hasPresence ? frame! : message, { binary: true });
    }
    if (this.#log.length - this.#saved.length >= (this.#compactEvery ?? Number.POSITIVE_INFINITY)) this.#save();
  }

  #passPresence(from: Client, frame: Buffer): void {
    from.presence = frame;
    for (const client of this.#othersThan(from)) {
      if (client.hasPresence) client.socket!.send(frame, { binary: true });
    }
  }

  #tellWhoIsThere(newcomer: Client): void {
    for (const { presence } of this.#othersThan(newcomer)) {
      if (presence !== null) newcomer.socket!.send(presence, { binary: true });
    }
  }

  /** Those who keep up; who does not is cut off. */
  *#othersThan(one: Client): Iterable<Client> {
    for (const client of this.#connected) {
      if (client === one) continue;
      if (client.socket!.bufferedAmount > LARGEST_BACKLOG_BYTES) client.socket!.close(TRY_AGAIN_LATER);
      else yield client;
    }
  }

  #save(): void {
    if (this.#compact === undefined) return;
    const state = this.#compact(this.#saved.state, this.#messagesFrom(this.#saved.length));
    this.#saved = { state, length: this.#log.length };
  }

  #lackedBy(known: Client | undefined, { log, received }: { log: string | null; received: number }): Uint8Array[] {
    if (known !== undefined) return this.#missedBy(known, received);
    // A document that holds something already takes messages, no saved state.
    return log === null ? this.#forNewcomers() : this.#messagesFrom(0);
  }

  #forNewcomers(): Uint8Array[] {
    if (this.#compactEvery === undefined && this.#log.length > this.#saved.length) this.#save();
    const { state, length } = this.#saved;
    return [...(state === null ? [] : [state]), ...this.#messagesFrom(length)];
  }

  #messagesFrom(index: number): Uint8Array[] {
    return this.#log.slice(index).map(({ message }) => message);
  }

  #missedBy(client: Client, received: number): Uint8Array[] {
    const ofOthers = this.#log.slice(client.joinedAt).filter(({ from }) => from !== client);
    return ofOthers.slice(received).map(({ message }) => message);
  }
}
