import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { progressIn } from './command.ts';
import { FAULTS, victimOf } from './faults.ts';
import { giveOrder, type Order, takingOrders } from './orders.ts';
import { isRunning, listeningPorts, processesOf, roleOf } from './processes.ts';

const isLinux = process.platform === 'linux';

const folder = folderOfEachTest();

test('processes are told apart by what they run', () => {
  expect(roleOf('node cli/main.ts run x.yaml')).toBe('coordinator');
  expect(roleOf('node harness/server/server-main.ts yjs')).toBe('server');
  expect(roleOf('node harness/audience/main.ts --framework yjs')).toBe('audience');
  expect(roleOf('node /project/documents/storm/users-main.ts')).toBe('writers');
  expect(roleOf('node /project/documents/kept/user-main.ts')).toBe('writers');
  expect(roleOf('node /project/documents/rest/main.ts {}')).toBe('measurer');
  expect(roleOf('/bin/sh -c  while read -r change command; do')).toBe('watcher');
  expect(roleOf('/usr/lib/chromium/chromium --remote-debugging-pipe --headless')).toBe('chrome');
  expect(roleOf('/usr/lib/chromium/chromium --type=renderer --remote-debugging-pipe')).toBe('page');
  expect(roleOf('/usr/lib/chromium/chromium --type=zygote --remote-debugging-pipe')).toBe('zygote');
  expect(roleOf('/usr/lib/chromium/chromium --type=utility --utility-sub-type=storage')).toBe('other');
});

test.runIf(isLinux)('a process and its children are seen, and seen to have ended', async () => {
  const parent = spawn('sh', ['-c', 'sleep 30 & echo; wait'], { detached: true });
  await once(parent.stdout, 'data');
  const all = processesOf([parent.pid!]);
  expect(all).toHaveLength(2);
  expect(all.every(isRunning)).toBe(true);
  process.kill(-parent.pid!, 'SIGKILL');
  await once(parent, 'close');
  await expect.poll(() => all.some(isRunning)).toBe(false);
  expect(victimOf(FAULTS[0]!, all)).toBeUndefined();
});

test.runIf(isLinux)('the ports where a process listens are found', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  expect(listeningPorts([process.pid])).toContain(port);
  server.close();
  await once(server, 'close');
  expect(listeningPorts([process.pid])).not.toContain(port);
});

test('how far a run is stands in what it prints', () => {
  expect(progressIn('Running fault; watch it at http://…')).toEqual({ trial: null, phase: null });
  const lines = ['· warm-up 3 s left · 2 users', '· about 20 s to go · settle · 2 users'];
  const typing = lines.map((line) => `[1/5] yjs-node-2 trial 1 ${line}\n`).join('');
  expect(progressIn(typing)).toEqual({ trial: 'yjs-node-2-1', phase: 'settle' });
  const documents = '[1/6] yjs-updates-1, trial 1\n[2/6] string-edits-1, trial 3\n';
  expect(progressIn(documents)).toEqual({ trial: 'string-edits-1-3', phase: null });
});

/** Gives an order to a process that runs this script, once it has said that it is ready, and returns what it says then. */
async function saidAfter(order: Order, script: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, ...takingOrders(folder.path) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const said = once(child.stdout, 'data');
  const [all] = processesOf([child.pid!]);
  await giveOrder(all!, order, folder.path);
  const [text] = await said;
  child.kill('SIGKILL');
  return String(text);
}

test.runIf(isLinux)('a process that is told to has its time of day jump, and nothing else', async () => {
  const script = `
    const [date, uptime] = [Date.now(), performance.now()];
    console.log('ready');
    const timer = setInterval(() => {
      if (Date.now() - date < 3_000_000) return;
      const isDate = new Date() instanceof Date && new Date(0).getTime() === 0;
      console.log(isDate, new Date() - date > 3_000_000, performance.now() - uptime < 60_000);
      clearInterval(timer);
    }, 5);`;
  expect(await saidAfter({ do: 'step clock', byMs: 3_600_000 }, script)).toBe('true true true\n');
});

test.runIf(isLinux)('a process that is told to breaks one connection, or all', async () => {
  const errors: unknown[] = [];
  const server = createServer((socket) => {
    socket.on('error', ({ code }: NodeJS.ErrnoException) => errors.push(code));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const script = `
    import { connect } from 'node:net';
    let opened = 0;
    let closed = 0;
    for (let n = 0; n < 3; n++) {
      const socket = connect(${port}, '127.0.0.1');
      socket.on('connect', () => ++opened === 3 && console.log('ready'));
      socket.on('close', () => ++closed === 1 && setTimeout(() => console.log(closed), 200));
    }`;
  expect(await saidAfter({ do: 'cut', which: 0.5 }, script)).toBe('1\n');
  expect(errors[0]).toBe('ECONNRESET');
  expect(await saidAfter({ do: 'cut', which: 'all' }, script)).toBe('3\n');
  server.close();
});

test.runIf(isLinux)(
  'a process that is told to loses what its delay line holds, and the ends hear of it later',
  async () => {
    const heard: string[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (text) => heard.push(String(text)));
      socket.on('close', () => heard.push('broken'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const link = JSON.stringify({ oneWayDelayMs: 1500, jitterMs: 0, bandwidthBytesPerSecond: null });
    const script = `
    import { connect } from 'node:net';
    import { startDelayLine } from ${JSON.stringify(join(import.meta.dirname, '../../infra/network/delay-line.ts'))};
    import { tcpTarget } from ${JSON.stringify(join(import.meta.dirname, '../../infra/network/line-target.ts'))};
    const line = await startDelayLine({ target: tcpTarget({ host: '127.0.0.1', port: ${port} }), link: ${link}, seed: 1 });
    const socket = connect(line.port, '127.0.0.1', () => socket.write('first'));
    socket.on('error', () => {});
    let sentMs;
    socket.on('close', () => console.log(performance.now() - sentMs > 500));
    setTimeout(() => {
      socket.write('lost');
      sentMs = performance.now();
      console.log('ready');
    }, 1600);`;
    expect(await saidAfter({ do: 'lose', serverPorts: [port], forMs: 500 }, script)).toBe('true\n');
    await expect.poll(() => heard).toEqual(['first', 'broken']);
    server.close();
  },
);
