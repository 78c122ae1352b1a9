/** A document of a trial, and the users without a browser who write it. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import Delta from 'quill-delta';
import type { FrameworkClient, Replica } from '../../editors/base/framework.ts';
import { pressEnter, typeText } from '../../editors/base/noquill/keys.ts';
import { NoQuill } from '../../editors/base/noquill/noquill.ts';
import { Cursor } from '../../editors/base/page/cursor.ts';
import { goldenFraction } from '../../traces/stretches.ts';
import { type Edits, makeEdit } from '../replay/edits.ts';
import { SubjectFailure } from '../scenario.ts';
import { AT_ONCE, type HeldDocument, heldBy, type Place } from './held-document.ts';

/** After so many edits, what they sent may leave: an author who pastes a book does not wait for each letter, either. */
const EDITS_PER_TURN = 50;
const POLL_MS = 5;

/** Keys that are later than this are not typed any more, as in trials of typing. */
const LATEST_MS = 1000;

/** When a user’s keys are due: at a steady pace, each user’s at a phase of its own. */
export class KeySchedule {
  readonly #periodMs: number;
  #nextMs: number;

  /** @param options.phase when the first key is due, as a share of the pause between two, in [0, 1) */
  constructor({ keysPerSecond, phase, startMs }: { keysPerSecond: number; phase: number; startMs: number }) {
    this.#periodMs = 1000 / keysPerSecond;
    this.#nextMs = startMs + phase * this.#periodMs;
  }

  /** The keys that have become due since the last call, and how many of them are to be typed. */
  take(nowMs: number): { due: number; keys: number } {
    const due = Math.max(0, Math.floor((nowMs - this.#nextMs) / this.#periodMs) + 1);
    const tooLate = Math.min(due, Math.max(0, Math.ceil((nowMs - LATEST_MS - this.#nextMs) / this.#periodMs)));
    this.#nextMs += due * this.#periodMs;
    return { due, keys: due - tooLate };
  }
}

/** A time by which something must be done. */
export interface Deadline {
  limitMs: number;
  /** On the clock of `performance.now()`. */
  endMs: number;
}

export class WrittenDocument {
  readonly writers: readonly Writer[];
  #schedules: KeySchedule[] = [];
  #isPaused = false;

  private constructor(writers: Writer[]) {
    this.writers = writers;
  }

  /**
   * @param options.typists how many type later; there is one user in any case
   * @throws SubjectFailure if the deadline passes before the server has all edits
   */
  static async fill(options: {
    client: FrameworkClient;
    place: Place;
    edits: Edits;
    typists: number;
    deadline: Deadline;
    onLost: (reason: string) => void;
  }): Promise<WrittenDocument> {
    const { client, place, edits, typists, deadline, onLost } = options;
    const join = () => Writer.join(client, place, onLost);
    const author = await join();
    await write(author, edits, deadline);
    const second = await join();
    await untilSame(author, second, edits, deadline);
    const writers = [author];
    if (typists > 1) writers.push(second);
    else await second.replica.leave();
    while (writers.length < typists) writers.push(await join());
    return new WrittenDocument(writers);
  }

  get author(): Writer {
    return this.writers[0]!;
  }

  held(): Promise<HeldDocument> {
    return heldBy(this.author.editor, this.author.replica);
  }

  /**
   * @param options.characters the users type these, over and over
   * @param options.number     of the document: no two have their users at the same phase
   */
  startTyping(options: {
    typists: number;
    keysPerSecond: number;
    characters: readonly string[];
    number: number;
    startMs: number;
  }): void {
    const { typists, characters, number, ...pace } = options;
    for (const [user, writer] of this.writers.entries()) writer.startAt(characters, goldenFraction(user + 1));
    this.#schedules = this.writers
      .slice(0, typists)
      .map((_, user) => new KeySchedule({ ...pace, phase: goldenFraction(number * typists + user) }));
  }

  /** Types what is due. */
  type(nowMs: number): { due: number; typed: number } {
    const counts = { due: 0, typed: 0 };
    for (const [user, schedule] of this.#schedules.entries()) {
      const { due, keys } = schedule.take(nowMs);
      if (this.#isPaused) continue;
      for (let key = 0; key < keys; key++) this.writers[user]!.typeKey();
      counts.due += due;
      counts.typed += keys;
    }
    return counts;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
  }
}

/** A user without a browser: at NoQuill, with the framework's own client. */
export class Writer {
  readonly editor: NoQuill;
  readonly replica: Replica;
  #text: readonly string[] = [];
  #typed = 0;

  private constructor(editor: NoQuill, replica: Replica) {
    this.editor = editor;
    this.replica = replica;
  }

  /**
   * @param onLost is told why the client gave the server up
   * @throws SubjectFailure if it does not join
   */
  static async join(client: FrameworkClient, place: Place, onLost: (reason: string) => void): Promise<Writer> {
    const editor = new NoQuill();
    const joining = client.join({ ...place, editor, batching: AT_ONCE, onLost, onReconnected: () => {} });
    const replica = await joining.catch((error: Error) => {
      throw new SubjectFailure('not-joined', `a user who is to write could not join: ${error.message}`);
    });
    return new Writer(editor, replica);
  }

  /** One edit of a trace. */
  edit(position: number, deleted: number, inserted: string): void {
    this.editor.updateContents(new Delta().retain(position).insert(inserted).delete(deleted), 'user');
  }

  /**
   * From now on it types this text, over and over, from a place of its own in the document and in the text.
   *
   * @param characters at least one
   * @param fraction   where, in [0, 1)
   */
  startAt(characters: readonly string[], fraction: number): void {
    this.#text = characters;
    this.#typed = Math.floor(fraction * characters.length);
    this.editor.setSelection(0);
    new Cursor(this.editor).move(Math.floor(fraction * this.editor.getLength()));
  }

  typeKey(): void {
    const character = this.#text[this.#typed++ % this.#text.length]!;
    if (character === '\n') pressEnter(this.editor);
    else typeText(this.editor, character);
  }

  insert(text: string): void {
    typeText(this.editor, text);
  }
}

async function write(author: Writer, edits: Edits, { endMs, limitMs }: Deadline): Promise<void> {
  const { count, positions } = edits;
  for (let number = 0; number < count; number++) {
    try {
      makeEdit(author, edits, number % positions.length);
    } catch (error) {
      throw new SubjectFailure('client-threw', `it threw at edit ${number}: ${(error as Error).message}`);
    }
    if (number % EDITS_PER_TURN !== 0) continue;
    await setImmediate();
    if (performance.now() > endMs) {
      throw new SubjectFailure('out-of-time', `after ${limitMs / 1000} s only ${number} of ${count} edits were made`);
    }
  }
  if (author.editor.getText() !== `${edits.endContent}\n`) {
    throw new Error(
      'the edits did not lead to the text that they should: the trace has characters that no editor holds',
    );
  }
}

/** Until the server has given another user all of it. */
async function untilSame(author: Writer, other: Writer, { count }: Edits, { endMs, limitMs }: Deadline): Promise<void> {
  const isSame = () =>
    other.editor.getLength() === author.editor.getLength() && other.editor.getText() === author.editor.getText();
  while (!isSame()) {
    if (performance.now() > endMs) {
      const lengths = `${other.editor.getLength()} of ${author.editor.getLength()} characters`;
      const message = `after ${limitMs / 1000} s its server had not given another user all of the ${count} edits, but ${lengths}`;
      throw new SubjectFailure('out-of-time', message);
    }
    await setTimeout(POLL_MS);
  }
}
