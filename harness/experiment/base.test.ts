import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { loadExperiment } from './experiment-file.ts';
import { frameworks } from './test-data/resolving.ts';

const folder = folderOfEachTest();
const flag = (path: string, value: unknown) => ({ flag: `--${path}`, path: [path], value });

test('a base that is a folder is seen from the file; a commit, or what a flag says, stays as it is', async () => {
  const baseOf = async (base: string, ...overrides: ReturnType<typeof flag>[]) => {
    await folder.put('file.yaml', `base: ${base}`);
    const path = folder.in('file.yaml');
    return (await loadExperiment({ path, overrides, frameworks, traces: ['synthetic'] })).experiment.base;
  };
  expect(await baseOf('../other')).toBe(folder.in('../other'));
  expect(await baseOf('v1.0.0')).toBe('v1.0.0');
  expect(await baseOf('v1.0.0', flag('base', './other'))).toBe('./other');
});

test('against-itself has the project as its base, from any folder', async () => {
  const overrides = [flag('frameworks', ['yjs'])];
  const { experiment } = await loadExperiment({ path: 'against-itself', overrides, frameworks });
  expect(experiment.base).toBe(PROJECT_ROOT);
});
