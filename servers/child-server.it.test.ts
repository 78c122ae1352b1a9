import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Child } from '../infra/process/child.ts';
import { readProcessStat } from '../infra/process/stat.ts';
import { isAlive } from '../results/run-folder/process-name.ts';
import { folderOfAllTests } from '../tests/folders.ts';
import { childServer } from './child-server.ts';
import type { FrameworkServer, RunningServer } from './server.ts';

const ROOT = join(import.meta.dirname, '..');
const TOKEN = 'secret';
const HOST = '127.0.0.1';

/** One that ended, and that nobody has asked after, does not. */
const isRunning = (pid: number) => isAlive(pid) && readProcessStat(pid)?.ended !== true;

/** A server as the documentation asks for one: it greets with what it was asked, and passes on what it is told. */
const PROGRAM = `#!/usr/bin/env node
const { WebSocketServer } = require(${JSON.stringify(createRequire(import.meta.url).resolve('ws'))});
const { spawn } = require('node:child_process');
const http = require('node:http').createServer().listen(process.argv[3]);
const server = new WebSocketServer({ server: http, perMessageDeflate: true });
const other = spawn('sleep', ['60']);
server.on('connection', (socket, { url, headers }) => {
  socket.send(JSON.stringify({ url, listens: process.argv[3], offers: headers['sec-websocket-extensions'] ?? null, pids: [process.pid, other.pid] }));
  socket.on('message', (message, isBinary) => {
    if (String(message) === 'die') {
      console.error('out of luck');
      process.exit(3);
    }
    for (const each of server.clients) if (each !== socket) each.send(message, { binary: isBinary });
  });
});
`;

const folder = folderOfAllTests();
let documented: FrameworkServer;
const running: RunningServer[] = [];
beforeAll(async () => {
  await folder.put('my-server', PROGRAM);
  await chmod(folder.in('my-server'), 0o755);
  const page = await readFile(join(ROOT, 'docs/project/adding-a-framework.md'), 'utf8');
  const [, example] = /^## A server in another language$.*?^```ts\n(.*?)^```$/ms.exec(page)!;
  await folder.put('server.ts', example!.replace('../kit.ts', join(import.meta.dirname, 'kit.ts')));
  ({ server: documented } = await import(/* @vite-ignore */ folder.in('server.ts')));
});
afterEach(() => Promise.all(running.splice(0).map((each) => each.stop())));

async function start(server = documented): Promise<RunningServer & { url: string }> {
  const started = await server.start({ host: HOST, port: 0, token: TOKEN });
  running.push(started);
  return { ...started, url: `ws://${HOST}:${started.port}/${TOKEN}` };
}

/** Ports of TCP on which a process listens: its sockets among those of the machine that are in state 0A. */
async function tcpPortsOf(pid: number): Promise<number[]> {
  const descriptors = `/proc/${pid}/fd`;
  const links = await Promise.all(
    (await readdir(descriptors)).map((name) => readlink(join(descriptors, name)).catch(() => '')),
  );
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')));
  return tables
    .flatMap((table) => table.trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && links.includes(`socket:[${inode}]`))
    .map(([, local]) => Number.parseInt(local!.split(':')[1]!, 16));
}

interface Greeting {
  url: string;
  listens: string;
  offers: string | null;
  pids: number[];
}

async function connect(url: string): Promise<{ socket: WebSocket; greeting: Greeting }> {
  const socket = new WebSocket(url);
  const [message] = await once(socket, 'message');
  return { socket, greeting: JSON.parse(String(message)) };
}

test('as the documentation has it: whoever knows the token speaks to the program, which sees nothing of it', async () => {
  const { url } = await start();
  const [one, other] = await Promise.all([connect(`${url}/document?client=1`), connect(`${url}/document`)]);
  expect(one.greeting).toMatchObject({ url: '/document?client=1', offers: null });
  const large = Buffer.alloc(3 * 2 ** 20, 7);
  one.socket.send(large);
  const [arrived] = await once(other.socket, 'message');
  expect(large.equals(arrived)).toBe(true);
  one.socket.close();
  await once(one.socket, 'close');
  expect(other.socket.readyState).toBe(WebSocket.OPEN);
});

