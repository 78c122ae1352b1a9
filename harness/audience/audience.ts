/**
 * The readers of a trial who are sockets: each says what the library's client says to join, then only receives. All are in this
 * process, and one member of the trial.
 */
import { nowMs, realTimer } from '../../infra/clock.ts';
import { foreignTarget } from '../../infra/network/line-target.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { messageOf } from '../../results/user-error.ts';
import type { Reading } from '../attached/readers.ts';
import { clientFrame, openPlayedSocket, type PlayedSocket, type Received, type Way } from '../crowd/played-socket.ts';
import { sampleThisProcess, socketLine, UNSEEN } from '../crowd/played-user.ts';
import type { Order } from '../trial/control-connection.ts';
import type { Assignment, Blamed, ForeignServer } from '../trial/protocol.ts';
import { TurnedAway } from '../users/turned-away.ts';
import type { OrderOf, UserControl } from '../users/user.ts';
import { CLOCK_PERIOD_MS, createUserClock, type UserClock } from '../users/user-clock.ts';

/** Nobody looks at what comes, so it may wait in the system for longer than a crowd's. */
const READ_PERIOD_MS = 250;
const RECORD_PERIOD_MS = 1000;
/** Servers drop a silent client after 30 s at the earliest. */
const ALIVE_PERIOD_MS = 25_000;

interface AudienceOptions {
  control: UserControl;
  reading: Reading;
  frameworkVersion: string;
  /** The server that they go to, if somebody else runs it. */
  foreign: ForeignServer | null;
}

export class Audience {
  readonly #options: AudienceOptions;
  readonly #clock: UserClock;
  readonly #sockets: PlayedSocket[] = [];
  /** Received by each when typing began: the document, in as many messages as there happened to be. */
  #before: Received[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  #stopSampling = () => {};

  constructor(options: AudienceOptions) {
    this.#options = options;
    this.#clock = createUserClock({ control: options.control });
  }

  async follow(order: Exclude<Order, { type: 'goodbye' }>): Promise<void> {
    if (order.type === 'assignment') return this.#join(order.assignment);
    if (order.type === 'go') return this.#go(order);
    if (order.type === 'collect') return this.#handIn();
    throw new Error(`readers cannot follow the order "${order.type}"`);
  }

  async end(): Promise<void> {
    this.#stopSampling();
    for (const timer of this.#timers) clearInterval(timer);
    this.#clock.stop();
    for (const socket of this.#sockets) socket.close();
  }

  async #join(assignment: Assignment): Promise<void> {
    const { user, framework, documentId, readers } = assignment;
    const { control, frameworkVersion, reading } = this.#options;
    const { count, joinPeriodMs } = readers!;
    this.#every(READ_PERIOD_MS, () => {
      for (const socket of this.#sockets) socket.drain();
    });
    this.#every(ALIVE_PERIOD_MS, () => {
      const frame = reading.alive?.(documentId);
      if (frame !== undefined) for (const socket of this.#sockets) socket.send(clientFrame(frame));
    });
    const ways = this.#waysFor(assignment);
    try {
      for (let reader = 0; reader < count && !control.ended.aborted; reader++) {
        if (joinPeriodMs > 0) await realTimer.until(nowMs() + joinPeriodMs, control.ended);
        this.#sockets.push(await this.#open(ways[reader % ways.length]!, assignment));
      }
      // Their openings must be read before anyone types, as a live user's is.
      await Promise.all(this.#sockets.map((socket) => socket.ping()));
    } catch (error) {
      return this.#onLost(messageOf(error));
    }
    control.record(socketLine({ user, framework, frameworkVersion, mode: 'reader' }));
    await this.#clock.measure();
    control.send({ type: 'ready' });
  }

  /** Straight there: nothing on the way has to be delayed, and each message would cost as much again in a line of the harness. */
  #waysFor({ serverUrl, documentId, readers }: Assignment): Way[] {
    const { foreign } = this.#options;
    if (foreign === null) {
      return (readers!.servers ?? [serverUrl]).map((server) => ({ url: new URL(`${server}/${documentId}`) }));
    }
    const turnedAway = new TurnedAway((...refusal) => this.#fail(...refusal));
    return [{ url: new URL(foreign.url), target: foreignTarget(foreign, (ending) => turnedAway.ended(ending)) }];
  }

  async #open(way: Way, { documentId: document, presence }: Assignment): Promise<PlayedSocket> {
    const { foreign, reading } = this.#options;
    const token = foreign?.token ?? null;
    const socket = await openPlayedSocket({ ...way, onLost: (reason) => this.#onLost(reason) });
    const reader = reading.reader({ document, token, presence: presence !== undefined });
    for (const frame of reader.opening()) socket.send(clientFrame(frame));
    return socket;
  }

  #go({ memoryAtMs: coordinatorMs }: OrderOf<'go'>): void {
    const { control } = this.#options;
    // A part of the document may still wait in the system, of one reader and not of another.
    for (const [index, socket] of this.#sockets.entries()) {
      socket.ping().then(() => {
        this.#before[index] = { ...socket.received };
      });
    }
    // They have nothing to send, so the server has read all of it.
    control.send({ type: 'played' });
    this.#every(RECORD_PERIOD_MS, () => control.record(this.#received()));
    this.#clock.keepMeasuring(CLOCK_PERIOD_MS, (error) => this.#fail(`its clock: ${error.message}`));
    const memoryAtMs = this.#clock.fromCoordinatorMs(coordinatorMs);
    this.#stopSampling = sampleThisProcess(control, { users: this.#sockets.length, memoryAtMs });
  }

  async #handIn(): Promise<void> {
    const { control } = this.#options;
    this.#clock.stop();
    await this.#clock.measure();
    const counts = { insertedCharacters: 0, deletedCharacters: 0, typedCharacters: 0 };
    control.record(this.#received(), { type: 'settled', atMs: nowMs(), ...UNSEEN, ...counts });
    control.flush();
    control.send({ type: 'outcome', contents: null, editorContents: null, savedState: null });
  }

  #received(): RecordLine {
    const received = this.#sockets.map(({ received: { messages, bytes } }, index) => {
      const before = this.#before[index] ?? { messages: 0, bytes: 0 };
      return { messages: messages - before.messages, bytes: bytes - before.bytes };
    });
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const bytes = received.map((each) => each.bytes);
    return {
      type: 'readers',
      atMs: nowMs(),
      readers: received.length,
      receivedBytes: sum(bytes),
      receivedMessages: sum(received.map(({ messages }) => messages)),
      leastBytes: Math.min(...bytes),
    };
  }

  #every(periodMs: number, work: () => void): void {
    this.#timers.push(setInterval(work, periodMs));
  }

  #onLost(reason: string): void {
    this.#fail(`a reader: ${reason}`, this.#options.foreign === null ? 'framework' : 'foreign');
  }

  #fail(message: string, by?: Blamed): void {
    this.#options.control.send({ type: 'failed', message, ...(by && { by }) });
  }
}
