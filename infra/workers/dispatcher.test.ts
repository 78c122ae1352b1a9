import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createToken } from '../channel/token.ts';
import { type Job, LOOPBACK } from '../fleet.ts';
import { type Hub, type Leaving, startHub } from './dispatcher.ts';
import { type HandSettings, handSettings } from './environment.ts';
import { type HandEnd, runHand } from './worker.ts';

let root: string;
let hub: Hub;
let left: Leaving[];
const never = new AbortController().signal;
/** Every hand that a test started, so that none outlives it. */
let hands: { interrupt: AbortController; ended: Promise<HandEnd> }[];

beforeEach(async () => {
  left = [];
  hands = [];
  root = await mkdtemp(join(tmpdir(), 'hub-test-'));
  await mkdir(join(root, 'jobs'));
  await writeFile(
    join(root, 'jobs/report.ts'),
    `import { writeFileSync } from 'node:fs';
     writeFileSync('reported', JSON.stringify({ args: process.argv.slice(2), environment: process.env }));`,
  );
  await writeFile(join(root, 'jobs/fall.ts'), `console.error('the roof fell in'); process.exit(7);`);
  await writeFile(
    join(root, 'jobs/wait.ts'),
    `import { appendFileSync, writeFileSync } from 'node:fs';
     writeFileSync(process.env.TMPDIR + '/left-behind', '');
     process.on('SIGTERM', () => { appendFileSync('flushed', process.pid + '\\n'); process.exit(0); });
     setInterval(() => {}, 1000);
     // Said last: from here on it hears a SIGTERM.
     appendFileSync('waiting', process.pid + '\\n');`,
  );
  hub = await startHub({ host: '127.0.0.1', events: { onLeft: (_hand, why) => left.push(why) } });
});
afterEach(async () => {
  for (const { interrupt } of hands) interrupt.abort();
  await Promise.all(hands.map(({ ended }) => ended));
  await hub.close();
  await rm(root, { recursive: true });
});

function startHand(settings: Partial<HandSettings> = {}, silenceMs?: number) {
  const interrupt = new AbortController();
  const ended = runHand({
    settings: {
      hub: `ws://127.0.0.1:${hub.port}`,
      readToken: async () => hub.token,
      role: 'users',
      group: null,
      name: 'hand',
      address: null,
      deadlineMs: Number.POSITIVE_INFINITY,
      ...settings,
    },
    root,
    interrupted: interrupt.signal,
    silenceMs,
  });
  hands.push({ interrupt, ended });
  return { interrupt, ended };
}

const job = (entry: string, more: Partial<Job> = {}): Job => ({
  name: 'users',
  entry: `jobs/${entry}.ts`,
  arguments: [],
  copies: 1,
  environment: {},
  ...more,
});
const openFleet = () => hub.fleet({ name: 'test', network: LOOPBACK });
const linesOf = async (file: string) =>
  (await readFile(join(root, file), 'utf8').catch(() => '')).split('\n').filter(Boolean);
