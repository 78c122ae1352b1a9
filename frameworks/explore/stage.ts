/** The stage of one world: a virtual clock, a network, the framework's server, and users with its clients, in this process. */
import type { FrameworkClient, Replica } from '../../editors/base/framework.ts';
import { createVirtualClock, replaceGlobals, type VirtualClock } from '../../infra/virtual/clock.ts';
import type { Passage, VirtualNetwork } from '../../infra/virtual/network.ts';
import type { Serve } from '../../servers/server.ts';
import { TextLedger } from './ledger.ts';
import { createLine, type WorldLine } from './line.ts';
import { PlayedUser } from './played-user.ts';
import { WorldServers } from './servers.ts';
import { serverName, serverOf, serversOf, userName, type World, type WorldUser, writtenMsOf } from './world.ts';

export interface Halves {
  /** The client half, as this user has it. */
  client(user: number): FrameworkClient;
  serve: Serve;
}

/** The user who comes when all is over. */
const NEWCOMER: WorldUser = { delayMs: 1, jitterMs: 0, receiveMs: 0, sendMs: 0, joinsMs: 0 };

/** Kept of a user's visit, to go on from. */
export interface Visit {
  state: Uint8Array;
  text: string;
}

/** A line of a world's story. */
export interface Note {
  atMs: number;
  /** The name of the one that it is about. */
  who: string;
  text: string;
}

/** A user whose joining failed through a fault of the world tries again, as a person reloads a page. */
const TRY_AGAIN_MS = 1000;
/** Worlds with more messages never end. */
const MOST_MESSAGES = { least: 2000, perUserAndStep: 10 };
/** A sign of life of each user, at most so often, is no message about the document. */
export const SIGN_OF_LIFE_MS = 2500;
/** Honest frameworks do some 40 things at one instant. */
const MOST_AT_ONCE = 1000;
/** Some servers keep documents for the process's life, so each play has one of its own. */
let plays = 0;
let current: Stage | null = null;

/** The one of the world that is played: sockets and errors that no call leads to are its. Null before the first. */
export function currentStage(): Stage | null {
  return current;
}

export class Stage {
  readonly world: World;
  readonly clock: VirtualClock = createVirtualClock({ mostAtOnce: MOST_AT_ONCE });
  readonly ledger: TextLedger;
  readonly users: PlayedUser[] = [];
  readonly passages: Passage[] = [];
  readonly notes: Note[] = [];
  readonly thrown: unknown[] = [];
  readonly servers: WorldServers;
  readonly halves: Halves;
  readonly #lines: WorldLine[];
  readonly #documentId = `world-${String(plays++).padStart(8, '0')}`;
  readonly #mostMessages: number;
  /** Users who are about to join. */
  #expected = 0;

