/** A screen: an editor as its user sees it. Quill's is the DOM that Chrome renders; NoQuill has none and shows at once. */
import type { Editor } from './editor.ts';

export interface Screen {
  editor: Editor;
  /** The text that the screen shows, read from what is rendered, not from the editor's own books. */
  text(): string;
  /**
   * Calls `listener` with each stretch of text that changed on the screen, and when it was presented there
   * (milliseconds since the epoch on the page's clock; after the frame, where there are frames).
   * A stretch reaches far enough around the change to hold a sigil that the change completed.
   */
  onShown(listener: (stretch: ShownStretch, shownMs: number) => void): void;
}

export interface ShownStretch {
  text: string;
  /** Sigils that stood in this place before the change, if the screen knows them: they are not new. */
  known?: ReadonlySet<string>;
}
