/**
 * The process of one user, which can be killed without another's: in Node at NoQuill, with the framework's own client. The user types
 * words, and tells at once what it typed, saw and was told.
 */
import type { FrameworkClient, Replica } from '../../editors/base/framework.ts';
import { typeText } from '../../editors/base/noquill/keys.ts';
import { NoQuill } from '../../editors/base/noquill/noquill.ts';
import { findFramework } from '../../frameworks/discover.ts';
import { loadClient } from '../../frameworks/framework.ts';
import { nowMs } from '../../infra/clock.ts';
import { answerCalls, newsTo } from '../../infra/process/answers.ts';
import { messageOf } from '../../results/user-error.ts';
import { goldenFraction } from '../../traces/stretches.ts';
import { AS_IN_TYPING, type Place } from '../join/held-document.ts';
import { KeySchedule } from '../join/written-document.ts';
import { wordOf, wordsIn } from './words.ts';

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

const tell = newsTo<UserNews>();

// A library that throws in its own timer has lost its user, not the trial.
process.on('uncaughtException', (error) => tell('lost', { reason: `it threw: ${messageOf(error)}` }));

/** All of it can be called from the trial's process. */
class KeptUser {
  readonly #editor = new NoQuill();
  readonly #shown = new Set<string>();
  #client: FrameworkClient | null = null;
  #number = 0;
  #replica: Replica | null = null;
  #typed = 0;
  #acknowledged = 0;
  #changedMs = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor() {
    this.#editor.on('text-change', ({ ops }) => {
      this.#changedMs = nowMs();
      this.#see(ops.map(({ insert }) => (typeof insert === 'string' ? insert : ' ')).join(''));
    });
  }

  async start(framework: string): Promise<void> {
    this.#client = await loadClient(await findFramework(framework));
  }

  /** @returns when it had joined, with an empty document or not, and true if its library tells what is acknowledged */
  async join(number: number, place: Place): Promise<{ atMs: number; isEmpty: boolean; acknowledges: boolean }> {
    this.#number = number;
    this.#replica = await this.#client!.join({
      ...place,
      editor: this.#editor,
      batching: AS_IN_TYPING,
      // The trial has a limit of its own.
      reconnectLimitMs: null,
      onLost: (reason) => tell('lost', { reason }),
      onReconnected: () => {},
    });
    const text = await this.text();
    this.#see(text);
    this.#editor.setSelection(0);
    return { atMs: nowMs(), isEmpty: text.trim() === '', acknowledges: this.#replica.isAcknowledged !== undefined };
  }

  async text(): Promise<string> {
    return this.#editor.getText();
  }

  /** @returns when its text last changed; 0: it never did */
  async changedMs(): Promise<number> {
    return this.#changedMs;
  }

  async startTyping(wordsPerSecond: number): Promise<void> {
    const phase = goldenFraction(this.#number + 1);
    const schedule = new KeySchedule({ keysPerSecond: wordsPerSecond, phase, startMs: nowMs() });
    this.#looking = setInterval(() => {
      this.#hearAcknowledgement();
      const { keys } = schedule.take(nowMs());
      for (let key = 0; key < keys; key++) void this.type();
    }, LOOK_PERIOD_MS);
  }

  async stopTyping(): Promise<void> {
    clearInterval(this.#looking);
  }

  /** Types one more word. @returns the word, which is not there if the client does not take it */
  async type(): Promise<string> {
    const word = wordOf(this.#number, this.#typed);
    try {
      typeText(this.#editor, `${word} `);
      this.#typed++;
      tell('typed', { word, atMs: nowMs() });
    } catch (error) {
      tell('lost', { reason: `it threw at an edit: ${(error as Error).message}` });
    }
    return word;
  }

  async leave(): Promise<void> {
    clearInterval(this.#looking);
    await this.#replica?.leave();
  }

  /** All of its words were typed before it is asked, so that they are all meant. */
  #hearAcknowledgement(): void {
    if (this.#acknowledged === this.#typed || !this.#replica?.isAcknowledged?.()) return;
    this.#acknowledged = this.#typed;
    tell('acknowledged', { words: this.#typed, atMs: nowMs() });
  }

  #see(text: string): void {
    const words = wordsIn(text).filter((word) => !this.#shown.has(word));
    if (words.length === 0) return;
    for (const word of words) this.#shown.add(word);
    tell('shown', { words, atMs: nowMs() });
  }
}

export type UserCalls = KeptUser;

answerCalls(new KeptUser());
