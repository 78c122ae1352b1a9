/** The command line seen from outside its process: exit codes and streams; cli/program.test.ts has the rest. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
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
  // Packages of other versions may not be here.
  const lines = stderr
    .join('')
    .split('\n')
    .filter((line) => !line.startsWith('a run would install '));
  expect({ code, lines }).toEqual({
    code: 3,
    lines: ['scriptorium: its output: the disk is full; free some space, then give the command again', ''],
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

/** The tests themselves may run under it. */
const NO_NOHUP = { SCRIPTORIUM_NOHUP: undefined };

/** Runs a small experiment by this command, in a terminal or without. @returns its process, and all that it says */
async function startRun(directory: string, isInTerminal: boolean, environment: object = {}) {
  await folder.put('brief.yaml', 'name: brief\nframeworks: yjs\nmodes: node\nusers: 2\ntrials: 1\n');
  const command = [process.execPath, 'cli/main.ts', 'run', folder.in('brief.yaml'), '--out', directory] as const;
  const [program, ...rest] = isInTerminal ? (['script', '-qec', command.join(' '), '/dev/null'] as const) : command;
  const started = spawn(program, rest, { cwd: PROJECT_ROOT, env: { ...process.env, ...NO_NOHUP, ...environment } });
  onTestFinished(() => void started.kill('SIGKILL'));
  const said: string[] = [];
  for (const stream of [started.stdout, started.stderr])
    stream.setEncoding('utf8').on('data', (text) => said.push(text));
  return { started, said: () => said.join('') };
}

test.runIf(hasScript)('a run whose terminal is closed ends in order', async () => {
  const run = folder.in('run');
  const { started, said } = await startRun(run, true);
  await expect.poll(said).toContain(' · idle');
  expect((await readdir(run)).filter(isOwnerFile)).toHaveLength(1);
  started.kill('SIGKILL');
  await expect.poll(async () => (await readdir(run)).filter(isOwnerFile)).toEqual([]);
});

test('a run under nohup outlives its terminal', async () => {
  const { started, said } = await startRun(folder.in('run'), false, { SCRIPTORIUM_NOHUP: 'yes' });
  await expect.poll(said).toContain(' · serve');
  started.kill('SIGHUP');
  await expect.poll(said).toContain(' · idle');
  started.kill('SIGINT');
  expect(await once(started, 'exit')).toEqual([130, null]);
});

test.runIf(process.platform === 'linux')('the launcher knows of nohup', async () => {
  const files = {
    'package.json': '{ "type": "module" }',
    'package-lock.json': '{}',
    'node_modules/.package-lock.json': '{}',
  };
  const main = { 'cli/main.ts': 'console.log(process.env.SCRIPTORIUM_NOHUP);', '.scriptorium/packages': '' };
  for (const [name, text] of Object.entries({ ...files, ...main })) await folder.put(name, text);
  const stamp = 'printf "%s %s" "$(cksum <package-lock.json)" "$(uname -sm)" >.scriptorium/packages';
  const launched = (first: string) => {
    const script = `${stamp}; ${first}; exec ./scriptorium list`;
    const env = { ...process.env, ...NO_NOHUP };
    return execFileSync('env', ['--default-signal=HUP', 'sh', '-c', script], {
      cwd: folder.path,
      encoding: 'utf8',
      env,
    });
  };
  await copyFile(join(PROJECT_ROOT, 'scriptorium'), folder.in('scriptorium'));
  expect([launched('true'), launched('trap "" HUP')]).toEqual(['undefined\n', 'yes\n']);
});
