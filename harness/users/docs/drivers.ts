/**
 * The editor driver at a Google Doc in Chrome: what a person at a keyboard does there, and nothing else. Its cursor moves by arrow
 * keys, formats are Docs' own shortcuts. See editors/gdocs/README.md.
 */
import type { Browser } from 'puppeteer-core';
import { digest } from '../../../editors/base/delta.ts';
import { isDocumentLink, LINK_FORM, type Look, leadsElsewhere, problemOf } from '../../../editors/gdocs/link.ts';
import { scriptOf } from '../../../frameworks/page-build.ts';
import { nowMs, realTimer } from '../../../infra/clock.ts';
import { openDriversAtChrome } from '../chrome/drivers.ts';
import { ALT, arrowKey, keyGestures, SHIFT, shortcut } from '../chrome/keys.ts';
import { openUserPage, type UserPage } from '../chrome/user-page.ts';
import type { Drivers, DriversOptions, EditorDriver } from '../editor-driver.ts';
import { type Gestures, performThere } from '../typing/perform.ts';

/**
 * Limit for the arrow keys of one move, and of one selection: the longest range of the typist. Far jumps of a trace end
 * there, so that a user stays nearer to its own text.
 */
export const MOST_ARROWS = 50;
const LOOK_PERIOD_MS = 100;

/** Docs' shortcuts, with Ctrl, in the order of `BLOCK_FORMATS`: heading 1 and 2, numbered and bulleted list. */
const BLOCK_SHORTCUTS = [shortcut('1', ALT), shortcut('2', ALT), shortcut('7', SHIFT), shortcut('8', SHIFT)];

interface DocsDriverOptions {
  browser: Browser;
  /** The address by which this process gets the coordinator's page, see `openPageProxy`. */
  through: (pageUrl: string) => string;
  /** Test for links to documents; only tests, which imitate the page on this machine, use another than Google's. */
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

/** Its `join` rejects with a sentence if the link leads to anything but a fresh document that everyone may edit. */
export function createDocsDriver(options: DocsDriverOptions): EditorDriver {
  const { browser, through, isLink = isDocumentLink, patience = PATIENCE } = options;
  let userPage: UserPage;
  let editor: Gestures<Promise<unknown>>;
  const inPage = <T>(call: string) => callScript<T>(userPage, call);

  return {
    longestMove: MOST_ARROWS,

    async join({ serverUrl: link, pageUrl, framework, cpuSlowdown }, events) {
      if (!isLink(link)) throw new Error(`${link} is not the link of a Google Doc: it must read ${LINK_FORM}`);
      userPage = await openUserPage(browser, events, { cpuSlowdown });
      editor = docsEditor(userPage);
      const script = await fetch(new URL(scriptOf(framework), through(pageUrl)));
      await openDocument(userPage, { link, script: await script.text(), patience });
      await userPage.click(await inPage('clickPoint()'));
      await inPage('watch()');
    },
    perform: (action) => performThere(editor, action),
    measureClock: (rounds) => userPage.measureClock(rounds),
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
    async leave() {
      if (browser.connected) await userPage.close();
    },

    // Not `sample`: Docs' connection is its own, and of the document only a part is drawn.
    flush: () => inPage('flush()'),
    async contents() {
      const text = await inPage<string | null>('wholeText()');
      return { model: text === null ? null : JSON.stringify([{ insert: text }]), editor: null };
    },
    profile: (durationMs) => userPage.profile(durationMs),
  };
}

/** A call of what editors/gdocs/page.ts puts into the page. */
function callScript<T>(userPage: UserPage, call: string): Promise<T> {
  return userPage.evaluate<T>(`scriptoriumDocs.${call}`);
}

function docsEditor(userPage: UserPage): Gestures<Promise<unknown>> {
  /** Leave together, as one who holds the key down; Chrome keeps their order. */
  const pressArrows = async (distance: number, options?: { selects: boolean }) => {
    const key = arrowKey(distance < 0 ? 'left' : 'right', options);
    await Promise.all(Array.from({ length: Math.abs(distance) }, () => userPage.press(key)));
  };
  return {
    ...keyGestures(userPage.press),
    move: (distance) => pressArrows(distance),
    async select(distance, length) {
      await pressArrows(distance);
      await pressArrows(length, { selects: true });
    },
    async unselect(distance) {
      // It goes to the start of the selection, which ends.
      await userPage.press(arrowKey('left'));
      await pressArrows(-distance);
    },
    // Nobody sees into that editor, so a sigil's place is not known.
    selectSigil: async () => false,
    async leaveSigil() {},
    paste: (text) => callScript(userPage, `paste(${JSON.stringify(text)})`),
    formatBlock: (button) => userPage.press(BLOCK_SHORTCUTS[button]!),
  };
}

/** @throws Error with a sentence if no document comes up that is empty and that everyone may edit */
async function openDocument(
  userPage: UserPage,
  { link, script, patience }: { link: string; script: string; patience: Patience },
): Promise<void> {
  const { page, devtools } = userPage;
  await devtools.send('Page.enable');
  await devtools.send('Page.addScriptToEvaluateOnNewDocument', { source: script });
  await page.goto(link, { waitUntil: 'domcontentloaded', timeout: patience.openLimitMs }).catch((error: Error) => {
    throw new Error(`${link} does not open: ${error.message}; a Google Doc needs the internet`);
  });
  const look = await untilAtRest(() => callScript<Look>(userPage, 'look()'), link, patience);
  const problem = problemOf(link, look);
  if (problem !== null) throw new Error(`${link} cannot be used: ${problem}`);
  if (look.text.trim() !== '') {
    throw new Error(
      `${link} is not empty: each trial needs a fresh document, this one begins "${look.text.slice(0, 20)}"`,
    );
  }
}

/** The look of the page once it stays the same, or, if no editor comes up, once the bound is reached. */
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

export function openDrivers(options: DriversOptions): Promise<Drivers> {
  return openDriversAtChrome(options, (browser, through) => createDocsDriver({ browser, through }));
}
