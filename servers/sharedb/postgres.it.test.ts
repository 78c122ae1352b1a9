/** ShareDB over a real Postgres, and a real Redis: all that is acknowledged stays, and several servers share it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client } from '../../editors/sharedb/client.ts';
import { findStoreProgram } from '../../infra/stores/find.ts';
import { type StoreProgram, startStoreProgram } from '../../infra/stores/program.ts';
import { serveUsers, until } from '../../tests/served-users.ts';
import type { Backing, RunningServer } from '../server.ts';
import { server } from './server.ts';

const isMissing = async (name: 'postgres' | 'redis') => 'problem' in (await findStoreProgram(name));
const [noPostgres, noRedis] = [await isMissing('postgres'), await isMissing('redis')];

describe.skipIf(noPostgres)('over Postgres', () => {
  let folder: string;
  let postgres: StoreProgram;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sharedb-'));
    postgres = await startStoreProgram('postgres', { folder: join(folder, 'store') });
  });
  afterAll(async () => {
    await postgres.stop();
    await rm(folder, { recursive: true });
  });
  const backing = (rest: Partial<Backing> = {}): Backing => ({
    store: { name: 'postgres', url: postgres.url },
    writeDelayMs: 0,
    ...rest,
  });

  /** A server in a process of its own, which can be killed. */
  async function startApart() {
    const code = `const { server } = await import(${JSON.stringify(new URL('server.ts', import.meta.url).href)});
      const { port } = await server.start({ host: '127.0.0.1', port: 0, backing: ${JSON.stringify(backing())} });
      console.log(port);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = await once(child.stdout, 'data');
    const running: RunningServer = {
      port: Number(port),
      async stop() {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      },
    };
    return running;
  }

  test('an operation that was acknowledged is there after server and database were killed', async () => {
    const served = await serveUsers({ client, server: { start: startApart } }, 'kept');
    const { replica, editor } = await served.join();
    editor.insertText(0, 'acknowledged', 'user');
    expect(replica.isAcknowledged!()).toBe(false);
    await until(() => replica.isAcknowledged!());
    await Promise.all([served.server.stop(), postgres.kill()]);
    await postgres.start();
    await served.close();

    const again = await serveUsers({ client, server: { start: startApart } }, 'kept');
    expect((await again.join()).editor.getText()).toBe('acknowledged\n');
    await again.close();
  });

  test('an operation waits before it is written, if it is to', async () => {
    const start = (options: Parameters<typeof server.start>[0]) =>
      server.start({ ...options, backing: backing({ writeDelayMs: 300 }) });
    const served = await serveUsers({ client, server: { start } }, 'slow');
    const { replica, editor } = await served.join();
    const beganMs = performance.now();
    editor.insertText(0, 'x', 'user');
    await until(() => replica.isAcknowledged!());
    expect(performance.now() - beganMs).toBeGreaterThan(290);
    await served.close();
  });

  test('a server lives on while its database is away', async () => {
    const start = (options: Parameters<typeof server.start>[0]) => server.start({ ...options, backing: backing() });
    const served = await serveUsers({ client, server: { start } }, 'away');
    const before = await served.join();
    await postgres.kill();
    await postgres.start();
    before.editor.insertText(0, 'later ', 'user');
    const after = await served.join();
    await until(() => after.editor.getText(), 'later \n');
    await served.close();
  });

  test.skipIf(noRedis)('two servers tell each other by Redis', async () => {
    const redis = await startStoreProgram('redis', { folder: join(folder, 'broker'), isBroker: true });
    const servers = await Promise.all(
      [0, 1].map((index) => {
        const together = { index, count: 2, redis: redis.url, peers: [] };
        const start = (options: Parameters<typeof server.start>[0]) =>
          server.start({ ...options, backing: backing({ together }) });
        return serveUsers({ client, server: { start } }, 'shared');
      }),
    );
    const users = await Promise.all(servers.map((served) => served.join()));
    users[0]!.editor.insertText(0, 'first ', 'user');
    users[1]!.editor.insertText(0, 'second ', 'user');
    await until(
      () => new Set(users.map(({ editor }) => editor.getText())).size === 1 && users[0]!.editor.getLength() === 14,
    );
    await Promise.all(servers.map((served) => served.close()));
    await redis.stop();
  });
});
