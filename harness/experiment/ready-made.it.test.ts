/** Experiments that come with the project. Some name older versions of a library, which npm brings first. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadAnyExperiment } from './experiment-file.ts';
import { readyMadeNames, readyMadePath } from './ready-made.ts';

test('each ready-made file resolves, is called as its file, and points at the schema', async () => {
  const names = readyMadeNames().filter((name) => name !== 'template');
  expect(names).toEqual(expect.arrayContaining(['demo', 'paper-noquill', 'paper-optquill', 'smoke']));
  for (const name of names) {
    const path = readyMadePath(name);
    expect(await readFile(path, 'utf8')).toMatch(/^# yaml-language-server: \$schema=\.\/experiment\.schema\.json\n/);
    // With the frameworks that there really are: a ready-made file must run as it is.
    expect((await loadAnyExperiment({ path })).experiment.name).toBe(name);
  }
});
