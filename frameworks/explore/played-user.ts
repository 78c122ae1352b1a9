/** A user of a world that is played. */
import type Delta from 'quill-delta';
import { canonicalDelta, shownDelta } from '../../editors/base/delta.ts';
import type { Replica } from '../../editors/base/framework.ts';
import { createNoQuillScreen } from '../../editors/base/noquill/screen.ts';
import type { Witness } from './ledger.ts';
import type { WorldLine } from './line.ts';

/** Users of a world mostly hold the same: each document is brought into a form once. */
const MOST_KNOWN = 32;
const canonicalOf = once(canonicalDelta);
const shownOf = once(shownDelta);

function once(form: (document: Delta) => Delta): (document: Delta) => string {
  const known = new Map<string, string>();
  return (document) => {
    const held = JSON.stringify(document.ops);
    const before = known.get(held);
    if (before !== undefined) return before;
    if (known.size >= MOST_KNOWN) known.clear();
    const text = JSON.stringify(form(document).ops);
    known.set(held, text);
    return text;
  };
}

/** A user, from joining to leaving; who joins again is another. */
export class PlayedUser implements Witness {
  readonly name: string;
  readonly number: number;
  readonly line: WorldLine;
  readonly screen = createNoQuillScreen(null);
  state: 'joining' | 'here' | 'gone' = 'joining';
  replica: Replica | null = null;
  /** True if it is gone, and its library still waits for the server. */
  isLeaving = false;
  acknowledgedMs: number | null = null;
  isInSync = false;
  /** The reason why its connection is gone for good. */
  lost: string | null = null;
  /** The reason why it could not join. */
  refused: string | null = null;
  #held: Delta | null = null;

  constructor(name: string, number: number, line: WorldLine) {
    this.name = name;
    this.number = number;
    this.line = line;
  }

  get isHere(): boolean {
    return this.state === 'here';
  }

  /** Time goes on: what its replica holds may change. */
  timeGoesOn(): void {
    this.#held = null;
  }

  get #document(): Delta {
    this.#held ??= this.replica!.contents();
    return this.#held;
  }

  /** Everything that its replica holds, in one form. */
  contents(): string {
    return canonicalOf(this.#document);
  }

  /** The part of it that an editor can show, and what the editor holds. */
  shown(): { model: string; editor: string } {
    return { model: shownOf(this.#document), editor: canonicalOf(this.screen.editor.getContents()) };
  }

  text(): string {
    return this.screen.editor.getText();
  }
}
