/** The command line seen from outside its process: exit codes and streams; cli/program.test.ts has the rest. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { PROJECT_ROOT } from '../infra/project.ts';
import { isOwnerFile } from '../results/run-folder/run-owner.ts';
import { folderOfEachTest } from '../tests/folders.ts';

const folder = folderOfEachTest();

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

test.runIf(process.platform === 'linux')('a result that cannot be written is told in a sentence', async () => {
  const stdio = ['ignore', openSync('/dev/full', 'w'), 'pipe'] as const;
  const child = spawn(process.execPath, ['cli/main.ts', 'list', '--experiments'], {
    cwd: PROJECT_ROOT,
    stdio: [...stdio],
  });
  const [[code], stderr] = await Promise.all([once(child, 'exit'), child.stderr!.setEncoding('utf8').toArray()]);
  expect({ code, stderr: stderr.join('') }).toEqual({
    code: 3,
    stderr: 'scriptorium: its output: the disk is full; free some space, then give the command again\n',
  });
});

/** Of util-linux: gives a command a terminal. */
const hasScript = (() => {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' });
    return process.platform === 'linux';
  } catch {
    return false;
  }
})();

test.runIf(hasScript)('a run whose terminal is closed ends in order', async () => {
  await folder.put('brief.yaml', 'name: brief\nframeworks: yjs\nmodes: node\nusers: 2\ntrials: 1\n');
  const run = folder.in('run');
  const command = [process.execPath, 'cli/main.ts', 'run', folder.in('brief.yaml'), '--out', run].join(' ');
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: PROJECT_ROOT,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void terminal.kill('SIGKILL'));
  let said = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await expect.poll(() => said).toContain(' · idle');
  expect((await readdir(run)).filter(isOwnerFile)).toHaveLength(1);
  terminal.kill('SIGKILL');
  await expect.poll(async () => (await readdir(run)).filter(isOwnerFile)).toEqual([]);
});
