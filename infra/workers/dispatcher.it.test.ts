import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { folderOfEachTest } from '../../tests/folders.ts';
import { sealOfCaller } from '../channel/seal.ts';
import { createToken } from '../channel/token.ts';
import { type Job, LOOPBACK } from '../fleet.ts';
import { type Dispatcher, startDispatcher } from './dispatcher.ts';
import type { WorkerSettings } from './environment.ts';
import { runWorker, type WorkerEnd } from './worker.ts';

const root = folderOfEachTest();
let dispatcher: Dispatcher;
const never = new AbortController().signal;
/** Every worker that a test started, so that none outlives it. */
let workers: { interrupt: AbortController; ended: Promise<WorkerEnd> }[];

beforeEach(async () => {
  workers = [];
  await root.put(
    'jobs/report.ts',
    `import { writeFileSync } from 'node:fs';
     writeFileSync('reported', JSON.stringify({ args: process.argv.slice(2), environment: process.env }));`,
  );
  await root.put('jobs/fall.ts', `console.error('the roof fell in'); process.exit(7);`);
  await root.put(
    'jobs/wait.ts',
    `import { appendFileSync, writeFileSync } from 'node:fs';
     writeFileSync(process.env.TMPDIR + '/left-behind', '');
     process.on('SIGTERM', () => { appendFileSync('flushed', process.pid + '\\n'); process.exit(0); });
     setInterval(() => {}, 1000);
     // Said last: from here on it hears a SIGTERM.
     appendFileSync('waiting', process.pid + '\\n');`,
  );
  dispatcher = await startDispatcher({ host: '127.0.0.1' });
});
afterEach(async () => {
  for (const { interrupt } of workers) interrupt.abort();
  await Promise.all(workers.map(({ ended }) => ended));
  await dispatcher.close();
});

function startTestWorker(settings: Partial<WorkerSettings> = {}, silenceMs?: number, say?: (text: string) => void) {
  const interrupt = new AbortController();
  const ended = runWorker({
    settings: {
      dispatcher: `ws://127.0.0.1:${dispatcher.port}`,
      readToken: async () => dispatcher.token,
      role: 'users',
      group: null,
      name: 'worker',
      address: null,
      deadlineMs: Number.POSITIVE_INFINITY,
      ...settings,
    },
    root: root.path,
    interrupted: interrupt.signal,
    silenceMs,
    say,
  });
  workers.push({ interrupt, ended });
  return { interrupt, ended };
}

/** A caller that knows the token, and says this first. */
function callerWho(says: string, options: { autoPong?: boolean } = {}): WebSocket {
  const headers = { authorization: `Bearer ${dispatcher.token}` };
  const known = { ...sealOfCaller(dispatcher.token), headers, ...options };
  const socket = new WebSocket(`wss://127.0.0.1:${dispatcher.port}`, known);
  return socket.on('open', () => socket.send(says));
}

const helloOf = (name: string) =>
  JSON.stringify({
    ...{ type: 'hello', role: 'users', group: null, name, address: '127.0.0.1' },
    limits: { cpus: null, memoryMiB: null },
  });

const job = (entry: string, more: Partial<Job> = {}): Job => ({
  name: 'users',
  entry: `jobs/${entry}.ts`,
  arguments: [],
  environment: {},
  ...more,
});
const openFleet = () => dispatcher.fleet({ network: LOOPBACK });
const linesOf = async (file: string) =>
  (await readFile(root.in(file), 'utf8').catch(() => '')).split('\n').filter(Boolean);
