import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../../results/run-folder/is-alive.ts';
import { startCalledProcess } from './called-process.ts';
import type { ServerCalls } from './calls.ts';

const SERVER = join(import.meta.dirname, 'server-main.ts');
const YJS = { framework: 'yjs', way: 'deployed', token: 'token' } as const;

function startServer(signal = new AbortController().signal) {
  const said: string[] = [];
  const server = startCalledProcess<ServerCalls>({ entry: SERVER, signal, onLost: (how) => said.push(how) });
  return { server, said };
}

test('a process does what it is called for, tells what goes wrong, and ends when it is asked to', async () => {
  const { server, said } = startServer();
  const { port } = await server.call('start', YJS);
  expect(port).toBeGreaterThan(0);
  expect(await server.call('cpuMs')).toBeGreaterThan(0);
  await expect(server.call('start', { ...YJS, framework: 'no-such' })).rejects.toThrow(
    'no framework is named "no-such"',
  );
  await server.end();
  expect(isAlive(server.pid)).toBe(false);
  expect(said).toEqual([]);
});

test('one that is killed is told of, and gives up what it was called for', async () => {
  const { server, said } = startServer();
  await server.call('cpuMs');
  const unanswered = server.call('start', YJS);
  process.kill(server.pid, 'SIGKILL');
  await expect(unanswered).rejects.toThrow('ended by SIGKILL');
  expect(said[0]).toContain('ended by SIGKILL');
  await server.end();
});

test('calls are given up when the trial ends', async () => {
  const end = new AbortController();
  const { server } = startServer(end.signal);
  const unanswered = server.call('cpuMs');
  end.abort(new Error('enough'));
  await expect(unanswered).rejects.toThrow('enough');
  expect(() => server.call('cpuMs')).toThrow('enough');
  await server.end();
});
