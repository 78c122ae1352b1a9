import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { isAlive } from '../../results/run-folder/process-name.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { byLine, Child, runCommand } from './child.ts';
import { readProcessStat } from './stat.ts';

const CHILD = new URL('child.ts', import.meta.url).href;
/** One that ended, and that nobody has asked after, does not. */
const isRunning = (pid: number) => isAlive(pid) && readProcessStat(pid)?.ended !== true;

const environment = { PATH: process.env.PATH };

/** A program that starts another, whose number it says last, and ends by itself after that. */
const LEAVES_ANOTHER = ['sh', '-c', 'sleep 60 & echo $! >&2; exit 3'];

/** A process with a child, which says its number and that of what the child starts. */
const HOLDER = `
  const { Child } = await import(${JSON.stringify(CHILD)});
  const { parentPort } = await import('node:worker_threads');
  const said = process.env.SAID;
  const { pid } = new Child({
    command: ['sh', '-c', 'sleep 60 & echo $! >"$0"; wait', said],
    environment: { PATH: process.env.PATH },
  });
  const { existsSync, readFileSync } = await import('node:fs');
  while (!existsSync(said) || readFileSync(said, 'utf8').trim() === '') await new Promise((go) => setTimeout(go, 10));
  const pids = [pid, Number(readFileSync(said, 'utf8'))];
  if (parentPort) parentPort.postMessage(pids);
  else console.log(JSON.stringify(pids));
  setInterval(() => {}, 1e6);`;

const folder = folderOfEachTest();
const saidFile = () => folder.in('said');

test('it ends with a holder that is killed, and so does what it started', async () => {
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER], {
    env: { ...process.env, SAID: saidFile() },
  });
  const [line] = await once(holder.stdout, 'data');
  const pids = JSON.parse(String(line)) as number[];
  expect(pids.map(isRunning)).toEqual([true, true]);
  holder.kill('SIGKILL');
  await expect.poll(() => pids.some(isRunning)).toBe(false);
});

test('it ends with a holder that is a thread', async () => {
  const holder = new Worker(new URL(`data:text/javascript,${encodeURIComponent(HOLDER)}`), {
    env: { ...process.env, SAID: saidFile() },
  });
  const [pids] = (await once(holder, 'message')) as [number[]];
  expect(pids.map(isRunning)).toEqual([true, true]);
  await holder.terminate();
  await expect.poll(() => pids.some(isRunning)).toBe(false);
});

