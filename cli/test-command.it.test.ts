import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { PROJECT_ROOT } from '../infra/project.ts';
import { folderOfEachTest } from '../tests/folders.ts';

const folder = folderOfEachTest();

test('nothing stays of tests that Ctrl-C ends, which do not clear up themselves', async () => {
  const long = 'harness/trial/trial.it.test.ts';
  const command = spawn(process.execPath, ['cli/main.ts', 'test', long], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, TMPDIR: folder.path },
    stdio: 'ignore',
    // A group of its own, as a terminal's.
    detached: true,
  });
  onTestFinished(() => void command.kill('SIGKILL'));
  // Of Vitest one, and one of a test.
  await expect.poll(() => globSync('t*/*', { cwd: folder.path }).length).toBeGreaterThanOrEqual(2);
  process.kill(-command.pid!, 'SIGINT');
  await expect.poll(() => readdir(folder.path)).toEqual([]);
});
