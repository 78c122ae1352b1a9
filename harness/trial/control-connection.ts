/** A process's end of its channel to the coordinator: says hello, measures the clock, sends records, hears orders. */
import { Readable } from 'node:stream';
import { type Channel, openChannel } from '../../infra/channel/channel.ts';
import { type ClockExchange, type ClockOffset, measureOffset, nowMs } from '../../infra/clock.ts';
import { CUT_OFF_EXIT_CODE } from '../../infra/fleet.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { messageOf } from '../../results/user-error.ts';
import { type MessageToCoordinator, type MessageToProcess, messageToProcess } from './protocol.ts';

/** Exchanges per thorough measurement of the clock: enough that one meets no queue. */
const CLOCK_ROUNDS = 12;
/** How long records wait for company. */
const RECORD_PERIOD_MS = 2000;

export type Order = Exclude<MessageToProcess, { type: 'time' }>;

/**
 * @param options.url  the coordinator's control address, which holds the trial's token
 * @param options.user the user's number; null: it is the server
 * @throws Error if it cannot be reached or does not let this process in
 */
export async function connectToCoordinator({
  url,
  user,
}: {
  url: string;
  user: number | null;
}): Promise<ControlConnection> {
  const connection = new ControlConnection(await openChannel({ url, schema: messageToProcess }));
  connection.send({ type: 'hello', user });
  return connection;
}

/** For a process that could not connect: says so, and ends it as one that can do nothing about that. */
export function endUnconnected(error: Error): never {
  console.error(`it could not connect to the coordinator: ${messageOf(error)}`);
  process.exit(CUT_OFF_EXIT_CODE);
}

export class ControlConnection {
  readonly #channel: Channel<MessageToProcess, MessageToCoordinator>;
  readonly #orders = new Readable({ objectMode: true, read() {} });
  /** Questions about the time that are not answered yet. */
  readonly #exchanges: PromiseWithResolvers<ClockExchange>[] = [];
  #records: RecordLine[] = [];
  #flushTimer: NodeJS.Timeout | null = null;
  #hasHandedIn = false;

  constructor(channel: Channel<MessageToProcess, MessageToCoordinator>) {
    this.#channel = channel;
    channel.receive({
      onMessage: (message, { atMs }) => {
        if (message.type === 'time') {
          const { sentMs, coordinatorMs } = message;
          this.#exchanges.shift()?.resolve({ sentMs, otherMs: coordinatorMs, receivedMs: atMs });
        } else this.#orders.push(message);
      },
    });
    channel.ended.addEventListener('abort', () => {
      for (const { reject } of this.#exchanges.splice(0)) reject(this.#lost());
      this.#orders.push(null);
    });
  }

  /** The coordinator's orders, in order; ends when the connection does. For one reader. */
  get orders(): AsyncIterable<Order> {
    return this.#orders;
  }

  /** Aborts when the connection ends, whoever ended it. */
  get ended(): AbortSignal {
    return this.#channel.ended;
  }

  send(message: MessageToCoordinator): void {
    this.#channel.send(message);
    // The record is complete; the coordinator takes nothing that comes later.
    if (message.type === 'outcome') this.#hasHandedIn = true;
  }

  /**
   * Adds lines to this process's record; they travel in batches. Once the outcome is sent, nothing is added any more.
   * Bound, because it is handed to what samples.
   */
  readonly record = (...lines: RecordLine[]): void => {
    if (this.#hasHandedIn) return;
    this.#records.push(...lines);
    this.#flushTimer ??= setTimeout(() => this.flush(), RECORD_PERIOD_MS);
  };

  /** Sends the records that wait. */
  flush(): void {
    if (this.#flushTimer !== null) clearTimeout(this.#flushTimer);
    this.#flushTimer = null;
    if (this.#records.length > 0) this.send({ type: 'records', lines: this.#records });
    this.#records = [];
  }

  /**
   * Offset of the coordinator's clock from this process's. `rounds` is the number of exchanges, by default that of a thorough
   * measurement. Rejects if the connection ends meanwhile.
   */
  measureClock(rounds = CLOCK_ROUNDS): Promise<ClockOffset> {
    return measureOffset(async () => {
      if (this.ended.aborted) throw this.#lost();
      const exchange = Promise.withResolvers<ClockExchange>();
      this.#exchanges.push(exchange);
      this.send({ type: 'time', sentMs: nowMs() });
      return exchange.promise;
    }, rounds);
  }

  close(): void {
    this.flush();
    this.#channel.close();
  }

  #lost(): Error {
    return new Error('the connection to the coordinator ended', { cause: this.ended.reason });
  }
}
