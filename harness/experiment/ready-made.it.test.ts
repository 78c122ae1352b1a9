/** Experiments that come with the project. Some name older versions of a library, which npm brings first. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadAnyExperiment } from './experiment-file.ts';

const READY_MADE = join(import.meta.dirname, '../experiments');

test('each ready-made file resolves, is called as its file, and points at the schema', async () => {
  const files = (await readdir(READY_MADE)).filter((name) => name.endsWith('.yaml') && name !== 'template.yaml');
  expect(files).toEqual(
    expect.arrayContaining(['demo.yaml', 'paper-noquill.yaml', 'paper-optquill.yaml', 'smoke.yaml']),
  );
  for (const file of files) {
    const path = join(READY_MADE, file);
    expect(await readFile(path, 'utf8')).toMatch(/^# yaml-language-server: \$schema=\.\/experiment\.schema\.json\n/);
    // With the frameworks that there really are: a ready-made file must run as it is.
    expect(`${(await loadAnyExperiment({ path })).experiment.name}.yaml`).toBe(file);
  }
});
