/** The editor driver at an imitation of Google Docs, in real Chrome. Google itself cannot be reached from a test. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { nowMs } from '../../../infra/clock.ts';
import { type ImitatedDocs, imitateDocs } from '../../../tests/google-docs/imitated-docs.ts';
import type { Assignment } from '../../trial/protocol.ts';
import { type Chrome, launchChrome } from '../chrome/chrome.ts';
import type { EditorDriver } from '../editor-driver.ts';
import { createDocsDriver, MOST_ARROWS } from './drivers.ts';

const PATIENCE = { openLimitMs: 1500, restMs: 150 };

let chrome: Chrome;
let docs: ImitatedDocs;
let seats: Seat[] = [];
let documents = 0;

interface Seat {
  driver: EditorDriver;
  sigils: { sigil: string; shownMs: number }[];
  lost: string[];
  /** The value of an expression in this user's page. */
  look<T>(expression: string): Promise<T>;
}

beforeAll(async () => {
  [chrome, docs] = await Promise.all([launchChrome({ show: false }), imitateDocs()]);
});
afterEach(async () => {
  for (const { driver } of seats) await driver.leave();
  seats = [];
});
afterAll(async () => {
  await chrome?.close();
  await docs?.close();
});

/** Seats so many users, one after the other, at a document of its own. */
async function seat(users: number, link = docs.link(`document-${documents++}`)): Promise<Seat[]> {
  for (let user = 0; user < users; user++) {
    const sigils: Seat['sigils'] = [];
    const lost: string[] = [];
    const before = await chrome.browser.pages();
    const { isLink } = docs;
    const driver = createDocsDriver({
      browser: chrome.browser,
      through: (url) => url,
      isLink,
      patience: PATIENCE,
    });
    seats.push({ driver, sigils, lost, look: async () => Promise.reject(new Error('the page is not open')) });
    const assignment = { framework: 'gdocs', serverUrl: link, pageUrl: docs.pageUrl } as Assignment;
    await driver.join(assignment, {
      onSigil: (sigil, shownMs) => sigils.push({ sigil, shownMs }),
      onSigilChanged() {},
      onLongTask() {},
      onLost: (reason) => lost.push(reason),
      onBroken() {},
      onReconnected() {},
      onCursorMoved() {},
      onKeys() {},
      onPageError() {},
    });
    const pages = await Promise.all(chrome.browser.browserContexts().map((context) => context.pages()));
    const page = pages.flat().find((each) => !before.includes(each) && each.url() === link)!;
    seats.at(-1)!.look = (expression) => page.evaluate(expression) as Promise<never>;
  }
  return seats;
}

async function type(driver: EditorDriver, text: string): Promise<void> {
  for (const each of text) await driver.perform({ kind: 'key', move: 0, text: each });
}

async function typeSigil(driver: EditorDriver, sigil: string): Promise<number> {
  let sentMs = 0;
  for (const [index, text] of [...sigil].entries()) {
    sentMs = nowMs();
    await driver.perform({ kind: 'sigil-key', text, sigil, last: index === sigil.length - 1 });
  }
  return sentMs;
}

const text = ({ look }: Seat) => look<string>('imitation.text()');
/** The drawn stretches: text, font, the paragraph's block. */
const drawn = ({ look }: Seat) =>
  look<[string, string, string][]>(
    `[...document.querySelectorAll('rect')].map((rect) =>
      [rect.ariaLabel, rect.dataset.fontCss, rect.parentElement.dataset.block])`,
  );

const until = (what: () => Promise<boolean>) => vi.waitUntil(what, { timeout: 30_000, interval: 20 });

/** Waits until all of them hold this text. */
async function untilText(wanted: string): Promise<void> {
  for (const each of seats) {
    await until(async () => (await text(each)) === wanted).catch(async (error) => {
      throw new Error(`${error.message}: the text is ${JSON.stringify(await text(each))}`);
    });
  }
}

