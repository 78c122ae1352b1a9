/** Every `./scriptorium …` that README and docs show: the command line takes it, and the launcher readies what it needs. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { experimentPath, readyMadeNames } from '../../harness/experiment/ready-made.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { shellCommand } from '../../results/foreign-text.ts';
import { documentedCommands, NEEDS_CHROME, opensChrome } from './documented-commands.ts';

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
  const all = await documentedCommands();
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

test('a ready-made experiment is named as a command finds it', async () => {
  const names = readyMadeNames();
  const all = (await documentedCommands()).filter(({ words }) => words[0] === 'run' || words[0] === 'plan');
  const named = all.map(({ words }) => words[1] ?? '').filter((file) => names.includes(basename(file, '.yaml')));
  expect(named.length).toBeGreaterThan(20);
  for (const file of named) expect(() => experimentPath(file)).not.toThrow();
});

test('on a fresh machine the launcher readies a Chrome for each that opens one', async () => {
  const launcher = await readFile(join(PROJECT_ROOT, 'scriptorium'), 'utf8');
  const rule = /^asks_for_help\(\).*?^}\n.*?^needs_chrome\(\).*?^}\n/ms.exec(launcher)![0];
  const all = (await documentedCommands()).filter(({ words }) => words.length > 0);
  const asked = all.map(({ words }) => `${shellCommand(['needs_chrome', ...words])} && echo true || echo false`);
  const { stdout } = spawnSync('sh', ['-s'], { input: `${rule}\n${asked.join('\n')}\n`, encoding: 'utf8' });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => line === 'true');
  expect(answers).toHaveLength(all.length);
  const wrong = all.filter(({ words }, index) => answers[index] !== opensChrome(words));
  expect(wrong.map(({ words }) => words.join(' '))).toEqual([]);
});
