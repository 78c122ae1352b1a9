/**
 * The readers of a trial who are sockets: each says what the library's client says to join, then only receives. All are in this
 * process, and one member of the trial.
 */
import { nowMs, realTimer } from '../../infra/clock.ts';
import { foreignTarget } from '../../infra/network/line-target.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import type { Reading } from '../attached/protocols/protocol.ts';
import { clientFrame, openPlayedSocket, type PlayedSocket, type Received, type Way } from '../crowd/played-socket.ts';
import { SocketMember, type SocketMemberOptions } from '../crowd/socket-member.ts';
import type { Assignment, ForeignServer } from '../trial/protocol.ts';
import { TurnedAway } from '../users/turned-away.ts';

/** Nobody looks at what comes, so it may wait in the system for longer than a crowd's. */
const READ_PERIOD_MS = 250;
/** Servers drop a silent client after 30 s at the earliest. */
const ALIVE_PERIOD_MS = 25_000;

interface AudienceOptions extends SocketMemberOptions {
  reading: Reading;
  /** The server that they go to, if somebody else runs it. */
  foreign: ForeignServer | null;
}

export class Audience extends SocketMember {
  readonly #options: AudienceOptions;
  /** Received by each when typing began: the document, in as many messages as there happened to be. */
  #before: Received[] = [];

  constructor(options: AudienceOptions) {
    super(options);
    this.#options = options;
  }

  protected override get usersHere(): number {
    return this.sockets.length;
  }

  protected override async open(assignment: Assignment) {
    const { documentId, readers } = assignment;
    const { ended } = this.control;
    const { count, joinPeriodMs } = readers!;
    this.every(READ_PERIOD_MS, () => {
      for (const socket of this.sockets) socket.drain();
    });
    this.every(ALIVE_PERIOD_MS, () => {
      const frame = this.#options.reading.alive?.(documentId);
      if (frame !== undefined) for (const socket of this.sockets) socket.send(clientFrame(frame));
    });
    const ways = this.#waysFor(assignment);
    for (let reader = 0; reader < count && !ended.aborted; reader++) {
      if (joinPeriodMs > 0) await realTimer.until(nowMs() + joinPeriodMs, ended);
      this.sockets.push(await this.#openOne(ways[reader % ways.length]!, assignment));
    }
    return { mode: 'reader' };
  }

  /** Straight there: nothing on the way has to be delayed, and each message would cost as much again in a line of the harness. */
  #waysFor({ serverUrl, documentId, readers }: Assignment): Way[] {
    const { foreign } = this.#options;
    if (foreign === null) {
      return (readers!.servers ?? [serverUrl]).map((server) => ({ url: new URL(`${server}/${documentId}`) }));
    }
    const turnedAway = new TurnedAway((...refusal) => this.fail(...refusal));
    return [{ url: new URL(foreign.url), target: foreignTarget(foreign, (ending) => turnedAway.ended(ending)) }];
  }

  async #openOne(way: Way, { documentId: document, presence }: Assignment): Promise<PlayedSocket> {
    const { foreign, reading } = this.#options;
    const token = foreign?.token ?? null;
    const socket = await openPlayedSocket({ ...way, onLost: (reason) => this.lost(reason) });
    const reader = reading.reader({ document, token, presence: presence !== undefined });
    for (const frame of reader.opening()) socket.send(clientFrame(frame));
    return socket;
  }

  protected override begin(): void {
    // A part of the document may still wait in the system, of one reader and not of another.
    for (const [index, socket] of this.sockets.entries()) {
      socket.ping().then(() => {
        this.#before[index] = { ...socket.received };
      });
    }
    // They have nothing to send, so the server has read all of it.
    this.control.send({ type: 'played' });
  }

  protected override soFar(): RecordLine {
    const received = this.sockets.map(({ received: { messages, bytes } }, index) => {
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

  protected override lost(reason: string): void {
    this.fail(`a reader: ${reason}`, this.#options.foreign === null ? 'framework' : 'foreign');
  }
}
