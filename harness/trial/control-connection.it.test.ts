import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { CUT_OFF_EXIT_CODE } from '../../infra/fleet.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { type ControlConnection, connectToCoordinator } from './control-connection.ts';
import { CONTROL_URL_VARIABLE } from './protocol.ts';

let coordinator: WebSocketServer;
let control: ControlConnection;
let far: WebSocket;
beforeEach(async () => {
  coordinator = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const came = new Promise<WebSocket>((resolve) => coordinator.once('connection', resolve));
  await new Promise<void>((resolve) => coordinator.once('listening', () => resolve()));
  const { port } = coordinator.address() as AddressInfo;
  control = await connectToCoordinator({ url: `ws://127.0.0.1:${port}`, user: 0 });
  far = await came;
});
afterEach(() => {
  control.close();
  far.terminate();
  coordinator.close();
});

test('the clock is measured by what the coordinator answers', async () => {
  far.on('message', (data) => {
    const message = JSON.parse(data.toString());
    if (message.type === 'time') far.send(JSON.stringify({ ...message, coordinatorMs: message.sentMs + 1000 }));
  });
  const { offsetMs, errorMs } = await control.measureClock(3);
  // The answer names the instant of asking, so the offset lacks just what the error bounds.
  expect(offsetMs + errorMs).toBeCloseTo(1000, 2);
});

test('a process whose coordinator is lost waits for no answer, and hears no more orders', async () => {
  far.on('message', (data) => {
    if (JSON.parse(data.toString()).type === 'time') far.terminate();
  });
  await expect(control.measureClock()).rejects.toThrow('the connection to the coordinator ended');
  await expect(control.measureClock()).rejects.toThrow('the connection to the coordinator ended');
  expect(await Array.fromAsync(control.orders)).toEqual([]);
  expect(control.ended.aborted).toBe(true);
});

test.each([
  ['harness/server/main.ts', []],
  ['harness/crowd/main.ts', ['--recording', 'none']],
  ['harness/users/main.ts', []],
])('%s says in a sentence that it cannot reach the coordinator', async (entry, args) => {
  // Nobody listens there.
  const url = 'ws://127.0.0.1:1/token/control';
  const child = spawn(process.execPath, [entry, '--framework', 'yjs', '--mode', 'node', ...args], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, [CONTROL_URL_VARIABLE]: url },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(CUT_OFF_EXIT_CODE);
  expect(said).toMatch(/^it could not connect to the coordinator: .+\n$/);
});
