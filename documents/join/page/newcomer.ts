/**
 * A newcomer: a user who joins a document that others have written, with Quill up and all code loaded beforehand. The page
 * itself marks what it saw when: on its own clock, after the frame that showed it.
 */
import type { Editor } from '../../../editors/base/editor.ts';
import { stampFrames } from '../../../editors/base/frames.ts';
import type { FrameworkClient, Replica } from '../../../editors/base/framework.ts';
import type { Traffic } from '../../../editors/base/instrument/traffic.ts';
import { createNoQuillScreen } from '../../../editors/base/noquill/screen.ts';
import type { PageParts } from '../../../editors/base/page/main.ts';
import { messageOf } from '../../../results/user-error.ts';
import { AT_ONCE, type HeldDocument, heldBy, type Place } from '../held-document.ts';

/** The newcomer's own key, which no trace has. */
const OWN_KEY = '§';
/** A document that holds no more is empty. */
const EMPTY_LENGTH = 1;

export interface JoinOrder extends Place {
  /** The editor's length when all is there that the document held as the join began. */
  wholeLength: number;
  /** The sigil that another user types once this one has joined. */
  sigil: string;
}

/** Milliseconds since the join began, of the frame that showed it; null: not yet. */
export interface JoinMarks {
  /** Any text. */
  firstTextMs: number | null;
  /** All text that the document held when the join began. */
  wholeMs: number | null;
  /** A key of the newcomer's own. */
  typableMs: number | null;
  /** The sigil that another user typed after this one had joined. */
  caughtUpMs: number | null;
  /** Payload of the WebSockets until it could type. */
  receivedBytes: number;
  sentBytes: number;
  /** Time in long tasks (over 50 ms), which held the page up, until the newcomer could type. */
  blockedMs: number;
  /** The editor's length now. */
  length: number;
}

export interface Newcomer {
  /** Gets Quill and a framework's client ready. */
  prepare(framework: string): Promise<void>;
  /**
   * Joins another document, at no screen, and leaves it: what a library loads only then is there afterwards.
   *
   * @returns why it could not; null: it could
   */
  rehearse(where: Place): Promise<string | null>;
  /** Resolves once the framework's client has joined. @returns why it did not; null: it did */
  join(order: JoinOrder): Promise<string | null>;
  /** Resolves once the newcomer is caught up. @returns why it never will be; null: it is */
  untilCaughtUp(): Promise<string | null>;
  /** The marks so far. */
  marks(): JoinMarks;
  held(): Promise<HeldDocument>;
}

declare global {
  /** Of the page that this script was put into. */
  var newcomer: Newcomer;
}

globalThis.newcomer = createNewcomer();

function createNewcomer(): Newcomer {
  let parts: PageParts;
  let joining: Joining | null = null;
  const joined = () => {
    if (joining === null) throw new Error('the newcomer has not begun to join');
    return joining;
  };
  return {
    async prepare(framework) {
      parts = await scriptorium.parts(framework);
    },
    async rehearse({ url, documentId }) {
      const { editor } = createNoQuillScreen(null);
      const nothing = () => {};
      const events = { onLost: nothing, onReconnected: nothing };
      try {
        const replica = await parts.client.join({ url, documentId, editor, batching: AT_ONCE, ...events });
        await replica.leave();
        return null;
      } catch (error) {
        return messageOf(error);
      }
    },
    join(order) {
      joining = new Joining(parts.screen.editor, parts.traffic, order);
      return joining.begin(parts.client);
    },
    untilCaughtUp: () => joined().untilCaughtUp(),
    marks: () => joined().marks(),
    held: () => joined().held(),
  };
}

type Seen = Record<'firstText' | 'whole' | 'ownKey' | 'othersKey', boolean>;

class Joining {
  readonly #editor: Editor;
  readonly #traffic: Traffic;
  readonly #order: JoinOrder;
  readonly #before: Traffic;
  readonly #startMs: number;
  readonly #longTasks = watchLongTasks();
  readonly #shownMs: Partial<Record<keyof Seen, number>> = {};
  readonly #whole = Promise.withResolvers<void>();
  readonly #caughtUp = Promise.withResolvers<void>();
  readonly #lost = Promise.withResolvers<never>();
  readonly #stamp: () => void;
  #hasOwnKey = false;
  #hasOthersKey = false;
  #atTypable: Traffic | null = null;
  #replica: Replica | null = null;