async function untilLines(file: string, count: number) {
  while ((await linesOf(file)).length < count) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('dispatcher and workers', () => {
  test('a job runs with its arguments and environment, without the secrets of its worker, and the worker is idle again', async () => {
    process.env.SCRIPTORIUM_TOKEN = dispatcher.token;
    startTestWorker();
    await dispatcher.untilIdle([{ role: 'users', count: 1 }], never);
    const fleet = openFleet();
    const { address, failed } = await fleet.launch(
      job('report', { arguments: ['--users', '1'], environment: { GREETING: 'hello' } }),
    );
    expect(address).toBe('127.0.0.1');
    expect(await failed).toBeNull();
    delete process.env.SCRIPTORIUM_TOKEN;
    const { args, environment } = JSON.parse(await readFile(root.in('reported'), 'utf8'));
    expect(args).toEqual(['--users', '1']);
    expect(environment.GREETING).toBe('hello');
    expect(JSON.stringify(environment)).not.toContain(dispatcher.token);
    expect(await readdir(environment.TMPDIR).catch(() => 'removed')).toBe('removed');
    expect(dispatcher.workers.map(({ busy }) => busy)).toEqual([false]);
    await fleet.stop();
  });

  test('jobs go to idle workers of their role and group; for one too many there is a sentence', async () => {
    startTestWorker({ group: 'north', name: 'n' });
    startTestWorker({ group: 'south', name: 's', address: '10.0.0.7' });
    startTestWorker({ role: 'server', name: 'server' });
    await dispatcher.untilIdle(
      [
        { role: 'users', group: 'north', count: 1 },
        { role: 'users', group: 'south', count: 1 },
        { role: 'server', count: 1 },
      ],
      never,
    );
    expect(dispatcher.shortfall({ role: 'users', group: 'north', count: 3 })).toBe(2);
    const fleet = openFleet();
    const { address } = await fleet.launch(job('wait', { group: 'south' }));
    expect(address).toBe('10.0.0.7');
    const second = await fleet.launch(job('wait', { group: 'south' }));
    expect(second.address).toBeNull();
    expect(await second.failed).toEqual({
      text: 'the users process could not be started: no container in south is free for it',
      of: 'machine',
    });
    await fleet.stop();
  });

  test('stop ends jobs so that they can hand in, and the next fleet gets the same workers', async () => {
    startTestWorker();
    startTestWorker();
    await dispatcher.untilIdle([{ role: 'users', count: 2 }], never);
    const fleet = openFleet();
    const launched = [await fleet.launch(job('wait')), await fleet.launch(job('wait'))];
    await untilLines('waiting', 2);
    await fleet.stop();
    await fleet.stop();
    for (const { failed } of launched) expect(await failed).toBeNull();
    expect((await linesOf('flushed')).sort()).toEqual((await linesOf('waiting')).sort());
    for (const pid of await linesOf('waiting')) expect(() => process.kill(Number(pid), 0)).toThrow(/ESRCH/);
    expect(dispatcher.shortfall({ role: 'users', count: 2 })).toBe(0);
  });

  test('a job that ends badly is told with its last words', async () => {
    startTestWorker({ name: 'c0ffee' });
    await dispatcher.untilIdle([{ role: 'users', count: 1 }], never);
    const { failed } = await openFleet().launch(job('fall'));
    expect(await failed).toEqual({
      text: 'the users process on c0ffee ended with exit code 7:\nthe roof fell in',
      of: 'process',
    });
  });

  test('a job that may have wanted too much memory is told so', async () => {
    const full = callerWho(helloOf('full'));
    const end = { code: null, signal: 'SIGKILL', lastWords: '', memory: ' (memory ran out)' };
    full.on('message', () => full.send(JSON.stringify({ type: 'ended', job: 0, ...end })));
    await dispatcher.untilIdle([{ role: 'users', count: 1 }], never);
    const { failed } = await openFleet().launch(job('wait'));
    expect(await failed).toMatchObject({ text: 'the users process on full ended by SIGKILL (memory ran out)' });
  });

  test('an interrupted worker says so first, lets its job hand in, and goes', async () => {
    const { interrupt, ended } = startTestWorker({ name: 'spot' });
    await dispatcher.untilIdle([{ role: 'users', count: 1 }], never);
    const { failed } = await openFleet().launch(job('wait'));
    await untilLines('waiting', 1);
    interrupt.abort();
    expect(await failed).toEqual({
      text: expect.stringMatching(/users process on spot was interrupted: .*SIGTERM/),
      of: 'machine',
    });
    expect(await ended).toBe('interrupted');
    expect(await linesOf('flushed')).toHaveLength(1);
    expect(dispatcher.shortfall({ role: 'users', count: 1 })).toBe(1);
  });

  test('a worker ends at its deadline, also in the middle of a job', async () => {
    const { ended } = startTestWorker({ deadlineMs: Date.now() + 1500 });
    await dispatcher.untilIdle([{ role: 'users', count: 1 }], never);
    const { failed } = await openFleet().launch(job('wait'));
    await untilLines('waiting', 1);
    expect(await failed).toEqual({ text: expect.stringMatching(/hard deadline/), of: 'machine' });
    expect(await ended).toBe('deadline');
    expect(await linesOf('flushed')).toHaveLength(1);
  });

  test('all go when the run is over, also who comes late', async () => {
    const early = startTestWorker();
    await dispatcher.untilIdle([{ role: 'users', count: 1 }], never);
    await dispatcher.dismiss(5000);
    expect(await early.ended).toBe('over');
    expect(await startTestWorker().ended).toBe('over');
  });

  test('a job whose dispatcher is gone is ended, and its worker goes when it has heard nothing for so long', async () => {
    const { ended } = startTestWorker({}, 1500);
    await dispatcher.untilIdle([{ role: 'users', count: 1 }], never);
    await openFleet().launch(job('wait'));
    await untilLines('waiting', 1);
    await dispatcher.close();
    await untilLines('flushed', 1);
    expect(await ended).toBe('silence');
  });

  test('a dispatcher that says nothing is silent, though the connection stands', async () => {
    const mute = createServer();
    mute.listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as { port: number };
    expect(await startTestWorker({ dispatcher: `ws://127.0.0.1:${port}` }, 600).ended).toBe('silence');
    mute.close();
  });

  test('a connection that breaks in a job is told, and the worker comes again', async () => {
    const { ended } = startTestWorker();
    await dispatcher.untilIdle([{ role: 'users', count: 1 }], never);
    const { failed } = await openFleet().launch(job('wait'));
    await untilLines('waiting', 1);
    const { port, token } = dispatcher;
    await dispatcher.close();
    expect(await failed).toEqual({
      text: expect.stringMatching(/was lost: its connection to the dispatcher ended/),
      of: 'machine',
    });
    dispatcher = await startDispatcher({ host: '127.0.0.1', port, token });
    await dispatcher.untilIdle([{ role: 'users', count: 1 }], never);
    await dispatcher.dismiss(5000);
    expect(await ended).toBe('over');
  });

  test('a worker that answers no ping is given up, with its job', async () => {
    await dispatcher.close();
    // Long enough that a full machine gives it a job before.
    dispatcher = await startDispatcher({ host: '127.0.0.1', silenceMs: 2000 });
    callerWho(helloOf('frozen'), { autoPong: false });
    await dispatcher.untilIdle([{ role: 'users', count: 1 }], never);
    const { failed } = await openFleet().launch(job('wait'));
    expect(await failed).toEqual({ text: expect.stringMatching(/users process on frozen was lost/), of: 'machine' });
    expect(dispatcher.workers).toEqual([]);
  });

  test('without the token nobody gets in, and a worker that has another gives up', async () => {
    expect(await startTestWorker({ readToken: async () => createToken() }, 600).ended).toBe('silence');
    expect(await startTestWorker({ readToken: () => readFile(root.in('no-such-file'), 'utf8') }, 600).ended).toBe(
      'silence',
    );
    const { port, token } = dispatcher;
    const plain = new WebSocket(`ws://127.0.0.1:${port}`);
    expect((await once(plain, 'error'))[0].message).toContain('hang up');
    const unnamed = new WebSocket(`wss://127.0.0.1:${port}`, sealOfCaller(token));
    expect((await once(unnamed, 'error'))[0].message).toContain('403');
    expect(dispatcher.workers).toEqual([]);
  });

  test('another token is told of on both sides: here by address, there by what to look at', async () => {
    const refused: string[] = [];
    await dispatcher.close();
    dispatcher = await startDispatcher({
      host: '127.0.0.1',
      onRefused: (address) => refused.push(address),
    });
    const said: string[] = [];
    startTestWorker({ readToken: async () => createToken() }, undefined, (text) => said.push(text));
    await expect.poll(() => said.length).toBeGreaterThan(0);
    expect(said[0]).toBe(
      `refused by ws://127.0.0.1:${dispatcher.port}: the other end has another token, or another version of Scriptorium`,
    );
    expect(new Set(refused)).toEqual(new Set(['127.0.0.1']));
  });

  test('who listens on the way sees neither the token nor a line of the protocol', async () => {
    const seen: Buffer[] = [];
    const onTheWay = createServer((near) => {
      const far = createConnection(dispatcher.port, '127.0.0.1');
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on('data', (bytes) => seen.push(bytes));
        from.on('error', () => to.destroy());
        from.pipe(to);
      }
    });
    onTheWay.listen(0, '127.0.0.1');
    await once(onTheWay, 'listening');
    const { port } = onTheWay.address() as { port: number };
    startTestWorker({ dispatcher: `ws://127.0.0.1:${port}`, name: 'overheard' });
    await dispatcher.untilIdle([{ role: 'users', count: 1 }], never);
    const { failed } = await openFleet().launch(job('report', { environment: { GREETING: 'hello there' } }));
    expect(await failed).toBeNull();
    const heard = Buffer.concat(seen).toString('latin1');
    expect(heard.length).toBeGreaterThan(500);
    expect(heard).not.toContain(dispatcher.token);
    expect(heard).not.toMatch(/overheard|hello|GREETING|report|users|Bearer|HTTP|Upgrade|\{"type"/);
    onTheWay.close();
  });

  test('who breaks off while it is refused harms nobody', async () => {
    const socket = createConnection(dispatcher.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: dispatcher\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    setTimeout(() => socket.resetAndDestroy(), 20);
    await once(socket, 'close');
    // Were it not dealt with, the error would be nobody's, and the test run's end.
    startTestWorker();
    await expect.poll(() => dispatcher.workers).toHaveLength(1);
  });

  test.each([
    ['something else', '{"type":"job"}'],
    ['an end before a hello', '{"type":"ended","job":0,"code":0,"signal":null,"lastWords":""}'],
  ])('who says %s is cut off', async (_what, text) => {
    const socket = callerWho(text);
    const [code] = await once(socket, 'close');
    expect(code).toBe(1008);
    expect(dispatcher.workers).toEqual([]);
  });
});
