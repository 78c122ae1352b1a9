/**
 * Users of a storm who are sockets: each says what the library's client says to open the document, or to come back with it, and types
 * nothing. Some come whenever a live user's client of this process tries, so the library's own pauses hold for them too.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Reader, Reading } from '../../harness/attached/protocols/protocol.ts';
import { clientFrame, openPlayedSocket, type PlayedSocket } from '../../harness/crowd/played-socket.ts';
import { nowMs } from '../../infra/clock.ts';
import { severalAtOnce } from '../../infra/several-at-once.ts';
import type { Place } from '../join/held-document.ts';

/** Messages to a socket that is back may wait in the system. */
const READ_PERIOD_MS = 250;
/** A socket that is cut off when no live user's client tries any more comes back by itself, after a pause. */
export const LONELY_MS = 5000;

export interface SocketMarks {
  /** When each had the document (again), with all that the server had, ms since the epoch. NaN: it had not. */
  backMs: number[];
  /** The same of those alone who came last after the harness's own pause, as no live user's client of their process tried any more. */
  aloneMs: number[];
  /** Why one of those who had not was turned away or cut off; null: none was. */
  turnedAway: string | null;
  /** True: the server says that it has the document whatever it holds. */
  isBelieved: boolean;
}

export class SocketUsers {
  readonly #users: SocketUser[];
  readonly #atOneAttempt: number;
  readonly #isBelieved: boolean;
  /** Those without a connection, in the order in which they come. */
  #away: SocketUser[] = [];
  #isStorm = false;
  #isOpening = false;
  #lastAttemptMs = 0;
  readonly #done = Promise.withResolvers<void>();

  /** @param options.live users with clients in this process, at least one */
  constructor({ count, live, reading, place }: { count: number; live: number; reading: Reading | null; place: Place }) {
    if (count > 0 && reading === null) throw new Error('it is not known how a socket opens this framework’s documents');
    this.#users = Array.from({ length: count }, () => new SocketUser(reading!, place, (user) => this.#lost(user)));
    this.#isBelieved = reading?.isBelieved === true;
    this.#away = [...this.#users];
    this.#atOneAttempt = Math.ceil(count / live);
    if (count > 0) this.#watch();
  }

  close(): void {
    this.#isStorm = false;
    for (const user of this.#users) user.close();
  }

  /** All join, so many at a time. @throws Error that says why one could not */
  async join(atOnce: number): Promise<void> {
    await severalAtOnce(this.#away.splice(0), Math.min(atOnce, this.#users.length), (user) => this.#come(user));
  }

  /** From now on they come, or come back, with the live users. */
  begin(): void {
    this.#isStorm = true;
    this.#lastAttemptMs = nowMs();
    for (const user of this.#users) user.backMs = Number.NaN;
    this.#tellIfDone();
  }

  /** Resolves once each has been back, or is denied the document. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  get marks(): SocketMarks {
    const backMs = this.#users.map((user) => user.backMs);
    const turnedAway =
      this.#users.find((user) => Number.isNaN(user.backMs) && user.turnedAway !== null)?.turnedAway ?? null;
    const aloneMs = this.#users.filter(({ isAlone }) => isAlone).map((user) => user.backMs);
    return { backMs, aloneMs, turnedAway, isBelieved: this.#isBelieved };
  }

  #watch(): void {
    subscribe('net.client.socket', () => this.#comeAlong());
    setInterval(() => {
      for (const user of this.#users) user.drain();
      if (nowMs() - this.#lastAttemptMs > LONELY_MS) this.#comeAlong({ isAlone: true });
    }, READ_PERIOD_MS).unref();
  }

  /** A live user's client tries to connect; or none has for a while. */
  #comeAlong({ isAlone = false } = {}): void {
    if (!this.#isStorm || this.#isOpening) return;
    this.#lastAttemptMs = nowMs();
    for (const user of this.#away.splice(0, this.#atOneAttempt)) {
      user.isAlone = isAlone;
      this.#come(user).then(
        () => this.#tellIfDone(),
        () => {},
      );
    }
  }

  #come(user: SocketUser): Promise<void> {
    this.#isOpening = true;
    try {
      return user.come({ restsOnceIn: this.#isStorm });
    } finally {
      this.#isOpening = false;
    }
  }

  #lost(user: SocketUser): void {
    // A live user's client gives up then, too.
    if (user.isDenied) {
      if (this.#isStorm) this.#tellIfDone();
      return;
    }
    // The pause counts from the first who is away.
    if (this.#away.length === 0) this.#lastAttemptMs = nowMs();
    this.#away.push(user);
  }

  #tellIfDone(): void {
    if (this.#users.every(({ backMs, isDenied }) => isDenied || !Number.isNaN(backMs))) this.#done.resolve();
  }
}

class SocketUser {
  backMs = Number.NaN;
  /** Why it has no connection; null: it has one, or never tried. */
  turnedAway: string | null = null;
  /** True: the server would not give it the document, and it asks no more. */
  isDenied = false;
  /** True: it came last when no live user's client did. */
  isAlone = false;
  readonly #url: URL;
  readonly #reader: Reader;
  readonly #onLost: (user: SocketUser) => void;
  #socket: PlayedSocket | null = null;

  constructor({ reader }: Reading, { url, documentId: document }: Place, onLost: (user: SocketUser) => void) {
    this.#url = new URL(`${url}/${document}`);
    this.#reader = reader({ document, token: null, presence: false });
    this.#onLost = onLost;
  }

  drain(): void {
    this.#socket?.drain();
  }

  close(): void {
    this.#socket?.close();
    this.#socket = null;
  }

  /**
   * Begins to connect at once, and resolves when it has the document.
   *
   * @param options.restsOnceIn false: it goes on listening, and so hears at once when it is cut off
   * @throws Error that says why it was turned away
   */
  async come({ restsOnceIn }: { restsOnceIn: boolean }): Promise<void> {
    const words = this.#reader.opening();
    const isIn = Promise.withResolvers<void>();
    isIn.promise.catch(() => {});
    let isOver = false;
    const lose = (reason: string) => {
      isOver = true;
      if (this.#socket !== null) this.backMs = Number.NaN;
      this.#socket = null;
      this.turnedAway = reason;
      isIn.reject(new Error(reason));
      this.#onLost(this);
    };
    const opening = openPlayedSocket({
      url: this.#url,
      onLost: lose,
      onMessage: (message, reply) => {
        const { answers, isIn: has, denied } = this.#reader.hear(message);
        for (const frame of answers) reply(clientFrame(frame));
        if (denied !== undefined) {
          this.#socket?.close();
          this.isDenied = true;
          lose(`the server gives it no document: ${denied}`);
        } else if (has) {
          this.backMs = nowMs();
          isIn.resolve();
        }
        return denied === undefined && !(has && restsOnceIn);
      },
    });
    try {
      const socket = await opening;
      // A server may end a connection in the same breath.
      if (isOver) {
        socket.close();
        return isIn.promise;
      }
      this.#socket = socket;
      this.turnedAway = null;
      for (const frame of words) socket.send(clientFrame(frame));
    } catch (error) {
      lose((error as Error).message);
    }
    return isIn.promise;
  }
}
