/** A screen: an editor as its user sees it. Quill's is the DOM that Chrome renders; NoQuill renders nothing. */
import type { Editor } from './editor.ts';

export interface Screen {
  editor: Editor;
  /** The text that the screen shows, read from what is rendered, not from the editor's own books. */
  text(): string;
  /** The names at the others' cursors that the screen shows; where nothing is rendered, of those that it would show. */
  cursorNames(): string[];
  /**
   * Calls `listener` for each frame that changed text on the screen, once it was presented; where there are no frames,
   * for each change, in the task after it. What was on the screen before the call of `onShown` is not reported.
   */
  onShown(listener: (shown: Shown) => void): void;
}

/**
 * Changes of one frame: the stretches of text that it took from the screen or altered, as they were, and those that it
 * altered or put there, as they are. Text that merely moved is in both, or in neither. A stretch reaches far enough around a
 * change to hold a sigil that the change completed.
 */
export interface Shown {
  before: readonly string[];
  after: readonly string[];
  /** When it was presented, or all was done with it, in milliseconds since the epoch on this process's own clock. */
  atMs: number;
}
