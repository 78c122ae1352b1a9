/** Every `./scriptorium …` that README and docs show: the command line takes it, and the launcher readies what it needs. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { EXAMPLES } from '../../cli/examples.ts';
import { createProgram } from '../../cli/program.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { readDocuments } from './documents.ts';

/** True for commands that open a Chrome: of a new one this list and the launcher must know. */
const NEEDS_CHROME: Record<string, boolean> = {
  ...{
    demo: true,
    quick: true,
    run: true,
    ci: true,
    max: true,
    campaign: true,
    check: true,
    calibrate: true,
    test: true,
  },
  // To fetch one ahead.
  install: true,
  ...{ plan: false, compare: false, sql: false, site: false, submit: false, list: false, 'new-framework': false },
  ...{ traces: false, crowd: false, doctor: false, completions: false, fargate: false, workers: false, help: false },
  // But for images of charts.
  report: false,
};

const WORD = /\s*("[^"]*"|'[^']*'|[^\s"']+)/y;
const ENDS = /^(#|\||&&?|;|>|2>|2>&1|<)/;

/** The words of a command in the shell, without quotes, up to a comment or to what is no longer the command. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  WORD.lastIndex = 0;
  for (let found = WORD.exec(line); found !== null && !ENDS.test(found[1]!); found = WORD.exec(line)) {
    words.push(found[1]!.replaceAll(/^["']|["']$/g, ''));
  }
  return words;
}

/** Those in a block are whole; those within a sentence may only name a command. */
async function documented(): Promise<{ where: string; words: string[]; isWhole: boolean }[]> {
  const pages = (await readDocuments()).filter(({ path }) => path === 'README.md' || path.startsWith('docs/'));
  const shown = pages.flatMap(({ path, text }) => {
    const joined = text.replaceAll(/\\\n\s*/g, ' ');
    const blocks = [...joined.matchAll(/^```[^\n]*\n(.*?)^```/gms)].flatMap(([, block]) => [
      ...block!.matchAll(/\.\/scriptorium (.*)/g),
    ]);
    const sentences = [...joined.replaceAll(/^```.*?^```/gms, '').matchAll(/`\.\/scriptorium ([^`]+)`/g)];
    const of = (isWhole: boolean) => (match: RegExpMatchArray) => ({ where: path, line: match[1]!, isWhole });
    return [...blocks.map(of(true)), ...sentences.map(of(false))];
  });
  const examples = Object.values(EXAMPLES)
    .flat()
    .map((line) => ({ where: 'cli/examples.ts', line, isWhole: true }));
  return [...shown, ...examples]
    .filter(({ line }) => !/\[options\]|^-|<shell>/.test(line))
    .map(({ line, ...rest }) => ({ ...rest, words: wordsOf(line) }));
}

/** @returns why the command line would refuse it; null if it would not */
async function problemOf(words: readonly string[], isWhole: boolean): Promise<string | null> {
  // Anew: an option that is given twice is refused.
  const program = await createProgram(words[0]);
  let command: Command = program.configureOutput({ writeErr() {}, outputError() {} });
  let rest = [...words];
  for (;;) {
    const next = command.commands.find((each) => each.name() === rest[0]);
    if (next === undefined) break;
    command = next;
    rest = rest.slice(1);
  }
  if (command === program) return 'there is no such command';
  try {
    const { operands, unknown } = command.parseOptions(rest);
    if (unknown.length > 0 && unknown[0] !== '--help') return `there is no ${unknown[0]}`;
    const { registeredArguments: wanted } = command;
    const least = isWhole ? wanted.filter(({ required }) => required).length : 0;
    if (operands.length < least) return 'an argument is missing';
    if (operands.length > wanted.length && wanted.at(-1)?.variadic !== true) return 'there are too many arguments';
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

test('the command line takes each', async () => {
  const all = await documented();
  expect(all.length).toBeGreaterThan(150);
  const refused: string[] = [];
  for (const { where, words, isWhole } of all) {
    const problem = await problemOf(words, isWhole);
    if (problem !== null) refused.push(`${where}: ${words.join(' ')}: ${problem}`);
  }
  expect(refused).toEqual([]);
  expect(await problemOf(['run', 'x.yaml', '--colour', 'red'], true)).toBe('there is no --colour');
  expect(await problemOf(['run'], true)).toBe('an argument is missing');
  const program = await createProgram();
  expect(program.commands.map((command) => command.name()).filter((name) => !(name in NEEDS_CHROME))).toEqual([]);
});

test.runIf(process.platform !== 'win32')(
  'on a fresh machine the launcher readies a Chrome for each that opens one',
  async () => {
    const launcher = await readFile(join(PROJECT_ROOT, 'scriptorium'), 'utf8');
    const rule = /^asks_for_help\(\).*?^}\n.*?^needs_chrome\(\).*?^}\n/ms.exec(launcher)![0];
    const all = (await documented()).filter(({ words }) => words.length > 0);
    const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
    const asked = all.map(({ words }) => `needs_chrome ${words.map(quoted).join(' ')} && echo true || echo false`);
    const { stdout } = spawnSync('sh', ['-s'], { input: `${rule}\n${asked.join('\n')}\n`, encoding: 'utf8' });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => line === 'true');
    expect(answers).toHaveLength(all.length);
    const wrong = all.filter(({ words }, index) => {
      const draws = words[0] === 'report' && words.some((word) => word === '--png' || word === '--pdf');
      return answers[index] !== ((NEEDS_CHROME[words[0]!] ?? false) || draws);
    });
    expect(wrong.map(({ words }) => words.join(' '))).toEqual([]);
  },
);