  constructor(halves: Halves, world: World) {
    replaceGlobals(this.clock, world.seed);
    current = this;
    this.halves = halves;
    this.world = world;
    this.ledger = new TextLedger(writtenMsOf(world));
    this.#lines = [...world.users, NEWCOMER].map((user, number) => {
      const ends = { near: userName(world, number), far: serverName(world, serverOf(world, number)) };
      return createLine(user, { seed: world.seed + number, ...ends });
    });
    // Several servers tell each other of each edit, and each answers.
    const edits = world.users.length * world.steps.length * serversOf(world).length ** 2;
    this.#mostMessages = MOST_MESSAGES.least + MOST_MESSAGES.perUserAndStep * edits;
    this.servers = new WorldServers(world, {
      clock: this.clock,
      serve: halves.serve,
      lineOf: (url) => this.#lines[numberIn(url)] ?? null,
      onPassage: (passage) => this.passages.push(passage),
    });
    this.servers.start();
  }

  /** True if there is no use in going on. */
  get isOver(): boolean {
    return this.thrown.length > 0 || this.isEndless;
  }

  get isEndless(): boolean {
    // Signs of life in an hour of silence are no end.
    const alive = (this.clock.nowMs() / SIGN_OF_LIFE_MS) * (this.users.length + serversOf(this.world).length);
    return this.passages.length > this.#mostMessages + alive;
  }

  get here(): PlayedUser[] {
    return this.users.filter(({ isHere }) => isHere);
  }

  /** True if nobody is joining, or about to, or leaving. */
  get isComplete(): boolean {
    return this.#expected === 0 && this.users.every(({ state, isLeaving }) => state !== 'joining' && !isLeaving);
  }

  /** @param who a user's number, or a name */
  note(who: number | string, text: string): void {
    const name = typeof who === 'number' ? userName(this.world, who) : who;
    this.notes.push({ atMs: this.clock.nowMs(), who: name, text });
  }

  /** Does what is due until then. Errors of the framework end the world. */
  async advance(untilMs: number): Promise<void> {
    for (const user of this.users) user.timeGoesOn();
    // Work that the last act set going comes first.
    await this.clock.turn();
    while (!this.isOver) {
      try {
        if (!(await this.clock.next(untilMs))) break;
      } catch (error) {
        this.thrown.push(error);
      }
    }
    if (!this.isOver) await this.clock.run(untilMs);
  }

  /** A fault of servers, or of what is between them, strikes everybody. */
  isFaultyFor(ms: number): void {
    const untilMs = this.clock.nowMs() + ms;
    for (const line of this.#lines) line.isFaultyUntil(untilMs);
  }

  /** @returns of an address that is nobody's, any: it has no line to it */
  networkOf(url: URL): VirtualNetwork {
    return this.servers.networkAt(url.hostname) ?? this.servers.networkOf(numberIn(url) || 0);
  }

  /** The user is here later. @param last an earlier visit, if it is to go on from there */
  join(number: number, last?: Visit): PlayedUser {
    const times = this.users.filter((user) => user.number === number).length;
    const letter = userName(this.world, number);
    const name = times === 0 ? letter : `${letter}${times + 1}`;
    const user = new PlayedUser(name, number, this.#lines[number]!);
    const fromMs = this.clock.nowMs();
    this.users.push(user);
    if (last !== undefined) this.ledger.saw(user, last.text);
    user.screen.editor.on('text-change', ({ ops }) => {
      for (const { insert } of ops) if (typeof insert === 'string') this.ledger.saw(user, insert);
      if (ops.some((op) => op.delete !== undefined)) this.ledger.sawTextGo(user, () => user.text());
    });
    const { receiveMs, sendMs } = this.world.users[number] ?? NEWCOMER;
    const joining = this.halves.client(number).join({
      url: `ws://u${number}`,
      documentId: this.#documentId,
      editor: user.screen.editor,
      batching: { receiveMs, sendMs },
      saved: last?.state,
      reconnectLimitMs: null,
      onLost(reason) {
        user.lost ??= reason;
      },
      onBroken() {
        user.isInSync = false;
      },
      onReconnected() {
        user.isInSync = true;
      },
    });
    joining.then(
      (replica) => this.#joined(user, replica),
      ({ message }: Error) => {
        // It was dismissed, and does not come back.
        if (user.state === 'gone') return;
        user.state = 'gone';
        // Joining may fail through a fault alone.
        if (user.line.faultyUntilMs < fromMs) user.refused = message;
        else this.joinAfter(TRY_AGAIN_MS, number, last);
      },
    );
    return user;
  }

  #joined(user: PlayedUser, replica: Replica): void {
    user.replica = replica;
    if (user.state === 'gone') {
      this.#letGo(replica);
      return;
    }
    user.state = 'here';
    user.isInSync = true;
    this.ledger.saw(user, user.text());
    this.note(user.number, 'has joined');
  }

  /** One of whom nothing is kept: it leaves, at once or as soon as it is in, and nobody remembers it. */
  dismiss(user: PlayedUser): void {
    if (user.replica !== null) this.#letGo(user.replica);
    user.state = 'gone';
    this.users.splice(this.users.indexOf(user), 1);
    this.ledger.forget(user);
  }

  #letGo(replica: Replica): void {
    (async () => replica.leave())().catch((error) => this.thrown.push(error));
  }

  /** The user joins then, or as soon as it has left and there is a server and a way to it. */
  joinAfter(ms: number, number: number, last?: Visit): void {
    this.#expected++;
    const join = (): void => {
      const isServed = this.servers.networkOf(number).connections !== null;
      const isLeaving = this.users.some((user) => user.number === number && user.isLeaving);
      if (this.#lines[number]!.isDown || !isServed || isLeaving) return void this.clock.after(TRY_AGAIN_MS, join);
      this.#expected--;
      this.join(number, last);
    };
    this.clock.after(ms, join);
  }
}

/** The user's number in the address of its server. */
function numberIn({ hostname }: URL): number {
  return Number(hostname.slice(1));
}
