import fc from 'fast-check';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNoQuillScreen } from '../../editors/base/noquill/screen.ts';
import { findChrome } from '../../infra/local/chrome.ts';
import type { Part, Step } from './differential.ts';
import { EDITOR_CASES } from './editor-suite.ts';
import type { EditorName, SuitePage } from './page.ts';

declare const suite: SuitePage;

let browser: Browser;
let page: Page;

beforeAll(async () => {
  const [bundle, executablePath] = await Promise.all([bundlePage(), findChrome()]);
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  browser = await puppeteer.launch({ executablePath, args: [...asRoot, '--disable-dev-shm-usage'] });
  page = await browser.newPage();
  page.setDefaultTimeout(8_000);
  await page.addStyleTag({ content: bundle.css });
  await page.addScriptTag({ content: bundle.js });
});

afterAll(() => browser?.close());

async function bundlePage(): Promise<{ js: string; css: string }> {
  const result = (await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    build: {
      write: false,
      minify: false,
      lib: { entry: 'page.ts', formats: ['iife'], name: 'suiteBundle', cssFileName: 'suite' },
    },
  })) as Rolldown.RolldownOutput[];
  const outputs = [result].flat(2).flatMap(({ output }) => output);
  const js = outputs.find((output) => output.type === 'chunk')!.code;
  const css = outputs.find((output) => output.fileName.endsWith('.css'));
  return { js, css: css?.type === 'asset' ? String(css.source) : '' };
}

describe.each<EditorName>(['quill', 'noquill'])('%s in Chrome', (editor) => {
  test.each(EDITOR_CASES.map(({ name }) => name))('%s', async (name) => {
    await page.evaluate((on, one) => suite.runCase(on, one), editor, name);
  });
});

describe('noquill in Node', () => {
  test.each(EDITOR_CASES)('$name', ({ run }) => run(() => createNoQuillScreen(null)));
});

const inline = fc.constantFrom({}, { bold: true }, { italic: true }, { bold: true, italic: true });
const inlineChange = fc.constantFrom({ bold: true }, { bold: null }, { italic: true }, { italic: null, bold: true });
const block = fc.constantFrom({}, { header: 1 }, { header: 2 }, { list: 'ordered' }, { list: 'bullet' });
const blockChange = fc.constantFrom(
  { header: 1, list: null },
  { header: 2, list: null },
  { list: 'bullet', header: null },
  { header: null, list: null },
);
const at = fc.nat(200);
const length = fc.nat(12);
const text = fc.array(fc.nat(4), { minLength: 1, maxLength: 3 });
const source = fc.constantFrom<'user' | 'api'>('user', 'api');
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ skip: length }),
  fc.record({ format: length, inline: inlineChange, block: blockChange }),
  fc.record({ delete: fc.nat(6) }),
  fc.record({ insert: text, inline, block }),
);
const updateContents = fc.record({
  call: fc.constant('updateContents' as const),
  parts: fc.array(part, { minLength: 1, maxLength: 6 }),
  source,
});
const calls = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({ call: fc.constant('insertText' as const), at, text, formats: fc.oneof(inline, block), source }),
  fc.record({ call: fc.constant('deleteText' as const), at, length, source }),
  fc.record({ call: fc.constant('formatText' as const), at, length, formats: inlineChange }),
  fc.record({ call: fc.constant('formatLine' as const), at, length, formats: blockChange }),
  fc.record({ call: fc.constant('format' as const), name: fc.constantFrom('bold', 'italic'), value: fc.boolean() }),
  fc.record({
    call: fc.constant('format' as const),
    name: fc.constant('list'),
    value: fc.constantFrom('bullet', false),
  }),
  fc.record({ call: fc.constant('setSelection' as const), at, length }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: calls },
  { weight: 5, arbitrary: updateContents },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('setContents' as const), text }) },
);

/** SCRIPTORIUM_RUNS=3000 looks harder. */
const { SCRIPTORIUM_RUNS = '150' } = process.env;

