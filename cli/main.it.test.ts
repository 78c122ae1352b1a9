/** The command line seen from outside its process: exit codes and streams; cli/program.test.ts has the rest. */
import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../infra/project.ts';

function scriptorium(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { cwd: PROJECT_ROOT };
    const child = execFile(process.execPath, ['cli/main.ts', ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
    child.stdin!.end();
  });
}

test('help is for stdout, and no error', async () => {
  const { code, stdout } = await scriptorium('traces', 'add', '--help');
  expect(code).toBe(0);
  expect(stdout).toMatch(/130 +interrupted/);
});

test('what is refused is told on stderr alone, and ends the process with its code', async () => {
  const { code, stdout, stderr } = await scriptorium('run', '-');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('nothing came from the standard input');
});
