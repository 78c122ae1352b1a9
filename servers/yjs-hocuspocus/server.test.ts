/** Powers of Hocuspocus alone: it refuses or closes a document over an open connection. */
import { Hocuspocus } from '@hocuspocus/server';
import { expect, test } from 'vitest';
import { createNoQuillScreen } from '../../editors/base/noquill/screen.ts';
import { client } from '../../editors/yjs-hocuspocus/client.ts';
import { serveUsers, until } from '../../tests/served-users.ts';
import { frameworkServer } from '../listen.ts';
import { serveOn } from './server.ts';

const serving = (hocuspocus: Hocuspocus) =>
  frameworkServer((connections) => {
    serveOn(connections, hocuspocus);
    return null;
  });

test('a server that refuses the document fails the joining, with its reason', async () => {
  const refusing = new Hocuspocus({ quiet: true, onAuthenticate: () => Promise.reject({ reason: 'not for you' }) });
  const server = serving(refusing);
  const served = await serveUsers({ client, server });
  await expect(served.join()).rejects.toThrow('the yjs-hocuspocus server does not give the document out: not for you');
  await served.close();
});

test('of a server that closes the document alone, the user is cut off, and does not come back', async () => {
  const hocuspocus = new Hocuspocus({ quiet: true });
  const server = await serving(hocuspocus).start({ host: '127.0.0.1', port: 0 });
  const told: string[] = [];
  const replica = await client.join({
    url: `ws://127.0.0.1:${server.port}`,
    documentId: 'closed',
    editor: createNoQuillScreen(null).editor,
    batching: { receiveMs: 0, sendMs: 0 },
    reconnectLimitMs: 20,
    onBroken: () => told.push('broken'),
    onReconnected: () => told.push('back'),
    onLost: (reason) => told.push(reason),
  });
  hocuspocus.closeConnections('closed');
  await until(
    () => told,
    ['broken', 'the yjs-hocuspocus server closed the connection (code 1000), and the user was not back within 0.02 s'],
  );
  await replica.leave();
  await server.stop();
});
