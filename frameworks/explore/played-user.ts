/** A user of a world that is played. */
import { canonicalDelta, shownDelta } from '../../editors/base/delta.ts';
import type { Replica } from '../../editors/base/framework.ts';
import { createNoQuillScreen } from '../../editors/base/noquill/screen.ts';
import type { Witness } from './ledger.ts';
import type { WorldLine } from './line.ts';

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

  constructor(name: string, number: number, line: WorldLine) {
    this.name = name;
    this.number = number;
    this.line = line;
  }

  get isHere(): boolean {
    return this.state === 'here';
  }

  /** Everything that its replica holds, in one form. */
  contents(): string {
    return JSON.stringify(canonicalDelta(this.replica!.contents()).ops);
  }

  /** The part of it that an editor can show, and what the editor holds. */
  shown(): { model: string; editor: string } {
    const model = JSON.stringify(shownDelta(this.replica!.contents()).ops);
    return { model, editor: JSON.stringify(canonicalDelta(this.screen.editor.getContents()).ops) };
  }

  text(): string {
    return this.screen.editor.getText();
  }
}
