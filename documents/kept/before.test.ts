import { expect, test } from 'vitest';
import { untilWhole } from './before.ts';

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

test('it is not waited for longer than the limit, and not at all if nothing stood there', async () => {
  expect(await untilWhole(async () => 'as it\n', { before: 'as it was\n', limitMs: 50, signal })).toBe(false);
  expect(await untilWhole(() => Promise.reject(new Error('asked')), { before: '', limitMs: 50, signal })).toBe(true);
});
