/** A worker that is called: what it is given, what its job says and hands in, and how it ends. */
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { createToken } from '../channel/token.ts';
import { freePort } from '../network/listen-on.ts';
import { nodeCommand, runCommand } from '../process/child.ts';
import { PROJECT_ROOT } from '../project.ts';
import { type CalledWorker, callWorker } from './called-worker.ts';
import { workerSettings } from './environment.ts';
import { runWorker, type WorkerEnd } from './worker.ts';

const token = createToken();
const root = folderOfEachTest();
let port: number;
let interrupt: AbortController;
let ended: Promise<WorkerEnd>;

beforeEach(async () => {
  await root.put(
    'jobs/hand-in.ts',
    `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
     const [given, folder] = process.argv.slice(2);
     mkdirSync(folder + '/deep', { recursive: true });
     writeFileSync(folder + '/deep/copy', readFileSync(given));
     process.on('message', (answer) => { process.send({ heard: answer, token: process.env.SCRIPTORIUM_TOKEN ?? null }); process.disconnect(); });
     process.send({ first: process.env.GREETING });
     process.send({ folder });`,
  );
  await root.put('jobs/fall.ts', `console.error('the roof fell in'); process.exit(7);`);
  port = await freePort();
  interrupt = new AbortController();
});
afterEach(async () => {
  interrupt.abort();
  await ended;
});

function startWorker(silenceMs?: number): void {
  const variables = { SCRIPTORIUM_CALLED_ON: `${port}`, SCRIPTORIUM_TOKEN: token, SCRIPTORIUM_ROLE: 'coordinator' };
  ended = runWorker({ settings: workerSettings(variables), root: root.path, interrupted: interrupt.signal, silenceMs });
}
const call = (shown = token, limitMs = 5000): Promise<CalledWorker> =>
  callWorker({ url: `ws://127.0.0.1:${port}`, token: shown, limitMs, signal: new AbortController().signal });

describe('a worker that is called', () => {
  test('gets files, runs a job with them, and passes on what it says and hands in, in order', async () => {
    startWorker();
    const worker = await call();
    const said: unknown[] = [];
    worker.onSaid = async (value) => {
      said.push(value);
      if ('folder' in (value as object)) {
        expect(await readFile(root.in('received/deep/copy'), 'utf8')).toBe('a trace');
        worker.answer({ again: false });
      }
    };
    worker.receiveInto(root.in('received'));
    await worker.run({
      entry: 'jobs/hand-in.ts',
      arguments: ['{folder}/cache/given', '{folder}/out'],
      environment: { GREETING: 'hello' },
      files: [{ path: 'cache/given', content: Buffer.from('a trace') }],
    });
    await expect.poll(() => worker.over.aborted).toBe(true);
    expect((worker.over.reason as Error).message).toBe('it ended');
    expect(said).toEqual([
      { first: 'hello' },
      { folder: expect.stringMatching(/out$/) },
      { heard: { again: false }, token: null },
    ]);
    worker.dismiss();
    expect(await ended).toBe('over');
    expect((await readdir(tmpdir())).filter((name) => name.startsWith(`scriptorium-job-${process.pid}-`))).toEqual([]);
  });

  test('tells how a job fails', async () => {
    startWorker();
    const worker = await call();
    await worker.run({ entry: 'jobs/fall.ts', arguments: [], environment: {}, files: [] });
    await expect.poll(() => worker.over.aborted).toBe(true);
    expect((worker.over.reason as Error).message).toBe('ended with exit code 7:\nthe roof fell in');
  });

  test('lets in one that knows its token, and no second one', async () => {
    startWorker();
    await call(token, 5000).then((worker) => worker.dismiss());
    expect(await ended).toBe('over');
    startWorker();
    const began = performance.now();
    await expect(call(createToken(), 60_000)).rejects.toThrow(/the other end has another token/);
    expect(performance.now() - began).toBeLessThan(10_000);
    await call();
    await expect(call(token, 100)).rejects.toThrow(/Unexpected server response|hang up/);
  });

  test('ends by itself if nobody calls', async () => {
    startWorker(600);
    expect(await ended).toBe('silence');
  });
});

test('a worker that cannot wait to be called ends, and says why', async () => {
  ended = Promise.resolve('over');
  const taken = createServer().listen(port, '0.0.0.0');
  await once(taken, 'listening');
  const environment = { SCRIPTORIUM_CALLED_ON: `${port}`, SCRIPTORIUM_TOKEN: token, SCRIPTORIUM_ROLE: 'coordinator' };
  const command = nodeCommand('infra/workers/main.ts');
  const running = runCommand(command, {
    folder: PROJECT_ROOT,
    environment: { ...process.env, ...environment },
    limitMs: 20_000,
  });
  await expect(running).rejects.toThrow('EADDRINUSE');
  taken.close();
});
