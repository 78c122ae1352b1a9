/** One user of a crowd on a virtual clock, at NoQuill, with its stretch of the trace, its schedule and its link. */
import type { Batching, Crowd, FrameworkClient } from '../../editors/base/framework.ts';
import { createNoQuillScreen } from '../../editors/base/noquill/screen.ts';
import { openSession, type Session } from '../../editors/base/page/session.ts';
import { SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import type { VirtualClock } from '../../infra/virtual/clock.ts';
import type { Frame, Line } from '../../infra/virtual/network.ts';
import { piecesOf } from '../../traces/prose.ts';
import type { Assignment } from '../trial/protocol.ts';
import { gesturesAt } from '../users/node/drivers.ts';
import { performHere } from '../users/typing/perform.ts';
import { makeSchedule, typeOnSchedule } from '../users/typing/schedule.ts';
import { type Action, createTypist, sigilOf } from '../users/typing/typist.ts';
import { createInbox, type Inbox } from './inbox.ts';
import type { RecordedUser } from './recording.ts';

/** A client gathers what it is handed in one go, and applies it after that time. */
const GATHER_MS = 0.001;
/** Time until a client has applied the messages that it was handed, and its user types. */
export const TAKE_IN_MS = 2 * GATHER_MS;
/**
 * Allowed lag per character of the document and user, for a framework whose messages name neighbours only. Others' edits
 * matter to a key that continues the last one only if they fall exactly there. With more characters per user, that is rarer.
 */
const LAG_MS_PER_CHARACTER = 20;
/**
 * Age at which a user looks at its sigil: with its next key it has seen a break, which counts for 4 s
 * (analysis/figures/criterion.ts).
 */
export const SIGIL_LOOK_MS = 3000;

export class SimulatedUser {
  readonly line: Line;
  session!: Session;
  readonly #assignment: Assignment;
  readonly #clock: VirtualClock;
  readonly #inbox: Inbox;
  readonly #screen = { ...createNoQuillScreen(null), onShown: () => {} };
  readonly #opening: Frame[] = [];
  readonly #frames: { dueMs: number; frame: Frame }[] = [];
  readonly #sigils: RecordedUser['sigils'][number][] = [];
  readonly #sigilChanges: RecordedUser['sigilChanges'][number][] = [];
  readonly #namesNeighboursOnly: boolean;
  #path = '';
  #readMs = 0;
  /** When it looks at its last sigils. */
  #looksMs: number[] = [];
  /** Null: it does not type yet; from then on arrivals wait for the next key. */
  #startMs: number | null = null;

  constructor(assignment: Assignment, clock: VirtualClock, { namesNeighboursOnly = false }: Crowd) {
    this.#namesNeighboursOnly = namesNeighboursOnly;
    this.#assignment = assignment;
    this.#clock = clock;
    this.#inbox = createInbox(assignment.batching);
    this.line = {
      link: assignment.link,
      seed: assignment.seed * SIGIL_NUMBERS + assignment.user,
      onConnect: (path) => {
        this.#path = path;
      },
      onSent: (frame) => {
        if (this.#startMs === null) this.#opening.push(frame);
        else this.#frames.push({ dueMs: clock.nowMs() - this.#startMs, frame });
      },
      onArriving: (arrivedMs, deliver) => {
        if (this.#startMs === null) clock.at(arrivedMs, deliver);
        else this.#inbox.add(arrivedMs, deliver);
      },
    };
  }

  get characters(): number {
    return this.session.characters();
  }

  async join(client: FrameworkClient): Promise<void> {
    const { user, serverUrl, documentId, batching } = this.#assignment;
    const gathering: Batching = { receiveMs: GATHER_MS, sendMs: batching.sendMs };
    this.session = await openSession({
      client,
      screen: this.#screen,
      url: serverUrl,
      documentId,
      batching: gathering,
      // The end of a new document's only line must have an author.
      ownsEnd: user === 0,
      onSigil: () => {},
      onLost: (reason) => {
        throw new Error(`user ${user} of the simulated crowd: ${reason}`);
      },
      onReconnected: () => {},
    });
    this.#screen.editor.focus();
  }

  /** Resolves when all of it has left. */
  async putIn(text: string): Promise<void> {
    for (const piece of piecesOf(text))
      performHere(gesturesAt(this.#screen.editor, this.session), { kind: 'paste', move: 0, text: piece });
    await this.#clock.run(this.#clock.nowMs() + this.#assignment.batching.sendMs + GATHER_MS);
  }

  async type(startMs: number, endMs: number): Promise<void> {
    this.#startMs = startMs;
    const { user, users, seed, typing, edits, writes } = this.#assignment;
    if (!writes) return;
    await typeOnSchedule({
      schedule: makeSchedule({ ...typing, user, users, seed }),
      typist: createTypist({ ...typing, user, seed, edits }),
      startMs,
      endMs,
      perform: async (action) => {
        if (!this.#mayTypeUnread(action)) await this.takeIn();
        return performHere(gesturesAt(this.#screen.editor, this.session), action);
      },
      timer: { nowMs: () => this.#clock.nowMs(), until: (instantMs) => this.#until(instantMs) },
      signal: new AbortController().signal,
      events: {
        onTyped: ({ action, dueMs, sentMs, isDone }) => {
          const sent = isDone ? sigilOf(action) : null;
          if (sent === null) return;
          const { type, ...of } = { ...sent, dueMs: dueMs - startMs, sentMs: sentMs - startMs };
          if ('change' in of) this.#sigilChanges.push(of);
          else this.#sigils.push(of);
          if (type === 'sigil-sent') this.#looksMs.push(sentMs + SIGIL_LOOK_MS);
        },
        onSkipped: () => {
          throw new Error('a clock that waits for its users has left one behind');
        },
      },
    });
  }

  recorded(): RecordedUser {
    return {
      user: this.#assignment.user,
      path: this.#path,
      opening: this.#opening,
      // A copy: what leaving sends is no part of it. A replay has one connection, which one user must not close for all.
      frames: [...this.#frames],
      sigils: this.#sigils,
      sigilChanges: this.#sigilChanges,
      ownSigils: this.session.ownSigils(),
      account: this.session.ownEdits(),
    };
  }

  leave(): Promise<void> {
    return this.session.leave();
  }

  /** The client gets what it would have applied by now. @returns whether there was anything */
  async takeIn(): Promise<boolean> {
    const nowMs = this.#clock.nowMs();
    this.#readMs = nowMs;
    this.#looksMs = this.#looksMs.filter((lookMs) => lookMs > nowMs);
    const isAny = this.#inbox.deliverBy(nowMs);
    if (isAny) await this.#until(nowMs + TAKE_IN_MS);
    return isAny;
  }

  #mayTypeUnread(action: Action): boolean {
    if (!this.#namesNeighboursOnly || !staysInPlace(action)) return false;
    const nowMs = this.#clock.nowMs();
    const [lookMs = Number.POSITIVE_INFINITY] = this.#looksMs;
    const charactersPerUser = this.characters / this.#assignment.users;
    return nowMs < Math.min(lookMs, this.#readMs + LAG_MS_PER_CHARACTER * charactersPerUser);
  }

  #until(instantMs: number): Promise<void> {
    return new Promise((resolve) => this.#clock.at(instantMs, resolve));
  }
}

/** True for one more key at the cursor, which is still where the last key left it: only edits at that place matter to it. */
function staysInPlace(action: Action): boolean {
  if (action.kind === 'sigil-key') return true;
  return (action.kind === 'key' || action.kind === 'backspace') && action.move === 0;
}
