import { expect, test } from 'vitest';
import { documentId, isDocumentLink, type Look, problemOf } from './link.ts';
import { joinInOrder } from './text.ts';

const LINK = 'https://docs.google.com/document/d/1aB-_9/edit?tab=t.0#heading=h.1';

test.each([
  [LINK, true],
  ['https://docs.google.com/document/u/0/d/1aB-_9/edit', true],
  ['https://docs.google.com/document/d/1aB-_9', true],
  // A published copy, another kind of document, the list of all, another site that looks alike, no https, no link.
  ['https://docs.google.com/document/d/e/2PACX-1v/pub', false],
  ['https://docs.google.com/spreadsheets/d/1aB-_9/edit', false],
  ['https://docs.google.com/document/u/0/', false],
  ['https://docs.google.com.example.org/document/d/1aB-_9/edit', false],
  ['http://docs.google.com/document/d/1aB-_9/edit', false],
  ['1aB-_9', false],
])('%s is the link of a Google Doc: %s', (text, wanted) => {
  expect(isDocumentLink(text)).toBe(wanted);
});

test('a document is told by its id, whatever else its link says', () => {
  expect(documentId(LINK)).toBe('1aB-_9');
  expect(documentId('https://docs.google.com/document/u/1/d/1aB-_9/view')).toBe('1aB-_9');
  expect(documentId('https://accounts.google.com/v3/signin')).toBeNull();
});

test('what keeps a user from typing is told apart', () => {
  const editable: Look = { address: LINK, isLoaded: true, hasEditor: true, mode: 'editing', text: '' };
  const problem = (look: Partial<Look>) => problemOf(LINK, { ...editable, ...look });
  expect(problem({})).toBeNull();
  expect(problem({ mode: null })).toBeNull();
  expect(problem({ address: 'https://accounts.google.com/v3/signin/identifier?continue=x' })).toContain('a sign-in');
  expect(problem({ address: 'https://drive.google.com/drive/home' })).toContain(
    'elsewhere, to drive.google.com/drive/home',
  );
  expect(problem({ address: LINK.replace('1aB', '1aC') })).toContain('leads elsewhere');
  expect(problem({ hasEditor: false, mode: null })).toContain('shows no Google Doc');
  expect(problem({ mode: 'not editing' })).toContain('only be viewed');
});

test('the whole text is put together by place, and without spaces', () => {
  const at = (top: number, left: number, text: string) => ({ top, left, text });
  expect(joinInOrder([at(40, 0, 'c\u200b d\n'), at(20, 60, 'b '), at(20, 0, ' a')])).toBe('abcd');
});