async function untilLines(file: string, count: number) {
  while ((await linesOf(file)).length < count) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('hub and hands', () => {
  test('a job runs with its arguments and environment, without the secrets of its hand, and the hand is idle again', async () => {
    process.env.SCRIPTORIUM_TOKEN = hub.token;
    startHand();
    await hub.untilIdle([{ role: 'users', count: 1 }], never);
    const fleet = openFleet();
    const { addresses, failed } = await fleet.launch(
      job('report', { arguments: ['--users', '1'], environment: { GREETING: 'hello' } }),
    );
    expect(addresses).toEqual(['127.0.0.1']);
    expect(await failed).toBeNull();
    delete process.env.SCRIPTORIUM_TOKEN;
    const { args, environment } = JSON.parse(await readFile(join(root, 'reported'), 'utf8'));
    expect(args).toEqual(['--users', '1']);
    expect(environment.GREETING).toBe('hello');
    expect(JSON.stringify(environment)).not.toContain(hub.token);
    expect(await readdir(environment.TMPDIR).catch(() => 'removed')).toBe('removed');
    expect(hub.hands.map(({ busy }) => busy)).toEqual([false]);
    await fleet.stop();
  });

  test('jobs go to idle hands of their role and group; for one too many there is a sentence', async () => {
    startHand({ group: 'north', name: 'n' });
    startHand({ group: 'south', name: 's', address: '10.0.0.7' });
    startHand({ role: 'server', name: 'server' });
    await hub.untilIdle(
      [
        { role: 'users', group: 'north', count: 1 },
        { role: 'users', group: 'south', count: 1 },
        { role: 'server', count: 1 },
      ],
      never,
    );
    expect(hub.lacking({ role: 'users', group: 'north', count: 3 })).toBe(2);
    const fleet = openFleet();
    const { addresses } = await fleet.launch(job('wait', { group: 'south' }));
    expect(addresses).toEqual(['10.0.0.7']);
    const second = await fleet.launch(job('wait', { group: 'south' }));
    expect(second.addresses).toEqual([]);
    expect(await second.failed).toBe('the users process could not be started: no container in south is free for it');
    await fleet.stop();
  });

  test('stop ends jobs so that they can hand in, and the next fleet gets the same hands', async () => {
    startHand();
    startHand();
    await hub.untilIdle([{ role: 'users', count: 2 }], never);
    const fleet = openFleet();
    const { failed } = await fleet.launch(job('wait', { copies: 2 }));
    await untilLines('waiting', 2);
    await fleet.stop();
    await fleet.stop();
    expect(await failed).toBeNull();
    expect((await linesOf('flushed')).sort()).toEqual((await linesOf('waiting')).sort());
    for (const pid of await linesOf('waiting')) expect(() => process.kill(Number(pid), 0)).toThrow(/ESRCH/);
    expect(hub.lacking({ role: 'users', count: 2 })).toBe(0);
  });

  test('a job that ends badly is told with its last words', async () => {
    startHand({ name: 'c0ffee' });
    await hub.untilIdle([{ role: 'users', count: 1 }], never);
    const { failed } = await openFleet().launch(job('fall'));
    expect(await failed).toBe('the users process on c0ffee ended with exit code 7:\nthe roof fell in');
  });

  test('an interrupted hand says so first, lets its job hand in, and goes', async () => {
    const { interrupt, ended } = startHand({ name: 'spot' });
    await hub.untilIdle([{ role: 'users', count: 1 }], never);
    const { failed } = await openFleet().launch(job('wait'));
    await untilLines('waiting', 1);
    interrupt.abort();
    expect(await failed).toMatch(/users process on spot was interrupted: .*SIGTERM/);
    expect(await ended).toBe('interrupted');
    expect(await linesOf('flushed')).toHaveLength(1);
    expect(hub.lacking({ role: 'users', count: 1 })).toBe(1);
    expect(left).toEqual(['interrupted']);
  });

  test('a hand ends at its deadline, also in the middle of a job', async () => {
    const { ended } = startHand({ deadlineMs: Date.now() + 700 });
    await hub.untilIdle([{ role: 'users', count: 1 }], never);
    const { failed } = await openFleet().launch(job('wait'));
    await untilLines('waiting', 1);
    expect(await failed).toMatch(/hard deadline/);
    expect(await ended).toBe('deadline');
    expect(await linesOf('flushed')).toHaveLength(1);
  });

  test('all go when the run is over, also who comes late', async () => {
    const early = startHand();
    await hub.untilIdle([{ role: 'users', count: 1 }], never);
    await hub.dismiss(5000);
    expect(await early.ended).toBe('over');
    expect(await startHand().ended).toBe('over');
  });

  test('a job whose hub is gone is ended, and its hand goes when it has heard nothing for so long', async () => {
    const { ended } = startHand({}, 1500);
    await hub.untilIdle([{ role: 'users', count: 1 }], never);
    await openFleet().launch(job('wait'));
    await untilLines('waiting', 1);
    await hub.close();
    await untilLines('flushed', 1);
    expect(await ended).toBe('silence');
  });

  test('a hub that says nothing is silent, though the connection stands', async () => {
    const mute = createServer();
    mute.listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as { port: number };
    expect(await startHand({ hub: `ws://127.0.0.1:${port}` }, 600).ended).toBe('silence');
    mute.close();
  });

  test('a connection that breaks in a job is told, and the hand comes again', async () => {
    const { ended } = startHand();
    await hub.untilIdle([{ role: 'users', count: 1 }], never);
    const { failed } = await openFleet().launch(job('wait'));
    await untilLines('waiting', 1);
    const { port, token } = hub;
    await hub.close();
    expect(await failed).toMatch(/was lost: its connection to the hub ended/);
    hub = await startHub({ host: '127.0.0.1', port, token });
    await hub.untilIdle([{ role: 'users', count: 1 }], never);
    await hub.dismiss(5000);
    expect(await ended).toBe('over');
  });

  test('a hand that answers no ping is given up, with its job', async () => {
    await hub.close();
    hub = await startHub({ host: '127.0.0.1', heartbeat: { periodMs: 20, silenceMs: 100 } });
    const headers = { authorization: `Bearer ${hub.token}` };
    const frozen = new WebSocket(`ws://127.0.0.1:${hub.port}`, { headers, autoPong: false });
    const limits = { cpus: null, memoryMiB: null };
    const self = { role: 'users', group: null, name: 'frozen', address: '127.0.0.1', limits };
    frozen.on('open', () => frozen.send(JSON.stringify({ type: 'hello', ...self })));
    await hub.untilIdle([{ role: 'users', count: 1 }], never);
    const { failed } = await openFleet().launch(job('wait'));
    expect(await failed).toMatch(/users process on frozen was lost/);
    expect(hub.hands).toEqual([]);
  });

  test('without the token nobody gets in, and a hand that has another gives up', async () => {
    expect(await startHand({ readToken: async () => createToken() }, 600).ended).toBe('silence');
    expect(await startHand({ readToken: () => readFile(join(root, 'no-such-file'), 'utf8') }, 600).ended).toBe(
      'silence',
    );
    const socket = new WebSocket(`ws://127.0.0.1:${hub.port}`);
    const [error] = await once(socket, 'error');
    expect(error.message).toContain('403');
    expect(hub.hands).toEqual([]);
  });

  test('who breaks off while it is refused harms nobody', async () => {
    const socket = createConnection(hub.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    setTimeout(() => socket.resetAndDestroy(), 20);
    await once(socket, 'close');
    // Were it not dealt with, the error would be nobody's, and the test run's end.
    startHand();
    await expect.poll(() => hub.hands).toHaveLength(1);
  });

  test.each([
    ['something else', '{"type":"job"}'],
    ['an end before a hello', '{"type":"ended","job":0,"code":0,"signal":null,"lastWords":""}'],
  ])('who says %s is cut off', async (_what, text) => {
    const headers = { authorization: `Bearer ${hub.token}` };
    const socket = new WebSocket(`ws://127.0.0.1:${hub.port}`, { headers });
    socket.on('open', () => socket.send(text));
    const [code] = await once(socket, 'close');
    expect(code).toBe(1008);
    expect(hub.hands).toEqual([]);
  });
});

describe('settings of a hand', () => {
  test('every variable that is wrong is named', () => {
    expect(() => handSettings({ SCRIPTORIUM_HUB: 'http://x', SCRIPTORIUM_DEADLINE: 'soon' })).toThrow(
      /SCRIPTORIUM_HUB must hold .*SCRIPTORIUM_ROLE must hold .*SCRIPTORIUM_DEADLINE must hold/,
    );
    expect(() => handSettings({ SCRIPTORIUM_HUB: 'ws://x:1', SCRIPTORIUM_ROLE: 'users' })).toThrow(/SCRIPTORIUM_TOKEN/);
  });

  test('what Compose passes as empty is not set', async () => {
    await writeFile(join(root, 'token'), 'from-the-file\n');
    const settings = handSettings({
      SCRIPTORIUM_HUB: 'ws://coordinator:7070',
      SCRIPTORIUM_ROLE: 'server',
      SCRIPTORIUM_TOKEN: '',
      SCRIPTORIUM_TOKEN_FILE: join(root, 'token'),
      SCRIPTORIUM_DEADLINE: '2026-01-01T00:00:00Z',
    });
    expect(await settings.readToken()).toBe('from-the-file');
    expect(settings).toMatchObject({ group: null, address: null, deadlineMs: Date.UTC(2026, 0, 1) });
  });
});
