/** A user of the storm: in Node at NoQuill, with the framework's own client; it notes when each user's keys show. */
import { setImmediate } from 'node:timers/promises';
import type { FrameworkClient, Replica } from '../../editors/base/framework.ts';
import { typeText } from '../../editors/base/noquill/keys.ts';
import { NoQuill } from '../../editors/base/noquill/noquill.ts';
import { Cursor } from '../../editors/base/page/cursor.ts';
import { nowMs } from '../../infra/clock.ts';
import { goldenFraction } from '../../traces/stretches.ts';
import { AS_IN_TYPING, type Place } from '../join/held-document.ts';

const FIRST_KEY = 0xe000;
/** Characters for private use: no trace has any. */
const KEYS = /[\uE000-\uF8FF]/g;

/** Each user has two keys that nobody else types: one without a connection, and one once it is back. */
export type KeyKind = 'unsent' | 'back';

/** Place of a key among those of all users. */
export function keyIndex(user: number, kind: KeyKind): number {
  return 2 * user + (kind === 'back' ? 1 : 0);
}

/** The keys in a text, as their places among those of all users. */
export function keysIn(text: string): number[] {
  return Array.from(text.matchAll(KEYS), ([key]) => key.charCodeAt(0) - FIRST_KEY);
}

export function withoutKeys(text: string): string {
  return text.replaceAll(KEYS, '');
}

export interface StormUserOptions {
  number: number;
  /** How many there are. */
  users: number;
  /** How many unsent keys each types; they are all the same character. */
  unsent: number;
  client: FrameworkClient;
  place: Place;
}

/** The sights of a user: all that the figures are made of. */
export interface UserMarks {
  number: number;
  /** When each key showed first, by its place, ms since the epoch. NaN: it did not. */
  seenMs: Float64Array;
  /** When its editor first held as much as the document did before the storm, ms since the epoch. NaN: it never did. */
  wholeMs: number;
  /** Why its client gave up, or did not join; null: it did not give up. */
  lost: string | null;
}

export class StormUser {
  readonly editor = new NoQuill();
  /** Its copy of the document; null: it has not joined. */
  replica: Replica | null = null;
  readonly #options: StormUserOptions;
  readonly #seenMs: Float64Array;
  #unseen: number;
  /** Of the editor, when it holds the document. */
  #wholeLength = Number.POSITIVE_INFINITY;
  #wholeMs = Number.NaN;
  #lost: string | null = null;
  #isBack = false;
  readonly #done = Promise.withResolvers<void>();

  constructor(options: StormUserOptions) {
    this.#options = options;
    const { users, unsent } = options;
    this.#seenMs = new Float64Array(2 * users).fill(Number.NaN);
    this.#unseen = unsent === 0 ? users : 2 * users;
    this.editor.on('text-change', ({ ops }) => {
      for (const { insert } of ops) if (typeof insert === 'string') this.#see(insert);
      this.#look();
    });
  }

  get marks(): UserMarks {
    return { number: this.#options.number, seenMs: this.#seenMs, wholeMs: this.#wholeMs, lost: this.#lost };
  }

  /** Resolves once it has the document and has seen all keys of all users, or has no connection for good. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  /**
   * Resolves once it has joined, or cannot.
   *
   * @param wholeLength of an editor that holds the document: some servers let users in before they have given it
   */
  async join(wholeLength: number): Promise<void> {
    this.#wholeLength = wholeLength;
    const { client, place, number } = this.#options;
    const joining = client.join({
      ...place,
      editor: this.editor,
      batching: AS_IN_TYPING,
      // The trial has a limit of its own.
      reconnectLimitMs: null,
      onLost: (reason) => this.lose(reason),
      // A library may still be in the middle of its message.
      onReconnected: () => void setImmediate().then(() => this.typeBack()),
    });
    try {
      this.replica = await joining;
      this.#look();
      this.editor.setSelection(0);
      new Cursor(this.editor).move(Math.floor(goldenFraction(number + 1) * this.editor.getLength()));
    } catch (error) {
      this.lose((error as Error).message);
    }
  }

  typeUnsent(): void {
    for (let key = 0; key < this.#options.unsent; key++) this.#type('unsent');
  }

  /** The key of a user who is back, or in: once. */
  typeBack(): void {
    if (this.#isBack || this.#lost !== null) return;
    this.#isBack = true;
    this.#type('back');
  }

  /** Its client gave up, or broke. */
  lose(reason: string): void {
    this.#lost ??= reason;
    this.#done.resolve();
  }

  #type(kind: KeyKind): void {
    try {
      typeText(this.editor, String.fromCharCode(FIRST_KEY + keyIndex(this.#options.number, kind)));
    } catch (error) {
      this.lose(`it threw at a key: ${(error as Error).message}`);
    }
  }

  #see(text: string): void {
    for (const index of keysIn(text)) {
      if (!Number.isNaN(this.#seenMs[index])) continue;
      this.#seenMs[index] = nowMs();
      this.#unseen--;
    }
  }

  #look(): void {
    if (Number.isNaN(this.#wholeMs) && this.editor.getLength() >= this.#wholeLength) this.#wholeMs = nowMs();
    if (this.#unseen === 0 && !Number.isNaN(this.#wholeMs)) this.#done.resolve();
  }
}
