/** A process's end of its connection to the coordinator: says hello, measures the clock, sends records, hears orders. */
import { WebSocket } from 'ws';
import type { RecordLine } from '../../results/formats/records.ts';
import { type ClockExchange, type ClockOffset, measureOffset, nowMs } from '../clock.ts';
import { type MessageToCoordinator, type MessageToProcess, messageToProcess } from './protocol.ts';

/** Exchanges per thorough measurement of the clock: enough that one meets no queue. */
const CLOCK_ROUNDS = 12;
/** How long records wait for company. */
const RECORD_PERIOD_MS = 2000;
/** A process ends by itself when the coordinator is silent for this long; it pings every `PING_PERIOD_MS`. */
export const COORDINATOR_SILENCE_MS = 60_000;
export const PING_PERIOD_MS = 10_000;

export interface ControlConnection {
  send(message: MessageToCoordinator): void;
  /** Adds lines to this process's record; they travel in batches. Once the outcome is sent, nothing is added any more. */
  record(...lines: RecordLine[]): void;
  flush(): void;
  /**
   * How the coordinator's clock stands against this process's, by so many exchanges; unless given, a thorough measurement.
   * Rejects where the connection ends meanwhile.
   */
  measureClock(rounds?: number): Promise<ClockOffset>;
  /** The coordinator's orders, in order; ends when the connection does. */
  orders: AsyncIterable<Order>;
  /** Aborts when the connection ends, whoever ended it. */
  ended: AbortSignal;
  close(): void;
}
export type Order = Exclude<MessageToProcess, { type: 'time' }>;

/**
 * @param options.url  the coordinator's control address, which holds the trial's token
 * @param options.user the user's number; absent: the next that is free
 * @throws Error where it cannot be reached or does not let this process in
 */
export async function connectToCoordinator(options: {
  url: string;
  role: 'user' | 'server';
  user?: number;
}): Promise<ControlConnection> {
  const socket = new WebSocket(options.url, { perMessageDeflate: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const orders = createQueue<Order>();
  const ended = new AbortController();
  const exchanges: PromiseWithResolvers<ClockExchange>[] = [];
  let silence = setTimeout(() => socket.terminate(), COORDINATOR_SILENCE_MS);
  socket.on('ping', () => {
    clearTimeout(silence);
    silence = setTimeout(() => socket.terminate(), COORDINATOR_SILENCE_MS);
  });
  socket.on('message', (data) => {
    const receivedMs = nowMs();
    const message = messageToProcess.parse(JSON.parse(data.toString()));
    if (message.type !== 'time') return orders.push(message);
    const { sentMs, coordinatorMs } = message;
    exchanges.shift()?.resolve({ sentMs, otherMs: coordinatorMs, receivedMs });
  });
  socket.on('close', () => {
    clearTimeout(silence);
    ended.abort(new Error('the connection to the coordinator ended'));
    for (const { reject } of exchanges.splice(0)) reject(ended.signal.reason);
    orders.end();
  });
  // What follows an error is a close, and that ends the orders.
  socket.on('error', () => socket.terminate());

  let waiting: RecordLine[] = [];
  let handedIn = false;
  let timer: NodeJS.Timeout | null = null;
  const send = (message: MessageToCoordinator) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    // The record is complete; the coordinator takes nothing that comes later.
    if (message.type === 'outcome') handedIn = true;
  };
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.length > 0) send({ type: 'records', lines: waiting });
    waiting = [];
  };
  send({ type: 'hello', role: options.role, user: options.user ?? null });

  return {
    send,
    flush,
    record(...lines) {
      if (handedIn) return;
      waiting.push(...lines);
      timer ??= setTimeout(flush, RECORD_PERIOD_MS);
    },
    measureClock: (rounds = CLOCK_ROUNDS) =>
      measureOffset(async () => {
        ended.signal.throwIfAborted();
        const exchange = Promise.withResolvers<ClockExchange>();
        exchanges.push(exchange);
        send({ type: 'time', sentMs: nowMs() });
        return exchange.promise;
      }, rounds),
    orders: orders.items,
    ended: ended.signal,
    close() {
      flush();
      socket.close();
    },
  };
}

/** A queue that one consumer reads with `for await`. */
function createQueue<T>(): { push(item: T): void; end(): void; items: AsyncIterable<T> } {
  const waiting: T[] = [];
  let ended = false;
  let wake = () => {};
  return {
    push(item) {
      waiting.push(item);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    items: {
      async *[Symbol.asyncIterator]() {
        while (true) {
          while (waiting.length > 0) yield waiting.shift()!;
          if (ended) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
    },
  };
}
