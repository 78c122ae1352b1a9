/** For tests: resolving experiments with a few frameworks, and the problems found in them. */
import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { expect } from 'vitest';
import type { Framework } from '../../../frameworks/framework.ts';
import { UserError } from '../../../results/user-error.ts';
import { temporaryFolder } from '../../../tests/folders.ts';
import { loadExperiment, resolveExperiment } from '../experiment-file.ts';
import { addExperimentOptions, overridesFrom } from '../experiment-options.ts';

/** As far as rules look at them, and kept here, so that nothing is installed. */
export const frameworks = [
  { name: 'yjs', about: {} },
  { name: 'plainer', about: { lacksModes: { optquill: 'It renders nothing.' } } },
  { name: 'loopback', about: { oneWriter: true } },
  {
    name: 'seeing',
    about: { presence: { by: 'its own means' }, crowd: { kind: 'recorded', why: 'It waits for nothing.' } },
  },
  { name: 'read', about: { attaches: { protocol: 'sharedb-json', documentIn: 'messages', hasReaders: true } } },
].map((framework) => ({ problem: null, ...framework })) as unknown as Framework[];
export const resolve = (input: unknown) => resolveExperiment(input, { frameworks });

const traces = ['synthetic', 'my-trace'];

/** Loads an experiment from a file with this text, with flags. */
export async function load(text: string, ...flags: string[]) {
  await using folder = await temporaryFolder();
  const path = folder.in('file.yaml');
  await writeFile(path, text);
  const command = addExperimentOptions(new Command()).exitOverride().parse(flags, { from: 'user' });
  const { experiment } = await loadExperiment({ path, overrides: overridesFrom(command.opts()), frameworks, traces });
  return experiment;
}

/** The message's lines without its first, which only counts them. */
export async function problems(run: () => unknown): Promise<string[]> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    expect(error.exitCode).toBe(2);
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
}
