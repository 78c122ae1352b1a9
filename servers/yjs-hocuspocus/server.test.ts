/** A power of Hocuspocus alone: it refuses a document over an open connection. */
import { createServer } from 'node:http';
import { Hocuspocus } from '@hocuspocus/server';
import { expect, test } from 'vitest';
import { NoQuill } from '../../editors/base/noquill/noquill.ts';
import { client } from '../../editors/yjs-hocuspocus/client.ts';
import { listen, webSocketsOn } from '../listen.ts';
import { serveOn } from './server.ts';

const HOST = '127.0.0.1';

test('a server that refuses the document fails the joining, with its reason', async () => {
  const http = createServer();
  const sockets = webSocketsOn(http);
  serveOn(sockets, new Hocuspocus({ quiet: true, onAuthenticate: () => Promise.reject({ reason: 'not for you' }) }));
  const refusing = await listen({ http, sockets, host: HOST, port: 0 });
  const joining = client.join({
    url: `ws://${HOST}:${refusing.port}`,
    documentId: 'document',
    editor: new NoQuill(),
    batching: { receiveMs: 0, sendMs: 0 },
    onLost: (reason) => expect.unreachable(reason),
    onReconnected: () => expect.unreachable('nothing broke'),
  });
  await expect(joining).rejects.toThrow('the yjs-hocuspocus server does not give the document out: not for you');
  await refusing.stop();
});
