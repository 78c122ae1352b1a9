import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { resolveExperiment } from '../harness/experiment/experiment-file.ts';
import { scriptorium } from '../tests/command-line.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { planInTurns } from './ci-command.ts';

const folder = folderOfEachTest();

test('an earlier answer with its runs is refused before anything is built, and stays', async () => {
  await folder.put('typing/plan.json', '{}');
  await folder.put('ci.json', 'kept');
  expect(await scriptorium('ci', './mine', '--base', 'main', '--out', folder.path)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('holds an earlier answer and its runs; give another folder with --out'),
  });
  expect(await readFile(folder.in('ci.json'), 'utf8')).toBe('kept');
});

test('base and change take turns in coming first, on the same typing', () => {
  const frameworks = ['x@base', 'x'].map((name) => ({ name, about: {} }));
  const written = { frameworks: ['x@base', 'x'], modes: ['node', 'noquill'], users: 2, trials: 4 };
  const plan = planInTurns(
    { experiment: resolveExperiment(written, { frameworks }), frameworks: new Map() },
    'x@base',
    'x',
  );
  expect(new Set(plan.map(({ directory }) => directory)).size).toBe(16);
  const firsts: string[] = [];
  for (let index = 0; index < plan.length; index += 2) {
    const [one, other] = [plan[index]!, plan[index + 1]!];
    expect([one.framework, other.framework].toSorted()).toEqual(['x', 'x@base']);
    expect([one.mode, one.trial, one.seed]).toEqual([other.mode, other.trial, other.seed]);
    firsts.push(one.framework);
  }
  expect(firsts.filter((name) => name === 'x')).toHaveLength(4);
});
