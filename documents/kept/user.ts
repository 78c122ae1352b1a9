/** A user in Node at NoQuill, with the framework's own client: it types words and tells at once what it typed, saw and was told. */
import type { Batching, FrameworkClient, Replica } from '../../editors/base/framework.ts';
import { typeText } from '../../editors/base/noquill/keys.ts';
import { NoQuill } from '../../editors/base/noquill/noquill.ts';
import { nowMs } from '../../infra/clock.ts';
import { goldenFraction } from '../../traces/stretches.ts';
import type { Place } from '../join/processes.ts';
import { KeySchedule } from '../join/written-document.ts';
import { wordOf, wordsIn } from './words.ts';

/** As users in Node have it by default in trials of typing. */
const BATCHING: Batching = { receiveMs: 50, sendMs: 0 };
/** How often it is looked for words that are due, and for acknowledgements. */
const LOOK_PERIOD_MS = 10;

/** News of a user, which may be killed at any time; instants are ms since the epoch. */
export interface UserNews {
  typed: { word: string; atMs: number };
  /** The library says that the server has all that the user typed so far: so many words. */
  acknowledged: { words: number; atMs: number };
  /** Words that its editor shows and did not show before, others' and its own. */
  shown: { words: string[]; atMs: number };
  /** Why its client gave up. */
  lost: { reason: string };
}

export type Tell = <Name extends keyof UserNews & string>(name: Name, news: UserNews[Name]) => void;

export class KeptUser {
  readonly #number: number;
  readonly #tell: Tell;
  readonly #editor = new NoQuill();
  readonly #shown = new Set<string>();
  #replica: Replica | null = null;
  #typed = 0;
  #acknowledged = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(number: number, tell: Tell) {
    this.#number = number;
    this.#tell = tell;
    this.#editor.on('text-change', ({ ops }) => {
      this.#see(ops.map(({ insert }) => (typeof insert === 'string' ? insert : ' ')).join(''));
    });
  }

  /** @returns when it had joined, and true if its library tells what is acknowledged */
  async join(client: FrameworkClient, place: Place): Promise<{ atMs: number; acknowledges: boolean }> {
    this.#replica = await client.join({
      ...place,
      editor: this.#editor,
      batching: BATCHING,
      // The trial has a limit of its own.
      reconnectLimitMs: null,
      onLost: (reason) => this.#tell('lost', { reason }),
      onReconnected: () => {},
    });
    this.#see(this.text);
    this.#editor.setSelection(0);
    return { atMs: nowMs(), acknowledges: this.#replica.isAcknowledged !== undefined };
  }

  get text(): string {
    return this.#editor.getText();
  }

  startTyping(wordsPerSecond: number): void {
    const phase = goldenFraction(this.#number + 1);
    const schedule = new KeySchedule({ keysPerSecond: wordsPerSecond, phase, startMs: nowMs() });
    this.#looking = setInterval(() => {
      this.#hearAcknowledgement();
      const { keys } = schedule.take(nowMs());
      for (let key = 0; key < keys; key++) this.type();
    }, LOOK_PERIOD_MS);
  }

  stopTyping(): void {
    clearInterval(this.#looking);
  }

  /** @returns the word, which is not there if the client does not take it */
  type(): string {
    const word = wordOf(this.#number, this.#typed);
    try {
      typeText(this.#editor, `${word} `);
      this.#typed++;
      this.#tell('typed', { word, atMs: nowMs() });
    } catch (error) {
      this.#tell('lost', { reason: `it threw at an edit: ${(error as Error).message}` });
    }
    return word;
  }

  async leave(): Promise<void> {
    this.stopTyping();
    await this.#replica?.leave();
  }

  /** All of its words were typed before it is asked, so that they are all meant. */
  #hearAcknowledgement(): void {
    if (this.#acknowledged === this.#typed || !this.#replica?.isAcknowledged?.()) return;
    this.#acknowledged = this.#typed;
    this.#tell('acknowledged', { words: this.#typed, atMs: nowMs() });
  }

  #see(text: string): void {
    const words = wordsIn(text).filter((word) => !this.#shown.has(word));
    if (words.length === 0) return;
    for (const word of words) this.#shown.add(word);
    this.#tell('shown', { words, atMs: nowMs() });
  }
}