  constructor(editor: Editor, traffic: Traffic, order: JoinOrder) {
    this.#editor = editor;
    this.#traffic = traffic;
    this.#order = order;
    this.#before = { ...traffic };
    this.#stamp = stampFrames({ read: () => this.#look(), onPresented: (seen, atMs) => this.#presented(seen, atMs) });
    this.#lost.promise.catch(() => {});
    editor.on('text-change', (change, _before, source) => {
      const hasText = (text: string) =>
        change.ops.some(({ insert }) => typeof insert === 'string' && insert.includes(text));
      if (source === 'user') this.#hasOwnKey ||= hasText(OWN_KEY);
      else this.#hasOthersKey ||= hasText(order.sigil);
      this.#stamp();
    });
    this.#startMs = performance.now();
  }

  async begin(client: FrameworkClient): Promise<string | null> {
    const { url, documentId } = this.#order;
    try {
      const joining = client.join({
        url,
        documentId,
        editor: this.#editor,
        batching: AT_ONCE,
        onLost: (reason) => this.#lost.reject(new Error(reason)),
        onReconnected: () => {},
      });
      this.#replica = await Promise.race([joining, this.#lost.promise]);
    } catch (error) {
      return messageOf(error);
    }
    this.#stamp();
    void this.#whole.promise.then(() => this.#type());
    return null;
  }

  async untilCaughtUp(): Promise<string | null> {
    try {
      await Promise.race([this.#caughtUp.promise, this.#lost.promise]);
    } catch (error) {
      return messageOf(error);
    }
    // A task is told of after it has ended.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return null;
  }

  marks(): JoinMarks {
    const { firstText, whole, ownKey, othersKey } = this.#shownMs;
    const now = this.#atTypable ?? this.#traffic;
    return {
      firstTextMs: firstText ?? null,
      wholeMs: whole ?? null,
      typableMs: ownKey ?? null,
      caughtUpMs: othersKey ?? null,
      receivedBytes: now.receivedBytes - this.#before.receivedBytes,
      sentBytes: now.sentBytes - this.#before.sentBytes,
      blockedMs: blockedMs(this.#longTasks(), {
        fromMs: this.#startMs,
        toMs: this.#startMs + (ownKey ?? Number.POSITIVE_INFINITY),
      }),
      length: this.#editor.getLength(),
    };
  }

  held(): Promise<HeldDocument> {
    if (this.#replica === null) throw new Error('the newcomer has not joined');
    return heldBy(this.#editor, this.#replica);
  }

  /** As Chrome itself does for a key: into the page's own text, where Quill finds it. */
  #type(): void {
    this.#editor.setSelection(0, 0, 'user');
    document.execCommand('insertText', false, OWN_KEY);
  }

  #look(): Seen {
    const length = this.#editor.getLength();
    return {
      firstText: length > EMPTY_LENGTH,
      whole: length >= this.#order.wholeLength,
      ownKey: this.#hasOwnKey,
      othersKey: this.#hasOthersKey,
    };
  }

  #presented(seen: Seen, atMs: number): void {
    const sinceStartMs = atMs - performance.timeOrigin - this.#startMs;
    for (const name of Object.keys(seen) as (keyof Seen)[]) {
      if (seen[name]) this.#shownMs[name] ??= sinceStartMs;
    }
    if (seen.ownKey) this.#atTypable ??= { ...this.#traffic };
    if (seen.whole && this.#replica !== null) this.#whole.resolve();
    if (seen.ownKey && seen.othersKey) this.#caughtUp.resolve();
  }
}

export type LongTask = Pick<PerformanceEntry, 'startTime' | 'duration'>;

/** How much of a stretch of time lies within these tasks, which come one after another. */
export function blockedMs(tasks: readonly LongTask[], { fromMs, toMs }: { fromMs: number; toMs: number }): number {
  return tasks.reduce((sum, { startTime, duration }) => {
    const withinMs = Math.min(startTime + duration, toMs) - Math.max(startTime, fromMs);
    return sum + Math.max(0, withinMs);
  }, 0);
}

/** @returns gives the tasks of more than 50 ms from now on */
function watchLongTasks(): () => readonly LongTask[] {
  const tasks: LongTask[] = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
  observer.observe({ type: 'longtask' });
  return () => {
    tasks.push(...observer.takeRecords());
    return tasks;
  };
}
