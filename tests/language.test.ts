/** The language of comments and documents: lines begin with their noun, sentences are short. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../infra/project.ts';

/** Comment lines that may still begin so. The number only falls: lower it with the lines, in the end to 0. */
const BOUND = 0;
const SHOWN = 10;

const ROOMS =
  '{results,traces,infra,editors,servers,frameworks,analysis,harness,documents,capabilities,cli,tools,tests}';
/** Such as `/** Whether …`, `-- What …`, `@returns whether …`, `@param name who …`. */
const RIDDLE =
  /^\s*(?:\/\*\*|\/\/[/!]?|\*|--)\s+(?:@(?:returns|param\s+[\w.]+)\s+)?(?:what|who|whose|whom|whether)(?:ever)?\b/i;

function riddles(): string[] {
  const files = globSync(`${ROOMS}/**/*.{ts,sql,rs,css}`, { cwd: PROJECT_ROOT }).filter(
    (path) => !/(^|\/)(node_modules|target)\/|^results\/measured\//.test(path),
  );
  return files.toSorted().flatMap((path) =>
    readFileSync(join(PROJECT_ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (RIDDLE.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

test('comment lines begin with a noun, not with what, who, whose or whether', () => {
  const found = riddles();
  const list = [`${found.length} lines, at most ${BOUND} may:`, ...found.slice(0, SHOWN)].join('\n  ');
  expect(found.length, list).toBeLessThanOrEqual(BOUND);
});

test.each([
  ['/** Whether it runs. */', true],
  ['   * whatever the mode', true],
  ['-- Whose clock it is', true],
  ['  // Who types', true],
  [' * @param keep what stays', true],
  [' * @returns whether it runs', true],
  ['/** True if it runs. */', false],
  ['/** A user who types. */', false],
  ["const text = 'what';", false],
])('%s', (line, isRiddle) => expect(RIDDLE.test(line)).toBe(isRiddle));

/** Sentences of documents that may still be longer. The number only falls: lower it with them. */
const LONG_BOUND = 17;
const LONGEST_WORDS = 25;
const MEAN_WORDS = 15;
/** Parts of a page that are no sentences. */
const NO_SENTENCES = [
  /^<!-- ([\w -]+): written by npm run docs[\s\S]*?^<!-- end of \1 -->$/gm,
  /^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm,
  /<!--[\s\S]*?-->/g,
  /!\[[^\]]*\]/g,
  /(?<=\])\([^)]*\)/g,
  /^\|.*$/gm,
];

function sentencesOf(markdown: string): string[] {
  const prose = NO_SENTENCES.reduce((text, pattern) => text.replaceAll(pattern, ''), markdown);
  const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:[-*#]|\d+\. ))/);
  return blocks.flatMap((block) =>
    block
      .trim()
      .split(/(?<=[.!?:;][*_)]*)\s+/)
      .filter(Boolean),
  );
}

const wordsOf = (sentence: string) => sentence.split(/\s+/).length;

test('sentences of documents are short', () => {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: PROJECT_ROOT })];
  const sentences = pages.flatMap((path) =>
    sentencesOf(readFileSync(join(PROJECT_ROOT, path), 'utf8')).map((text) => ({ path, text, words: wordsOf(text) })),
  );
  const long = sentences.filter(({ words }) => words > LONGEST_WORDS);
  const list = long.map(({ path, text, words }) => `${path}: ${words} words: ${text.replaceAll(/\s+/g, ' ')}`);
  expect(
    long.length,
    [`${long.length} sentences, at most ${LONG_BOUND} may:`, ...list].join('\n  '),
  ).toBeLessThanOrEqual(LONG_BOUND);
  expect(sentences.reduce((sum, { words }) => sum + words, 0) / sentences.length).toBeLessThanOrEqual(MEAN_WORDS);
});

test.each([
  ['One. Two two; three.\n\n- Four\n- five six', [1, 2, 1, 2, 3]],
  ['A [link](with/words.md) here. <!-- no word --> B', [3, 1]],
  ['| a table | of words |\n\n```\ncode here\n```\n', []],
])('sentences of %j', (markdown, counts) => expect(sentencesOf(markdown).map(wordsOf)).toEqual(counts));

/** Words that a native reader stumbles over, and the ones to take. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/i, 'again'],
  [/\bby turns\b/i, 'in turns'],
  [/\bin the end\b/i, 'at the end'],
  [/\bunlike (?:work|jobs)\b/i, 'different'],
  [/\bso many people\b/i, 'that many people'],
];

test('documents have no word that stands for another in English', () => {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: PROJECT_ROOT })];
  const found = pages.flatMap((path) =>
    sentencesOf(readFileSync(join(PROJECT_ROOT, path), 'utf8')).flatMap((text) =>
      FOREIGN.flatMap(([word, instead]) => (word.test(text) ? [`${path}: ${instead}: ${text}`] : [])),
    ),
  );
  expect(found).toEqual([]);
});
