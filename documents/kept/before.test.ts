import { expect, test } from 'vitest';
import { awaitedWords, untilWhole } from './before.ts';

const { signal } = new AbortController();

test('a server that lets users in before it has loaded the document is waited for, whatever was typed into that', async () => {
  const texts = ['\n', 'as it\n', 'as [0.1] it was\n'];
  const read = async () => texts.shift()!;
  expect(await untilWhole(read, { before: 'as it was\n', limitMs: 2000, signal })).toBe(true);
  expect(texts).toEqual([]);
});

test('words that the server had are waited for, though no text stood there before', async () => {
  const texts = ['\n', '[0.1] \n', '[0.1] [1.0] \n'];
  const read = async () => texts.shift()!;
  expect(await untilWhole(read, { before: '', words: ['[1.0]', '[0.1]'], limitMs: 2000, signal })).toBe(true);
  expect(texts).toEqual([]);
});

test('a server that has shown no word is waited for until it shows one, though it may never have stored the others', async () => {
  const typed = ['[0.1]', '[0.2]'].map((word) => ({ word, typedMs: 0, acknowledgedMs: null, seenMs: null }));
  const texts = ['\n', '\n', '[0.1] \n'];
  const read = async () => texts.shift()!;
  const awaited = awaitedWords({ before: '', shown: '\n', typed });
  expect(await untilWhole(read, { before: '', ...awaited, limitMs: 2000, signal })).toBe(true);
  expect(texts).toEqual([]);
  // Of one that did show some, those are waited for; and a text of before tells, too, that all is loaded.
  expect(awaitedWords({ before: '', shown: '[0.1] \n', typed })).toEqual({ words: ['[0.1]'] });
  expect(awaitedWords({ before: 'x\n', shown: 'x\n', typed })).toEqual({ words: [] });
});

test('it is not waited for longer than the limit, and not at all if nothing stood there', async () => {
  expect(await untilWhole(async () => 'as it\n', { before: 'as it was\n', limitMs: 50, signal })).toBe(false);
  expect(await untilWhole(() => Promise.reject(new Error('asked')), { before: '', limitMs: 50, signal })).toBe(true);
});