test('nobody else gets there, and what is no WebSocket gets no further', async () => {
  const { port } = await start();
  const refused = new WebSocket(`ws://${HOST}:${port}/guess/document`);
  const [error] = await once(refused, 'error');
  expect(error.message).toContain('403');
  const statusOf = async (path: string) => {
    const [response] = await once(get(`http://${HOST}:${port}${path}`), 'response');
    response.resume();
    return response.statusCode;
  };
  expect(await statusOf('/document')).toBe(403);
  expect(await statusOf(`/${TOKEN}/document`)).toBe(426);
});

test('no other account reaches the program, and nothing of its socket is left', async () => {
  const { url, child } = await start();
  const { greeting } = await connect(url);
  const place = dirname(greeting.listens);
  const { mode, uid } = await stat(place);
  expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o700, uid: process.getuid!() });
  // As another account; only root may change its own.
  if (process.getuid!() === 0) {
    // It becomes that account once it runs: the other may not enter the folder that the program of Node lies in.
    const change = 'process.setgroups([]); process.setgid(65534); process.setuid(65534);';
    const reach = `${change} require('node:net').connect(${JSON.stringify(greeting.listens)}).on('connect', () => process.exit(0)).on('error', (error) => { console.error(error.code); process.exit(1); })`;
    const end = await new Child({ command: [process.execPath, '-e', reach] }).ended;
    expect(end).toMatchObject({ code: 1, lastWords: 'EACCES' });
  }
  if (process.platform === 'linux') expect(await tcpPortsOf(child!.pid)).toEqual([]);
  await Promise.all(running.splice(0).map((each) => each.stop()));
  expect(existsSync(place)).toBe(false);
});

test('of a process that is killed no socket is left, and no program', async () => {
  const script = `
    import { server } from ${JSON.stringify(folder.in('server.ts'))};
    const { port } = await server.start({ host: '${HOST}', port: 0, token: '${TOKEN}' });
    console.log(port);`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(holder.stdout, 'data');
  const { greeting } = await connect(`ws://${HOST}:${Number(port)}/${TOKEN}`);
  holder.kill('SIGKILL');
  await expect.poll(() => greeting.pids.some(isRunning), { timeout: 5000 }).toBe(false);
  await expect.poll(() => existsSync(dirname(greeting.listens)), { timeout: 5000 }).toBe(false);
});

test('a program that ends by itself is told of, with its last words, and its users are cut off', async () => {
  const { url, child } = await start();
  const { socket, greeting } = await connect(url);
  expect(greeting.pids[0]).toBe(child!.pid);
  const cutOff = once(socket, 'close');
  socket.send('die');
  expect(await child!.failed).toBe('ended with exit code 3:\nout of luck');
  await cutOff;
  await expect.poll(() => greeting.pids.some(isRunning)).toBe(false);
});

test('whoever stops it stops the program and what that started, and no failure is told', async () => {
  const started = await start();
  const { greeting } = await connect(started.url);
  expect(greeting.pids.map(isRunning)).toEqual([true, true]);
  let told: string | null = null;
  started.child!.failed.then((how) => {
    told = how;
  });
  await started.stop();
  await expect.poll(() => greeting.pids.some(isRunning)).toBe(false);
  expect(told).toBeNull();
});

test.each([
  ['is not there', ['/no/such/program'], /^its process could not be started: .*\/no\/such\/program/],
  [
    'ends before it listens',
    ['sh', '-c', 'echo no config >&2; exit 4'],
    'its process ended with exit code 4:\nno config',
  ],
  ['ends without a word', ['true'], 'its process ended by itself, with exit code 0'],
])('a program that %s is said to be so', async (_, command, message) => {
  await expect(start(childServer(() => ({ command })))).rejects.toThrow(message);
});

test('where the port is taken, the program is ended again', async () => {
  const { port } = await start();
  const server = childServer(({ socket }) => ({ command: [folder.in('my-server'), '--listen', socket] }));
  await expect(server.start({ host: HOST, port })).rejects.toThrow(`port ${port} on ${HOST} is taken`);
});
