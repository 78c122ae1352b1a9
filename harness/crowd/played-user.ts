/** A played crowd in a trial: its users follow the coordinator's orders as live users do, and send what was recorded, all in this process. */
import { roundFigure } from '../../analysis/statistics/quantile.ts';
import { SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import { nowMs } from '../../infra/clock.ts';
import { leastDelayMs } from '../../infra/network/link.ts';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import type { Assignment } from '../trial/protocol.ts';
import { accountLine } from '../users/last-words.ts';
import { makeSchedule } from '../users/typing/schedule.ts';
import { BUCKET_MS, emptyLine } from '../users/typing/typing-log.ts';
import { followOrders, type UserControl } from '../users/user.ts';
import { AnswerWait } from './answer-wait.ts';
import { createPlayback, type Playback, type Track, trackOf } from './playback.ts';
import { clientFrame, openPlayedSocket, type PlayedSocket } from './played-socket.ts';
import type { RecordedUser } from './recording.ts';
import { SocketMember, type SocketMemberOptions } from './socket-member.ts';

/** A user's connection to the coordinator, and what it is to play. */
export interface Played {
  control: UserControl;
  recorded: RecordedUser;
}

interface PlayedUserOptions extends Played, SocketMemberOptions {
  playback: Playback;
  /** Looked at, and their sockets read, in each period. */
  drained: Set<PlayedUser>;
  /** Frames that the users of this process sent so far. */
  sent: { frames: number };
  usersHere: number | null;
}

class PlayedUser extends SocketMember {
  readonly #options: PlayedUserOptions;
  #track: Track | null = null;
  #startMs = 0;
  #typingMs = 0;
  #lateMs: number[] = [];
  #sentFrames = 0;
  readonly #wait = new AnswerWait();

  constructor(options: PlayedUserOptions) {
    super(options);
    this.#options = options;
  }

  override end(): void {
    this.#options.drained.delete(this);
    super.end();
  }

  /** Reads what has come. */
  drain(atMs: number): void {
    const received = this.#socket.received.messages;
    this.#wait.look(atMs, { received, sent: this.#options.sent.frames - this.#sentFrames });
    this.#socket.drain();
  }

  protected override get usersHere(): number | null {
    return this.#options.usersHere;
  }

  get #socket(): PlayedSocket {
    const [socket] = this.sockets;
    if (socket === undefined) throw new Error('an order came before the connection');
    return socket;
  }

  protected override async open({ user, seed, link, serverUrl }: Assignment) {
    const { recorded, drained } = this.#options;
    this.#track = trackOf(recorded, link, seed * SIGIL_NUMBERS + user);
    const url = new URL(`${serverUrl}${recorded.path}`);
    this.sockets.push(await openPlayedSocket({ url, onLost: (reason) => this.lost(reason) }));
    drained.add(this);
    for (const frame of recorded.opening) this.#socket.send(clientFrame(frame));
    return { mode: 'played', leastDelayMs: leastDelayMs(link) };
  }

  protected override begin(startMs: number, typingMs: number): void {
    const { recorded, playback, sent: sentByAll } = this.#options;
    const socket = this.#socket;
    this.#startMs = startMs;
    this.#typingMs = typingMs;
    const sent = [
      ...recorded.sigils.map((sigil) => ({ type: 'sigil-sent' as const, ...sigil })),
      ...recorded.sigilChanges.map((change) => ({ type: 'sigil-changed' as const, ...change })),
    ].sort((one, other) => one.sentMs - other.sentMs);
    playback
      .play(this.#track!, startMs, (bytes, index, lateMs) => {
        socket.send(bytes);
        sentByAll.frames++;
        this.#sentFrames++;
        this.#lateMs.push(roundFigure(lateMs));
        // Lateness of the player is no latency of the framework: sigils are recorded as sent that much later.
        for (; sent.length > 0 && sent[0]!.sentMs <= recorded.frames[index]!.dueMs; sent.shift()) {
          const { dueMs, sentMs, ...of } = sent[0]!;
          const since = startMs + lateMs;
          const leftMs = since + recorded.frames[index]!.dueMs;
          this.control.record({ ...of, dueMs: startMs + dueMs, sentMs: since + sentMs, leftMs });
        }
      })
      .then(() => socket.ping())
      .then(() => this.control.send({ type: 'played' }));
  }

  protected override soFar(): RecordLine {
    const lateMs = this.#lateMs;
    this.#lateMs = [];
    const { messages, bytes } = this.sockets[0]?.received ?? { messages: 0, bytes: 0 };
    const waitedMs = roundFigure(this.#wait.take());
    return { type: 'played', atMs: nowMs(), lateMs, receivedBytes: bytes, receivedMessages: messages, waitedMs };
  }

  protected override lastWords(atMs: number) {
    const { account, ownSigils } = this.#options.recorded;
    const lines: RecordLine[] = [
      ...plannedTyping(this.assignment, this.#startMs, this.#typingMs),
      { type: 'own-sigils', atMs, sigils: [...ownSigils] },
      accountLine(account, atMs),
    ];
    return { ...account, lines };
  }
}

/**
 * A recorded user's typing, second by second. A recording has all that falls due: on a virtual clock nobody is late.
 *
 * @param startMs  when typing began, on the record's clock
 * @param typingMs how long it lasted
 */
export function plannedTyping(
  { user, users, seed, typing, writes }: Pick<Assignment, 'user' | 'users' | 'seed' | 'typing' | 'writes'>,
  startMs: number,
  typingMs: number,
): RecordOf<'typing'>[] {
  if (!writes) return [];
  const { dueMs } = makeSchedule({ ...typing, user, users, seed });
  const edits: number[] = Array.from({ length: Math.ceil(typingMs / BUCKET_MS) }, () => 0);
  for (let k = 0; dueMs(k) < typingMs; k++) edits[Math.floor(dueMs(k) / BUCKET_MS)]!++;
  return edits.map((count, second) => ({ ...emptyLine(startMs, second), offered: count, performed: count }));
}

/**
 * Period at which sockets are read. Waking for every message of a hundred users would cost more than all other work. No
 * server notices: a message waits in the system's buffer, as it would for a busy page.
 */
const READ_PERIOD_MS = 50;

/** Resolves when all users' parts are over. */
export async function playCrowd(
  crowd: readonly Played[],
  { frameworkVersion }: { frameworkVersion: string },
): Promise<void> {
  const playback = createPlayback();
  const drained = new Set<PlayedUser>();
  const sent = { frames: 0 };
  const drain = setInterval(() => {
    const atMs = performance.now();
    for (const user of drained) user.drain(atMs);
  }, READ_PERIOD_MS);
  await Promise.all(
    crowd.map((played, index) => {
      const usersHere = index === 0 ? crowd.length : null;
      return followOrders(
        played.control,
        new PlayedUser({ ...played, playback, drained, sent, frameworkVersion, usersHere }),
      );
    }),
  );
  clearInterval(drain);
  playback.stop();
}