describe('typing', () => {
  test('keys, moves by arrows, deletions and pastes reach the document, and the other user', async () => {
    const [{ driver }] = (await seat(2)) as [Seat];
    await type(driver, 'abc\nde');
    await untilText('abc\nde');
    await driver.perform({ kind: 'key', move: -4, text: 'X' });
    // The cursor stood behind "de" (6), went to behind "b" (2), and is behind "X" (3) now.
    await untilText('abXc\nde');
    await driver.perform({ kind: 'backspace', move: 1 });
    await untilText('abX\nde');
    await driver.perform({ kind: 'delete', move: -3 });
    await untilText('bX\nde');
    await driver.perform({ kind: 'erase', move: 1, length: 3 });
    await untilText('be');
    await driver.perform({ kind: 'paste', move: 1, text: 'a long\ntext' });
    await untilText('bea long\ntext');
  });

  test('formats are Docs’ own shortcuts; a range is selected from the cursor, which comes back', async () => {
    const [first] = (await seat(2)) as [Seat];
    await type(first.driver, 'abcdef');
    await first.driver.perform({ kind: 'format-range', format: 'bold', distance: -4, length: 2 });
    await first.driver.perform({ kind: 'format-cursor', format: 'italic' });
    await type(first.driver, 'g');
    await first.driver.perform({ kind: 'format-block', button: 3 });
    const font = (style: string) => `${style} 11pt Arial`;
    const wanted = [
      ['ab', font('400'), 'bulleted'],
      ['cd', font('700'), 'bulleted'],
      ['ef', font('400'), 'bulleted'],
      ['g', font('italic 400'), 'bulleted'],
    ];
    for (const each of seats) await until(async () => JSON.stringify(await drawn(each)) === JSON.stringify(wanted));
    for (const [button, block] of ['heading 1', 'heading 2', 'numbered'].entries()) {
      await first.driver.perform({ kind: 'format-block', button });
      await until(async () => (await drawn(seats[1]!)).every((stretch) => stretch[2] === block));
    }
  });

  test('a move presses as many arrows as it is told, and tells how many that may be', async () => {
    const [{ driver, look }] = (await seat(1)) as [Seat];
    expect(driver.longestMove).toBe(MOST_ARROWS);
    await type(driver, 'x'.repeat(60));
    // A few more than that, as to step over a sigil.
    const move = MOST_ARROWS + 5;
    await driver.perform({ kind: 'key', move: -move, text: '|' });
    await untilText(`${'x'.repeat(60 - move)}|${'x'.repeat(move)}`);
    expect(await look('imitation.pressedKeys')).toBe(60 + move + 1);
  });
});

describe('sigils', () => {
  test('show on the own screen and the other’s, once, after they were sent, and on the page’s clock', async () => {
    const [one, other] = (await seat(2)) as [Seat, Seat];
    await type(one.driver, 'some words ');
    const sentMs = await typeSigil(one.driver, '00@10');
    for (const { driver, sigils } of [one, other]) {
      await until(async () => {
        await driver.flush?.();
        return sigils.length > 0;
      });
      const { offsetMs, errorMs } = await driver.measureClock!();
      expect(sigils.map(({ sigil }) => sigil)).toEqual(['00@10']);
      expect(sigils[0]!.shownMs).toBeGreaterThan(sentMs + offsetMs - errorMs);
      expect(sigils[0]!.shownMs).toBeLessThan(nowMs() + offsetMs + errorMs);
    }
    // Formats draw the line anew, and split it into stretches: still the same sigil.
    await one.driver.perform({ kind: 'format-range', format: 'bold', distance: -2, length: 1 });
    await one.driver.perform({ kind: 'format-block', button: 0 });
    await type(one.driver, ' more');
    await until(async () => (await text(other)).endsWith(' more'));
    for (const { driver, sigils } of [one, other]) {
      await driver.flush?.();
      expect(sigils).toHaveLength(1);
    }
  });

  test('what only comes in sight by scrolling is not new', async () => {
    const [one, other] = (await seat(2)) as [Seat, Seat];
    // Far more than the visible part and what is drawn around it, which is 26 lines at most.
    await one.driver.perform({ kind: 'paste', move: 0, text: 'line\n'.repeat(80) });
    await until(async () => (await text(other)).length === 400);
    await one.look(`document.querySelector('.kix-appview-editor').scrollTop = 1e6`);
    await until(async () => (await drawn(one)).length > 0);
    await typeSigil(one.driver, '00@20');
    await until(async () => {
      await one.driver.flush?.();
      return one.sigils.length > 0;
    });
    await until(async () => (await text(other)).endsWith('00@20'));
    await other.look(`document.querySelector('.kix-appview-editor').scrollTop = 1e6`);
    await until(async () => (await drawn(other)).some(([label]) => label === '00@20'));
    await other.driver.flush?.();
    expect(other.sigils).toEqual([]);
    // A sigil typed there now is reported.
    await typeSigil(one.driver, '00@30');
    await until(async () => {
      await other.driver.flush?.();
      return other.sigils.length > 0;
    });
    expect(other.sigils.map(({ sigil }) => sigil)).toEqual(['00@30']);
  });
});