test('a child that is killed is gone at once, with all that it started', async () => {
  const child = new Child({ command: ['sh', '-c', 'trap "" TERM; sleep 60'], environment });
  expect(isRunning(child.pid)).toBe(true);
  child.kill();
  expect(await child.ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  expect(isRunning(child.pid)).toBe(false);
  child.kill();
});

test('a child that is to stop may end in order, and is killed where it does not', async () => {
  const orderly = new Child({
    command: ['sh', '-c', 'trap "exit 7" TERM; echo up; sleep 60 & wait'],
    onOutput: () => {},
  });
  const deaf = new Child({ command: ['sh', '-c', 'trap "" TERM; echo up; sleep 60'], onOutput: () => {} });
  await Promise.all([orderly, deaf].map(({ process }) => once(process.stdout!, 'data')));
  expect(await orderly.stop()).toMatchObject({ code: 7, signal: null });
  expect(await deaf.stop(100)).toMatchObject({ code: null, signal: 'SIGKILL' });
  expect(await deaf.stop(100)).toMatchObject({ signal: 'SIGKILL' });
});

test('a signal stops it, and a limit kills it', async () => {
  const late = new Child({ command: ['sleep', '60'], limitMs: 100 });
  expect(await late.ended).toMatchObject({ signal: 'SIGKILL' });
  expect(late.isLate).toBe(true);
  const enough = new AbortController();
  const running = runCommand(['sleep', '60'], { signal: enough.signal });
  enough.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  await expect(runCommand(['sleep', '60'], { limitMs: 100 })).rejects.toThrow('sleep was not done after 0.1 s');
});

test('a command gives what it prints, or says why it failed', async () => {
  expect(await runCommand(['sh', '-c', 'cat; echo "$HOME"'], { input: 'in ', environment: { HOME: 'home' } })).toBe(
    'in home',
  );
  await expect(runCommand(['sh', '-c', 'echo why >&2; exit 3'])).rejects.toThrow('why');
  await expect(runCommand(['sh', '-c', 'exit 3'])).rejects.toThrow('it ended with exit code 3');
  await expect(runCommand(['/no/such/program'])).rejects.toMatchObject({ code: 'ENOENT' });
});

test('output is split into lines, also where it comes in pieces', async () => {
  const lines: string[] = [];
  const take = byLine((line) => lines.push(line));
  for (const text of ['a', 'b\nc\n\nd', undefined]) take(text);
  expect(lines).toEqual(['ab', 'c', '', 'd']);
});

test.each(['', 'without watcher'])('what was let go lives on, what was not does not: %s', async (how) => {
  const script = `
    import { spawn } from 'node:child_process';
    import { tether } from ${JSON.stringify(new URL('group.ts', import.meta.url).href)};
    const [freed, held] = [0, 0].map(() => spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }).pid);
    const release = tether(-freed);
    tether(-held);
    release();
    if (process.argv[1] === 'without watcher') {
      const { execFileSync } = await import('node:child_process');
      execFileSync('pkill', ['-KILL', '-P', String(process.pid), '-x', 'sh']);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    console.log(JSON.stringify([freed, held]));
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', script, how]);
  const [line] = await once(holder.stdout, 'data');
  const [freed, held] = JSON.parse(String(line)) as [number, number];
  holder.kill('SIGKILL');
  await expect.poll(() => isRunning(held)).toBe(false);
  expect(isRunning(freed)).toBe(true);
  process.kill(freed, 'SIGKILL');
});

test('how it ended by itself is its own, with its last words, and nothing is left of it', async () => {
  const { ended } = new Child({ command: LEAVES_ANOTHER, environment });
  const { code, signal, lastWords } = await ended;
  expect({ code, signal }).toEqual({ code: 3, signal: null });
  const left = Number(lastWords);
  expect(left).toBeGreaterThan(0);
  await expect.poll(() => isRunning(left)).toBe(false);
});

test('a program that is not there is named', async () => {
  const { ended } = new Child({ command: ['/no/such/program'], environment });
  expect(await ended).toMatchObject({
    code: null,
    signal: null,
    lastWords: expect.stringContaining('/no/such/program'),
  });
});

test('where no further file may be opened, that is why it could not be started, and later ones start', async () => {
  const script = `
    const { closeSync, openSync } = await import('node:fs');
    const { Child, runCommand } = await import(${JSON.stringify(CHILD)});
    const open = [];
    try {
      for (;;) open.push(openSync('/dev/null'));
    } catch {}
    const { ended } = new Child({ command: ['true'] });
    const { code, signal, lastWords } = await ended;
    const failed = await runCommand(['true']).catch((error) => error.code);
    open.forEach(closeSync);
    console.log(JSON.stringify({ code, signal, lastWords, failed, later: await runCommand(['echo', 'yes']) }));`;
  const command = ['sh', '-c', 'ulimit -n 60; exec "$0" --input-type=module --eval "$1"', process.execPath, script];
  expect(JSON.parse(await runCommand(command))).toEqual({
    ...{ code: null, signal: null, lastWords: 'spawn true EMFILE', failed: 'EMFILE', later: 'yes' },
  });
});

test('what is still said to one that has just ended is lost, and no error', async () => {
  const hears = ['--eval', 'process.on("message", () => {}); console.log("up")'];
  const child = new Child({ command: [process.execPath, ...hears], hasChannel: true, onOutput: () => {} });
  await once(child.process.stdout!, 'data');
  process.kill(child.pid, 'SIGKILL');
  // Without a turn in which this process could hear of it.
  while (isRunning(child.pid));
  for (const text of ['one', 'two', 'three']) child.process.send(text);
  expect(await child.ended).toMatchObject({ signal: 'SIGKILL' });
});

test('it gets no more of the environment than it is given', async () => {
  const command = ['sh', '-c', 'echo "$HOME:$GIVEN" >&2'];
  const { ended } = new Child({ command, environment: { ...environment, GIVEN: 'this' } });
  expect((await ended).lastWords).toBe(':this');
});
