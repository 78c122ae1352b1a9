/** A power of Hocuspocus alone: it refuses a document over an open connection. */
import { Hocuspocus } from '@hocuspocus/server';
import { expect, test } from 'vitest';
import { client } from '../../editors/yjs-hocuspocus/client.ts';
import { serveUsers } from '../../tests/served-users.ts';
import { frameworkServer } from '../listen.ts';
import { serveOn } from './server.ts';

test('a server that refuses the document fails the joining, with its reason', async () => {
  const refusing = new Hocuspocus({ quiet: true, onAuthenticate: () => Promise.reject({ reason: 'not for you' }) });
  const server = frameworkServer((connections) => {
    serveOn(connections, refusing);
    return null;
  });
  const served = await serveUsers({ client, server });
  await expect(served.join()).rejects.toThrow('the yjs-hocuspocus server does not give the document out: not for you');
  await served.close();
});
