/**
 * The script that is put into a Docs page before its own scripts run. The driver calls `scriptoriumDocs.…` through the
 * DevTools protocol; the page reports as every user's does.
 */
import { createReporter } from '../base/instrument/reporter.ts';
import { watchSigils } from '../base/sigils.ts';
import { type Look, lookAround } from './link.ts';
import { ANNOTATION_REQUESTER, ANNOTATION_SWITCH, KEY_FRAME, SCROLLER } from './parts.ts';
import { readWholeText, watchParagraphs } from './text.ts';

export interface DocsPageApi {
  look(): Look;
  /** Where to click so that the document has the focus, in CSS pixels. */
  clickPoint(): { x: number; y: number };
  /** Reports sigils and long tasks from now on. */
  watch(): void;
  paste(text: string): void;
  /** See `readWholeText`; whoever asks while a reading is under way gets that one. */
  wholeText(): Promise<string | null>;
  flush(): Promise<void>;
}

declare global {
  var scriptoriumDocs: DocsPageApi | undefined;
}

const reporter = createReporter();
let reading: Promise<string | null> | null = null;

// Docs' own frames get the script too, and have no use for it.
if (globalThis.top === globalThis.self) {
  Object.assign(globalThis, { [ANNOTATION_SWITCH]: ANNOTATION_REQUESTER });
  globalThis.scriptoriumDocs = {
    look: lookAround,
    clickPoint() {
      const { left, top, width, height } = document.querySelector(SCROLLER)!.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    },
    watch() {
      watchSigils({ onShown: watchParagraphs }, reporter.sigil);
      reporter.watchLongTasks();
    },
    paste(text) {
      const frame = document.querySelector<HTMLIFrameElement>(KEY_FRAME)!;
      // The frame's own classes: Docs takes events of its realm only.
      const realm = frame.contentWindow as unknown as typeof globalThis;
      const clipboardData = new realm.DataTransfer();
      clipboardData.setData('text/plain', text);
      const paste = new realm.ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      frame.contentDocument!.activeElement!.dispatchEvent(paste);
    },
    wholeText() {
      reading ??= readWholeText().finally(() => {
        reading = null;
      });
      return reading;
    },
    flush: reporter.flush,
  };
}
