/** A played crowd in a trial: its users follow the coordinator's orders as live users do, and send what was recorded, all in this process. */
import { getPriority } from 'node:os';
import { roundFigure } from '../../analysis/statistics/quantile.ts';
import { SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import { nowMs } from '../../infra/clock.ts';
import { leastDelayMs } from '../../infra/network/link.ts';
import { type RecordLine, type RecordOf, SCHEMA_VERSION } from '../../results/formats/records.ts';
import { messageOf } from '../../results/user-error.ts';
import { processMemoryBytes } from '../probes/process-tree.ts';
import { ownCpuMs } from '../probes/this-process.ts';
import type { Order } from '../trial/control-connection.ts';
import type { Assignment } from '../trial/protocol.ts';
import { accountLine } from '../users/last-words.ts';
import { makeSchedule } from '../users/typing/schedule.ts';
import { BUCKET_MS, emptyLine } from '../users/typing/typing-log.ts';
import { followOrders, type OrderOf, type UserControl, type UserOptions } from '../users/user.ts';
import { CLOCK_PERIOD_MS, createUserClock, type UserClock } from '../users/user-clock.ts';
import { AnswerWait } from './answer-wait.ts';
import { createPlayback, type Playback, type Track, trackOf } from './playback.ts';
import { clientFrame, openPlayedSocket, type PlayedSocket } from './played-socket.ts';
import type { RecordedUser } from './recording.ts';

/** How often the lateness of frames is recorded, and how much came back. */
const RECORD_PERIOD_MS = 1000;

/** A user's connection to the coordinator, and what it is to play. */
export interface Played {
  control: UserControl;
  recorded: RecordedUser;
}

interface PlayedUserOptions extends Played {
  playback: Playback;
  /** Looked at, and their sockets read, in each period. */
  drained: Set<PlayedUser>;
  /** Frames that the users of this process sent so far. */
  sent: { frames: number };
  frameworkVersion: string;
  onGo: UserOptions['onGo'];
}

class PlayedUser {
  readonly #options: PlayedUserOptions;
  readonly #clock: UserClock;
  #assignment: Assignment | null = null;
  #socket: PlayedSocket | null = null;
  #track: Track | null = null;
  #typedMs = 0;
  #startMs = 0;
  #lateMs: number[] = [];
  #sentFrames = 0;
  readonly #wait = new AnswerWait();
  #recorder: NodeJS.Timeout | undefined;

  constructor(options: PlayedUserOptions) {
    this.#options = options;
    this.#clock = createUserClock({ control: options.control });
  }

  async follow(order: Exclude<Order, { type: 'goodbye' }>): Promise<void> {
    if (order.type === 'assignment') return this.#join(order.assignment);
    if (order.type === 'go') return this.#go(order);
    if (order.type === 'collect') return this.#handIn();
    throw new Error(`a played user cannot follow the order "${order.type}"`);
  }

  end(): void {
    clearInterval(this.#recorder);
    this.#clock.stop();
    this.#options.drained.delete(this);
    this.#socket?.close();
  }

  /** Reads what has come. */
  drain(atMs: number): void {
    const received = this.#socket!.received.messages;
    this.#wait.look(atMs, { received, sent: this.#options.sent.frames - this.#sentFrames });
    this.#socket!.drain();
  }

  async #join(assignment: Assignment): Promise<void> {
    const { control, recorded, drained } = this.#options;
    const { user, framework, seed, link, serverUrl } = assignment;
    this.#assignment = assignment;
    this.#track = trackOf(recorded, link, seed * SIGIL_NUMBERS + user);
    const onLost = (reason: string) => control.send({ type: 'failed', message: reason, by: 'framework' });
    try {
      this.#socket = await openPlayedSocket({ url: new URL(`${serverUrl}${recorded.path}`), onLost });
    } catch (error) {
      onLost(messageOf(error));
      return;
    }
    drained.add(this);
    for (const frame of recorded.opening) this.#socket.send(clientFrame(frame));
    const { frameworkVersion } = this.#options;
    control.record(socketLine({ user, framework, frameworkVersion, mode: 'played', leastDelayMs: leastDelayMs(link) }));
    await this.#clock.measure();
    // Its opening must be read before anyone types, as a live user's is.
    await this.#socket.ping();
    control.send({ type: 'ready' });
  }

  #go(go: OrderOf<'go'>): void {
    const { control, recorded, playback, sent: sentByAll } = this.#options;
    const [assignment, socket, track] = [this.#assignment, this.#socket, this.#track];
    if (assignment === null || socket === null || track === null)
      throw new Error('an order came before the assignment');
    this.#startMs = this.#clock.fromCoordinatorMs(go.startMs);
    this.#typedMs = go.endMs - go.startMs;
    const sent = [
      ...recorded.sigils.map((sigil) => ({ type: 'sigil-sent' as const, ...sigil })),
      ...recorded.sigilChanges.map((change) => ({ type: 'sigil-changed' as const, ...change })),
    ].sort((one, other) => one.sentMs - other.sentMs);
    playback
      .play(track, this.#startMs, (bytes, index, lateMs) => {
        socket.send(bytes);
        sentByAll.frames++;
        this.#sentFrames++;
        this.#lateMs.push(roundFigure(lateMs));
        // Lateness of the player is no latency of the framework: sigils are recorded as sent that much later.
        for (; sent.length > 0 && sent[0]!.sentMs <= recorded.frames[index]!.dueMs; sent.shift()) {
          const { dueMs, sentMs, ...of } = sent[0]!;
          const since = this.#startMs + lateMs;
          const leftMs = since + recorded.frames[index]!.dueMs;
          control.record({ ...of, dueMs: this.#startMs + dueMs, sentMs: since + sentMs, leftMs });
        }
      })
      .then(() => socket.ping())
      .then(() => control.send({ type: 'played' }));
    this.#recorder = setInterval(() => control.record(this.#played()), RECORD_PERIOD_MS);
    const { user, users } = assignment;
    this.#clock.keepMeasuring(((user + 1) / users) * CLOCK_PERIOD_MS, (error) =>
      control.send({ type: 'failed', message: `its clock: ${error.message}` }),
    );
    this.#options.onGo({ memoryAtMs: this.#clock.fromCoordinatorMs(go.memoryAtMs), recordOffsetMs: 0 });
  }

  #played(): RecordLine {
    const lateMs = this.#lateMs;
    this.#lateMs = [];
    const { messages, bytes } = this.#socket?.received ?? { messages: 0, bytes: 0 };
    const waitedMs = roundFigure(this.#wait.take());
    return { type: 'played', atMs: nowMs(), lateMs, receivedBytes: bytes, receivedMessages: messages, waitedMs };
  }

  async #handIn(): Promise<void> {
    const { control, recorded } = this.#options;
    if (this.#assignment === null) throw new Error('an order came before the assignment');
    clearInterval(this.#recorder);
    this.#clock.stop();
    await this.#clock.measure();
    const { account, ownSigils } = recorded;
    const { insertedCharacters, deletedCharacters } = account;
    const atMs = nowMs();
    control.record(
      this.#played(),
      ...plannedTyping(this.#assignment, this.#startMs, this.#typedMs),
      { type: 'own-sigils', atMs, sigils: [...ownSigils] },
      accountLine(account, atMs),
      { type: 'settled', atMs, ...UNSEEN, insertedCharacters, deletedCharacters, typedCharacters: insertedCharacters },
    );
    control.flush();
    control.send({ type: 'outcome', contents: null, editorContents: null, savedState: null });
  }
}

type ProcessLine = RecordOf<'process'>;

/** The first line of a member that is a socket, or several, and holds no client of the library. */
export function socketLine(
  of: Pick<ProcessLine, 'user' | 'framework' | 'frameworkVersion' | 'mode' | 'leastDelayMs'>,
): ProcessLine {
  const [role, node, nice] = ['user' as const, process.version, getPriority()];
  return { type: 'process', schemaVersion: SCHEMA_VERSION, role, ...of, node, chrome: null, nice, atMs: nowMs() };
}

/** It holds no document. */
export const UNSEEN = {
  modelDigest: null,
  shownModelDigest: null,
  editorDigest: null,
  editorTextDigest: null,
  screenTextDigest: null,
  characters: null,
  savedStateBytes: null,
  quillStateBytes: null,
};

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
const SAMPLE_PERIOD_MS = 2000;

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
  let stopSampling = () => {};
  await Promise.all(
    crowd.map(({ control, recorded }, index) =>
      followOrders(
        control,
        new PlayedUser({
          ...{ control, recorded, playback, drained, sent, frameworkVersion },
          onGo({ memoryAtMs }) {
            if (index === 0) stopSampling = sampleThisProcess(control, { users: crowd.length, memoryAtMs });
          },
        }),
      ),
    ),
  );
  stopSampling();
  clearInterval(drain);
  playback.stop();
}

/** Records what this process takes. @param about.memoryAtMs when memory is read, once, as of all processes of users */
export function sampleThisProcess(
  { record }: Pick<UserControl, 'record'>,
  { users, memoryAtMs }: { users: number; memoryAtMs: number },
): () => void {
  let memoryDone = false;
  const timer = setInterval(async () => {
    const atMs = nowMs();
    const readMemory = !memoryDone && atMs >= memoryAtMs;
    memoryDone ||= readMemory;
    const memoryBytes = readMemory ? await processMemoryBytes(process.pid) : null;
    const of = { type: 'resources', of: 'crowd', host: 'crowd', users, cores: null } as const;
    record({ ...of, atMs, cpuMs: ownCpuMs(), memoryBytes });
  }, SAMPLE_PERIOD_MS);
  return () => clearInterval(timer);
}
