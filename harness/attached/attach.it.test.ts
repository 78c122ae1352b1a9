import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Framework } from '../../frameworks/framework.ts';
import { proveAttachable } from './attach.ts';

const framework = {
  name: 'yjs-hocuspocus',
  about: { attaches: { protocol: 'hocuspocus', documentIn: 'messages' } },
} as Framework;
const ways = { headers: [], token: null, ca: null, joinEveryMs: 0, pid: null, container: null, metrics: null };

test('a document of which the server says nothing is not written into, unless that is asked for', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  // It lets in whoever comes, and never sends the document: an authenticated frame of "d".
  server.on('connection', (socket) => socket.send(Uint8Array.from([1, 100, 2, 2, 10, ...Buffer.from('read-write')])));
  await new Promise((resolve) => server.on('listening', resolve));
  const { port } = server.address() as { port: number };
  const at = { framework: 'yjs-hocuspocus', url: `ws://127.0.0.1:${port}`, ...ways };
  const proved = (write: boolean) => proveAttachable({ ...at, write }, framework, 'd');
  await expect(proved(false)).rejects.toThrow('the document d could not be proved empty');
  await expect(proved(true)).resolves.toBeUndefined();
  server.close();
});
