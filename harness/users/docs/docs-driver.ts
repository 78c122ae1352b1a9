/**
 * EditorDriver at a Google Doc in Chrome: what a person at a keyboard does there, and nothing else. Its cursor moves by arrow
 * keys, formats are Docs' own shortcuts. See editors/gdocs/README.md.
 */
import type { Browser } from 'puppeteer-core';
import { digest } from '../../../editors/base/delta.ts';
import { isDocumentLink, LINK_FORM } from '../../../editors/gdocs/link.ts';
import { type Look, leadsElsewhere, problemOf } from '../../../editors/gdocs/look.ts';
import { nowMs, realTimer } from '../../clock.ts';
import { DOCS_SCRIPT } from '../../page-build.ts';
import { ALT, arrowKey, keyPress, SHIFT, SHORTCUT_LETTERS, shortcut } from '../chrome/keys.ts';
import { openUserPage, type UserPage } from '../chrome/user-page.ts';
import type { EditorDriver } from '../editor-driver.ts';
import type { Action } from '../typing/typist.ts';

/**
 * How many arrow keys an edit may take to move, and to select: as many as a range of the typist's. A trace's far jumps end
 * after as many, so a user stays nearer to its own text.
 */
export const MOST_ARROWS = 50;
const LOOK_PERIOD_MS = 100;

/** Docs' shortcuts, with Ctrl, in the order of `BLOCK_FORMATS`: heading 1 and 2, numbered and bulleted list. */
const BLOCK_SHORTCUTS = [shortcut('1', ALT), shortcut('2', ALT), shortcut('7', SHIFT), shortcut('8', SHIFT)];

export interface DocsHandsOptions {
  browser: Browser;
  /** The address by which this process gets the coordinator's page, see page-proxy.ts. */
  through: (pageUrl: string) => string;
  /** What counts as a link to a document; other than Google's for tests only, which imitate the page on this machine. */
  isLink?: (text: string) => boolean;
  /** For tests, whose pages come up at once. */
  patience?: Patience;
}

/** How long Docs is waited for. */
interface Patience {
  /** Until it shows an editor; less than the trial waits for all users. */
  openLimitMs: number;
  /** A page that looks the same for so long has come to rest: Docs draws text, and tells who may edit, after all else. */
  restMs: number;
}
const PATIENCE: Patience = { openLimitMs: 20_000, restMs: 1500 };

/** Its `join` rejects with a sentence where the link leads to anything but a fresh document that everyone may edit. */
export function createDocsDriver(options: DocsHandsOptions): EditorDriver {
  const { browser, through, isLink = isDocumentLink, patience = PATIENCE } = options;
  let userPage: UserPage;

  const inPage = <T>(call: string) => userPage.evaluate<T>(`scriptoriumDocs.${call}`);
  /** Leave together, as one who holds the key down; Chrome keeps their order. */
  const pressArrows = async (distance: number, options?: { selects: boolean }) => {
    const key = arrowKey(distance < 0 ? 'left' : 'right', options);
    await Promise.all(Array.from({ length: Math.abs(distance) }, () => userPage.press(key)));
  };

  return {
    longestMove: MOST_ARROWS,

    async join({ serverUrl: link, pageUrl }, events) {
      if (!isLink(link)) throw new Error(`${link} is not the link of a Google Doc: it must read ${LINK_FORM}`);
      userPage = await openUserPage(browser, events);
      const { page, devtools } = userPage;
      const script = await (await fetch(new URL(DOCS_SCRIPT, through(pageUrl)))).text();
      await devtools.send('Page.enable');
      await devtools.send('Page.addScriptToEvaluateOnNewDocument', { source: script });
      await page.goto(link, { waitUntil: 'domcontentloaded', timeout: patience.openLimitMs }).catch((error: Error) => {
        throw new Error(`${link} does not open: ${error.message}; a Google Doc needs the internet`);
      });
      const look = await untilAtRest(() => inPage<Look>('look()'), link, patience);
      const problem = problemOf(link, look);
      if (problem !== null) throw new Error(`${link} cannot be used: ${problem}`);
      if (look.text.trim() !== '') {
        throw new Error(
          `${link} is not empty: each trial needs a fresh document, this one begins "${look.text.slice(0, 20)}"`,
        );
      }
      await userPage.click(await inPage('clickPoint()'));
      await inPage('watch()');
    },

    async perform(action: Action) {
      switch (action.kind) {
        case 'key':
          await pressArrows(action.move);
          return userPage.press(keyPress(action.text));
        case 'backspace':
        case 'delete':
          await pressArrows(action.move);
          return userPage.press(keyPress(action.kind));
        case 'paste':
          await pressArrows(action.move);
          return inPage(`paste(${JSON.stringify(action.text)})`);
        case 'erase':
          await pressArrows(action.move);
          await pressArrows(action.length, { selects: true });
          return userPage.press(keyPress('backspace'));
        case 'format-cursor':
          return userPage.press(shortcut(SHORTCUT_LETTERS[action.format]));
        case 'format-range':
          await pressArrows(action.distance);
          await pressArrows(action.length, { selects: true });
          await userPage.press(shortcut(SHORTCUT_LETTERS[action.format]));
          // The first goes to the start of the selection, which ends.
          await userPage.press(arrowKey('left'));
          return pressArrows(-action.distance);
        case 'format-block':
          return userPage.press(BLOCK_SHORTCUTS[action.button]!);
        case 'sigil-key':
          return userPage.press(keyPress(action.text));
      }
    },

    measureClock: (rounds) => userPage.measureClock(rounds),
    // Docs' connection is its own, and of the document only a part is drawn.
    sample: async () => null,
    async state() {
      const text = await inPage<string | null>('wholeText()');
      return {
        modelDigest: null,
        shownModelDigest: null,
        editorDigest: null,
        editorTextDigest: null,
        screenTextDigest: text === null ? null : await digest(text),
        characters: null,
      };
    },
    ownEdits: async () => ({ insertedCharacters: null, deletedCharacters: null }),
    async contents() {
      const text = await inPage<string | null>('wholeText()');
      return { model: text === null ? null : JSON.stringify([{ insert: text }]), editor: null };
    },
    savedStateBase64: async () => null,
    flush: () => inPage('flush()'),
    profile: (durationMs) => userPage.profile(durationMs),

    async leave() {
      if (browser.connected) await userPage.close();
    },
  };
}

/** The look of the page once it stays the same, or, where no editor comes up, once the bound is reached. */
async function untilAtRest(look: () => Promise<Look>, link: string, patience: Patience): Promise<Look> {
  // A page that is just being left has nothing to look at; the next one has.
  const see = () => look().catch((error: Error) => error);
  const endMs = nowMs() + patience.openLimitMs;
  let seen = await see();
  let sinceMs = nowMs();
  const isAtRest = () =>
    !(seen instanceof Error) &&
    seen.isLoaded &&
    (seen.hasEditor || leadsElsewhere(link, seen)) &&
    nowMs() - sinceMs > patience.restMs;
  while (!isAtRest() && nowMs() < endMs) {
    await realTimer.until(nowMs() + LOOK_PERIOD_MS);
    const now = await see();
    if (JSON.stringify(now) !== JSON.stringify(seen)) sinceMs = nowMs();
    seen = now;
  }
  if (seen instanceof Error) throw seen;
  return seen;
}
