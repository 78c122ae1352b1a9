import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const bench = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { timeout: 60_000 });

test('the help names the options, and a wrong one is told without a stack, before anything is measured', async () => {
  expect((await bench('--help')).stdout).toMatch(/--only <part>.*--measure <time>/s);
  for (const wrong of [['--only', 'x'], ['--measure', '5'], ['--nonsense']]) {
    const { stdout, stderr } = await bench(...wrong).catch((error: { stdout: string; stderr: string }) => error);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: .*\n$/);
  }
});
