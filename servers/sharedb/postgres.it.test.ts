/** ShareDB over a real Postgres: all that is acknowledged stays. Several servers that share it have `servers/stores.it.test.ts`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client } from '../../editors/sharedb/client.ts';
import { findStoreProgram } from '../../infra/stores/find.ts';
import { type StoreProgram, startStoreProgram } from '../../infra/stores/program.ts';
import { folderOfAllTests } from '../../tests/folders.ts';
import { serveUsers, until } from '../../tests/served-users.ts';
import type { Backing, RunningServer } from '../server.ts';
import { server } from './server.ts';

describe.skipIf('problem' in (await findStoreProgram('postgres')))('over Postgres', () => {
  const folder = folderOfAllTests();
  let postgres: StoreProgram;
  beforeAll(async () => {
    postgres = await startStoreProgram('postgres', { folder: folder.in('store') });
  });
  afterAll(async () => {
    await postgres.stop();
  });
  const backing = (writeDelayMs = 0): Backing => ({ store: { name: 'postgres', url: postgres.url }, writeDelayMs });

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
    const served = await serveUsers({ client, server }, 'slow', backing(300));
    const { replica, editor } = await served.join();
    const beganMs = performance.now();
    editor.insertText(0, 'x', 'user');
    await until(() => replica.isAcknowledged!());
    expect(performance.now() - beganMs).toBeGreaterThan(290);
    await served.close();
  });

  test('a server lives on while its database is away', async () => {
    const served = await serveUsers({ client, server }, 'away', backing());
    const before = await served.join();
    await postgres.kill();
    await postgres.start();
    before.editor.insertText(0, 'later ', 'user');
    const after = await served.join();
    await until(() => after.editor.getText(), 'later \n');
    await served.close();
  });
});
