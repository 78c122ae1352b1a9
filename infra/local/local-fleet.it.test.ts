import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processName } from '../../results/run-folder/process-name.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { CUT_OFF_EXIT_CODE } from '../fleet.ts';
import { localFleet } from './local-fleet.ts';

const root = folderOfEachTest();

async function readyFleet() {
  const fleet = localFleet(root.path);
  await fleet.ready([]);
  return fleet;
}

const job = (entry: string) => ({ name: 'test', entry, arguments: [], environment: {} });

test('ends every process, also one that ignores SIGTERM politely, and removes its temporary folder', async () => {
  await root.put(
    'wait.mjs',
    `import { appendFileSync } from 'node:fs';
     appendFileSync('started', process.pid + ' ' + process.env.TMPDIR + '\\n');
     setInterval(() => {}, 1000);`,
  );
  const fleet = await readyFleet();
  const launched = [await fleet.launch(job('wait.mjs')), await fleet.launch(job('wait.mjs'))];
  let started: string[] = [];
  while (started.length < 2) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    started = (await readFile(root.in('started'), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);
  }
  await fleet.stop();
  await fleet.stop();
  for (const { failed } of launched) expect(await failed).toBeNull();
  for (const line of started) {
    const [pid, folder] = line.split(' ');
    expect(() => process.kill(Number(pid), 0)).toThrow(/ESRCH/);
    await expect(readFile(folder!)).rejects.toThrow(/ENOENT/);
  }
});

test('removes what a fleet left behind whose process was killed, and nothing else', async () => {
  // No process has this number: Linux's largest is 4,194,304.
  const orphan = join(tmpdir(), `scriptorium-${processName(99999999)}-x`);
  const other = await mkdtemp(join(tmpdir(), `scriptorium-${processName()}-`));
  await mkdir(orphan, { recursive: true });
  await (await readyFleet()).stop();
  await expect(stat(orphan)).rejects.toThrow(/ENOENT/);
  expect((await stat(other)).isDirectory()).toBe(true);
  await rm(other, { recursive: true });
});

test('a process that ends badly is reported with its last words', async () => {
  await root.put('fall.mjs', `console.error('the roof fell in'); process.exit(7);`);
  const fleet = await readyFleet();
  const { failed } = await fleet.launch(job('fall.mjs'));
  expect(await failed).toEqual({
    text: expect.stringMatching(/test process ended with exit code 7[\s\S]*the roof fell in/),
    of: 'process',
  });
  await fleet.stop();
});

test('a process that has no connection is told from one that failed', async () => {
  await root.put('lose.mjs', `console.error('hung up'); process.exit(${CUT_OFF_EXIT_CODE});`);
  const fleet = await readyFleet();
  const { failed } = await fleet.launch(job('lose.mjs'));
  expect(await failed).toEqual({
    text: 'the test process has no connection to the coordinator:\nhung up',
    of: 'connection',
  });
  await fleet.stop();
});

test('serves one trial after the other, each in a folder of its own', async () => {
  await root.put('say.mjs', `console.error(process.env.TMPDIR); process.exit(1);`);
  const fleet = localFleet(root.path);
  const ends: (string | undefined)[] = [];
  for (let trial = 0; trial < 2; trial++) {
    await fleet.ready([]);
    ends.push((await (await fleet.launch(job('say.mjs'))).failed)?.text);
    await fleet.stop();
  }
  expect(ends[0]).toContain(`scriptorium-${process.pid}-`);
  expect(ends[1]).toContain(`scriptorium-${process.pid}-`);
  expect(ends[1]).not.toBe(ends[0]);
});
