import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { announceRun, otherRuns } from './other-runs.ts';
import { lookAround } from './surroundings.ts';

const folder = folderOfEachTest();
beforeEach(() => void vi.stubEnv('TMPDIR', folder.path));
afterEach(() => void vi.unstubAllEnvs());

test('another run on this machine is seen while it goes on, also from a trial; one that was killed is not', async () => {
  const script = `import { announceRun } from ${JSON.stringify(join(import.meta.dirname, 'other-runs.ts'))};
    await announceRun();
    console.log('announced');
    setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  await once(other.stdout, 'data');
  {
    await using _own = await announceRun();
    expect(await otherRuns()).toEqual([other.pid]);
    expect(await lookAround({ say() {} })).toMatchObject({ otherRuns: [other.pid], isCodeOfRun: true });
    expect(await readdir(folder.path)).toHaveLength(2);
    other.kill('SIGKILL');
    await once(other, 'close');
    expect(await otherRuns()).toEqual([]);
  }
  await (await announceRun())[Symbol.asyncDispose]();
  expect(await readdir(folder.path)).toEqual([]);
});