describe('what screens show', () => {
  test('is the whole document, though only a part is drawn, and the same for all that hold the same', async () => {
    const [one, other] = (await seat(2)) as [Seat, Seat];
    const lines = Array.from({ length: 70 }, (_, line) => `line ${line}`).join('\n');
    await Promise.all([one.driver.perform({ kind: 'paste', move: 0, text: lines }), type(other.driver, 'together')]);
    await until(async () => (await text(one)).length === lines.length + 8 && (await text(one)) === (await text(other)));
    const [state, otherState] = await Promise.all([one.driver.state(), other.driver.state()]);
    expect(state.screenTextDigest).toMatch(/^[0-9a-f]{64}$/);
    expect(state).toEqual(otherState);
    expect(state).toMatchObject({ modelDigest: null, editorDigest: null, characters: null });
    const { model, editor } = await one.driver.contents!();
    const [{ insert }] = JSON.parse(model!);
    expect(insert).toBe((await text(one)).replaceAll(/\s/g, ''));
    expect(editor).toBeNull();
    expect(one.driver).not.toHaveProperty('savedStateBase64');
    expect(one.driver).not.toHaveProperty('sample');
    await type(one.driver, '.');
    expect((await one.driver.state()).screenTextDigest).not.toBe(state.screenTextDigest);
  });

  test('nothing, proves nothing', async () => {
    const [{ driver }] = (await seat(1)) as [Seat];
    expect((await driver.state()).screenTextDigest).toBeNull();
  });
});

describe('a link that leads to', () => {
  const cases: [what: string, name: string, sentence: string][] = [
    ['a sign-in', 'private', 'Google asks for a sign-in: share the document with "Anyone with the link" as "Editor"'],
    ['another document', 'moved', 'the link leads elsewhere'],
    ['no document', 'deleted', 'the page shows no Google Doc'],
    ['a document that can only be viewed', 'viewed', 'the document can only be viewed or commented'],
  ];
  test.each(cases)('%s is refused with a sentence', async (_what, name, sentence) => {
    await expect(seat(1, docs.link(name))).rejects.toThrow(`${docs.link(name)} cannot be used: ${sentence}`);
  });

  test('a page without a mode button is taken: what can be typed there shows', async () => {
    const [{ driver }] = (await seat(1, docs.link('unmarked'))) as [Seat];
    await type(driver, 'a');
    await untilText('a');
  });

  test('a document that is not empty is refused', async () => {
    const link = docs.link('used');
    const [{ driver }] = (await seat(1, link)) as [Seat];
    await type(driver, 'left over');
    await untilText('left over');
    await expect(seat(1, link)).rejects.toThrow(
      'is not empty: each trial needs a fresh document, this one begins "left over"',
    );
  });

  test('no Google Doc by its form is not even opened', async () => {
    const { browser } = chrome;
    const driver = createDocsDriver({ browser, through: (url) => url });
    const assignment = {
      serverUrl: 'https://docs.google.com/spreadsheets/d/1/edit',
      pageUrl: docs.pageUrl,
    } as Assignment;
    await expect(driver.join(assignment, {} as never)).rejects.toThrow(
      'is not the link of a Google Doc: it must read https://',
    );
  });
});