test('random steps do the same to Quill and NoQuill', async () => {
  const start: Step = { call: 'setContents', text: [4, 0, 3, 5, 2] };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await page.evaluate((all) => suite.compare(all), [start, ...steps]);
    }),
    { numRuns: Number(SCRIPTORIUM_RUNS) },
  );
});

type KeyCase = [
  name: string,
  contents: { insert: string; attributes?: Record<string, unknown> }[],
  select: [index: number, length: number],
  keys: (page: Page) => Promise<void>,
];

const EMPTY = [{ insert: '\n' }];
const TITLE = [{ insert: 'Title' }, { insert: '\n', attributes: { header: 1 } }, { insert: 'text\n' }];
const LIST = [
  { insert: 'one' },
  { insert: '\n', attributes: { list: 'bullet' } },
  { insert: 'two' },
  { insert: '\n', attributes: { list: 'ordered' } },
  { insert: '\n', attributes: { list: 'ordered' } },
  { insert: 'after\n' },
];
const STYLED = [
  { insert: 'one ' },
  { insert: 'bold', attributes: { bold: true } },
  { insert: ' two\n' },
  { insert: 'all bold', attributes: { bold: true } },
  { insert: '\n' },
];

const press =
  (...keys: Parameters<Page['keyboard']['press']>[0][]) =>
  async (to: Page) => {
    for (const key of keys) await to.keyboard.press(key);
  };
const type = (typed: string) => (to: Page) => to.keyboard.type(typed);
const control = (key: 'b' | 'i') => async (to: Page) => {
  await to.keyboard.down('Control');
  await to.keyboard.press(key);
  await to.keyboard.up('Control');
};
const click = (selector: string) => (to: Page) => to.click(selector);
const inTurn =
  (...all: ((to: Page) => Promise<void>)[]) =>
  async (to: Page) => {
    for (const one of all) await one(to);
  };

