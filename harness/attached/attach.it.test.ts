import { expect, test, vi } from 'vitest';
import { NoQuill } from '../../editors/base/noquill/noquill.ts';
import { client } from '../../editors/sharedb/client.ts';
import type { Framework } from '../../frameworks/framework.ts';
import { proveAttachable, Refusals } from './attach.ts';
import { SERVER_READ_ONLY, SERVER_REFUSED } from './refusals.ts';
import { startShareDb, startWebSockets } from './test-data/foreign-servers.ts';

const speaks = (protocol: string) =>
  ({ name: 'some', about: { attaches: { protocol, documentIn: 'messages' } } }) as Framework;
const ways = {
  headers: [],
  token: null,
  ca: null,
  joinEveryMs: 0,
  pid: null,
  container: null,
  metrics: null,
  series: [],
};
const authenticated = Uint8Array.from([1, 100, 2, 2, 10, ...Buffer.from('read-write')]);

test('a document of which the server says nothing is not written into, unless that is asked for', async () => {
  // It lets in whoever comes, and never sends the document: an authenticated frame of "d".
  const server = await startWebSockets((socket) => socket.send(authenticated));
  const at = { framework: 'some', url: `ws://127.0.0.1:${server.port}`, ...ways };
  const proved = (protocol: string, { write = false, isNamed = false }) =>
    proveAttachable({ ...at, write }, speaks(protocol), { document: 'd', isNamed });
  await expect(proved('hocuspocus', {})).rejects.toThrow('the document d could not be proved empty');
  await expect(proved('hocuspocus', { write: true })).resolves.toBe(0);
  // A protocol of somebody's own: a fresh name is new, of another nobody knows.
  await expect(proved('own', {})).resolves.toBe(0);
  await expect(proved('own', { isNamed: true })).rejects.toThrow('d cannot be proved empty, as the protocol of some');
  await server.stop();
});

test('three refusals of a server end a run, or one after which it is gone, or if it takes no edit', async () => {
  const verdict = (code: string) => ({ reasons: [{ code, message: 'so it is' }] });
  const refusals = new Refusals();
  const isThere = vi.fn(async () => {});
  const heed = (url: string, code = SERVER_REFUSED) => refusals.heed(url, verdict(code), isThere);
  for (const url of ['ws://a', 'ws://b', 'ws://a', 'ws://b']) await heed(url);
  await heed('ws://a', 'client-lost');
  expect(isThere).toHaveBeenCalledTimes(4);
  const message = 'ws://b refused 3 trials, the last so: so it is';
  await expect(heed('ws://b')).rejects.toMatchObject({ exitCode: 3, message });
  const readOnly = new Refusals().heed('ws://a', verdict(SERVER_READ_ONLY), isThere);
  await expect(readOnly).rejects.toThrow('ws://a refused the trial: so it is');
  const gone = new Refusals().heed('ws://a', verdict(SERVER_REFUSED), () => Promise.reject(new Error('it is gone')));
  await expect(gone).rejects.toThrow('it is gone');
});

test('of users who begin a document at the same time, at a server that has none, all get one', async () => {
  const { port, stop } = await startShareDb({ delayMs: 20 });
  const onLost = vi.fn();
  const joinAll = (documentId: string) =>
    Promise.all(
      Array.from({ length: 4 }, () =>
        client.join({
          ...{ url: `ws://127.0.0.1:${port}`, documentId, editor: new NoQuill(), onLost, onReconnected: () => {} },
          batching: { receiveMs: 0, sendMs: 0 },
        }),
      ),
    );
  for (let document = 0; document < 3; document++) {
    for (const replica of await joinAll(`document-${document}`)) await replica.leave();
  }
  expect(onLost.mock.calls).toEqual([]);
  await stop();
});