const KEY_CASES: KeyCase[] = [
  ['typing', EMPTY, [0, 0], type('Two words, 1 - é ü 好 😀  two spaces')],
  ['typing on in bold text', STYLED, [8, 0], type('xy')],
  ['typing before bold text', STYLED, [4, 0], type('xy')],
  ['typing at the start of a bold line', STYLED, [13, 0], type('xy')],
  ['typing what Quill would make a list of', EMPTY, [0, 0], type('- one')],
  ['Tab in a list', LIST, [0, 0], press('Tab', 'x')],
  ['Tab in bold text', STYLED, [8, 0], press('Tab', 'x')],
  ['Tab over a selection of lines', LIST, [2, 4], press('Tab', 'x')],
  ['Enter in a line', STYLED, [6, 0], press('Enter', 'x')],
  ['Enter inside of a header', TITLE, [2, 0], press('Enter', 'x')],
  ['Enter at the end of a header', TITLE, [5, 0], press('Enter', 'x')],
  ['Enter at the start of a header', TITLE, [0, 0], press('Enter', 'x')],
  ['Enter in a list', LIST, [3, 0], press('Enter', 'x')],
  ['Enter in an empty line of a list', LIST, [8, 0], press('Enter', 'x')],
  ['Enter over a selection of lines', LIST, [2, 4], press('Enter', 'x')],
  ['Backspace in a line', STYLED, [6, 0], press('Backspace', 'Backspace', 'Backspace')],
  ['Backspace at the start of a line', STYLED, [13, 0], press('Backspace')],
  ['Backspace at the start of a list', LIST, [4, 0], press('Backspace')],
  ['Backspace behind a header', TITLE, [6, 0], press('Backspace')],
  ['Backspace at the start of the document', TITLE, [0, 0], press('Backspace')],
  ['Backspace over a selection', LIST, [1, 5], press('Backspace')],
  ['Backspace over all', LIST, [0, 99], press('Backspace', 'x')],
  ['Backspace takes a whole emoji', [{ insert: 'ab😀👨‍👩‍👧🇫🇷\n' }], [16, 0], press('Backspace')],
  ['Backspace and a combining mark', [{ insert: 'abce\u0301\n' }], [5, 0], press('Backspace')],
  ['Delete in a line', STYLED, [5, 0], press('Delete', 'Delete')],
  ['Delete at the end of a header', TITLE, [5, 0], press('Delete')],
  ['Delete at the end of the document', TITLE, [10, 0], press('Delete')],
  ['Delete takes a whole character', [{ insert: 'abc😀e\u0301f\n' }], [3, 0], press('Delete', 'Delete')],
  ['Delete over a selection', LIST, [1, 5], press('Delete')],
  ['typing over a selection', STYLED, [6, 5], type('xy')],
  ['typing over lines', LIST, [1, 5], type('xy')],
  ['Ctrl+B, then typing', TITLE, [8, 0], inTurn(control('b'), type('xy'))],
  ['Ctrl+B twice, then typing', TITLE, [8, 0], inTurn(control('b'), control('b'), type('xy'))],
  ['Ctrl+B and Ctrl+I, then typing', EMPTY, [0, 0], inTurn(control('b'), control('i'), type('xy'))],
  ['Ctrl+B in bold text', STYLED, [6, 0], inTurn(control('b'), type('x'), control('b'), type('y'))],
  ['Ctrl+B, then Enter', TITLE, [8, 0], inTurn(control('b'), press('Enter'), type('x'))],
  ['Ctrl+B, then Backspace', TITLE, [8, 0], inTurn(control('b'), press('Backspace'), type('x'))],
  ['Ctrl+I of a selection', STYLED, [2, 8], control('i')],
  ['Ctrl+B of bold text', STYLED, [4, 4], control('b')],
  ['the bold button', STYLED, [0, 6], inTurn(click('.ql-bold'), click('.ql-italic'))],
  ['the bold button at the cursor', STYLED, [2, 0], inTurn(click('.ql-bold'), type('x'))],
  ['the header buttons', STYLED, [2, 0], inTurn(click('.ql-header[value="1"]'), click('.ql-header[value="2"]'))],
  ['a header button twice', STYLED, [2, 0], inTurn(click('.ql-header[value="2"]'), click('.ql-header[value="2"]'))],
  ['the list buttons', LIST, [1, 5], click('.ql-list[value="bullet"]')],
  ['a list button in a header', TITLE, [1, 0], inTurn(click('.ql-list[value="ordered"]'), type('x'))],
  ['a paste', STYLED, [6, 4], (to) => to.evaluate(() => suite.paste('x\r\ny\nz'))],
  ['a paste in a header', TITLE, [2, 0], (to) => to.evaluate(() => suite.paste('x\ny'))],
];

describe('real keys do the same to Quill and NoQuill', () => {
  test.each(KEY_CASES)('%s', async (_, contents, select, keys) => {
    const states = [];
    for (const editor of ['quill', 'noquill'] as const) {
      await page.evaluate((on, initial) => suite.open(on, initial), editor, contents);
      await page.evaluate((index, span) => suite.select(index, span), ...select);
      await keys(page);
      states.push(await page.evaluate(() => suite.state()));
    }
    expect(states[1]).toEqual(states[0]);
  });
});

test('Quill fills its place below the toolbar, and a long text scrolls inside', async () => {
  await page.evaluate((lines) => suite.open('quill', [{ insert: lines }]), 'line\n'.repeat(200));
  const heights = await page.evaluate(() => {
    const root = document.querySelector('.ql-editor')!;
    const toolbar = document.querySelector('.ql-toolbar')!;
    return {
      both: Math.round(toolbar.getBoundingClientRect().height + root.parentElement!.getBoundingClientRect().height),
      scrolls: root.scrollHeight > root.clientHeight,
    };
  });
  // The suite's page gives each editor 300 px.
  expect(heights).toEqual({ both: 300, scrolls: true });
});

test('what a frame changed in Quill has one time, after the frame began', async () => {
  const { shown, beganMs } = await page.evaluate(() => suite.showLines());
  expect(shown).toHaveLength(1);
  expect(shown[0]?.after).toEqual(['one', 'two', 'three']);
  expect(shown[0]?.atMs).toBeGreaterThan(beganMs);
});
