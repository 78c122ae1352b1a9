/** What the conformance suite cannot see: connections that break, come back, or do not. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import * as Automerge from '@automerge/automerge';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadServer } from '../../servers/load.ts';
import type { RunningServer } from '../../servers/server.ts';
import { type RichText, SEED } from '../automerge/rich-text.ts';
import { CLOSED_TOO_LARGE, RECONNECT_LIMIT_MS } from '../connection.ts';
import type { Editor } from '../editor.ts';
import type { Replica } from '../framework.ts';
import { createNoQuillScreen } from '../noquill/screen.ts';
import { client } from './client.ts';
import { watchConnection } from './reconnection.ts';
import { mergeSyncMessages } from './sync-messages.ts';

interface Desk {
  editor: Editor;
  replica: Replica;
  onLost: ReturnType<typeof vi.fn<(reason: string) => void>>;
  onReconnected: ReturnType<typeof vi.fn<() => void>>;
}

let server: RunningServer;
let proxy: Server;
let desks: Desk[] = [];
/** The connections that go through the proxy, both ends of each. */
const proxied = new Set<Socket>();

beforeEach(async () => {
  server = await (await loadServer('automerge-repo')).start({ host: '127.0.0.1', port: 0 });
  proxy = createServer((near) => {
    const far = connect(server.port, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      proxied.add(socket);
      socket.on('error', () => cut());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(desks.map(({ replica }) => replica.leave()));
  desks = [];
  cut();
  proxy.close();
  await server.stop();
});

function cut(): void {
  for (const socket of proxied) socket.destroy();
  proxied.clear();
}

async function seat(port: number, batching = { receiveMs: 10, sendMs: 0 }): Promise<Desk> {
  const { editor } = createNoQuillScreen(null);
  const onLost = vi.fn<(reason: string) => void>();
  const onReconnected = vi.fn<() => void>();
  const url = `ws://127.0.0.1:${port}`;
  const replica = await client.join({ url, documentId: 'broken', editor, batching, onLost, onReconnected });
  const desk = { editor, replica, onLost, onReconnected };
  desks.push(desk);
  return desk;
}

const proxyPort = () => (proxy.address() as { port: number }).port;
const type = ({ editor }: Desk, text: string) => editor.insertText(0, text, 'user');
const texts = () => desks.map(({ editor }) => editor.getText());

describe('a connection that breaks', () => {
  test('comes back, with what both sides typed meanwhile', async () => {
    const cutOff = await seat(proxyPort());
    const steady = await seat(server.port);
    type(cutOff, 'before ');
    await vi.waitFor(() => expect(texts()).toEqual(['before \n', 'before \n']));

    type(cutOff, 'under way ');
    cut();
    type(cutOff, 'mine ');
    type(steady, 'theirs ');
    await vi.waitFor(() => expect(cutOff.onReconnected).toHaveBeenCalledOnce(), { timeout: 8000 });
    type(cutOff, 'after ');
    await vi.waitFor(() => expect(texts()[1]).toContain('after '));
    const [mine, theirs] = texts();
    expect(mine).toBe(theirs);
    for (const words of ['before ', 'under way ', 'mine ', 'theirs ']) expect(mine).toContain(words);
    expect(cutOff.replica.contents()).toEqual(cutOff.editor.getContents());
    expect([cutOff.onLost, steady.onLost, steady.onReconnected].map(({ mock }) => mock.calls)).toEqual([[], [], []]);
  }, 15_000);

  test('is lost, once, where the server does not come back', async () => {
    const desk = await seat(server.port);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    await server.stop();
    await vi.advanceTimersByTimeAsync(RECONNECT_LIMIT_MS - 1000);
    expect(desk.onLost).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(RECONNECT_LIMIT_MS);
    expect(desk.onLost.mock.calls).toEqual([
      [expect.stringMatching(/^the automerge-repo server closed the connection .* within 10 s$/)],
    ]);
    expect(desk.onReconnected).not.toHaveBeenCalled();
  });
});

test('a message that is too large ends it at once, as it would be sent again', () => {
  const onLost = vi.fn<(reason: string) => void>();
  const document = Automerge.load<RichText>(SEED);
  const { watcher } = watchConnection({ document: () => document, onLost, onReconnected: () => {} });
  watcher.onBroken(CLOSED_TOO_LARGE);
  expect(onLost.mock.calls).toEqual([[expect.stringContaining('a message was larger than it takes')]]);
});

test('a server that does not listen is named', async () => {
  await server.stop();
  await expect(seat(server.port)).rejects.toThrow(/no WebSocket connection to the automerge-repo server at ws:/);
});

test('what was typed last arrives, though its author leaves at once', async () => {
  const author = await seat(server.port, { receiveMs: 10, sendMs: 1000 });
  const reader = await seat(server.port);
  type(author, 'last words');
  await author.replica.leave();
  desks = [reader];
  await vi.waitFor(() => expect(reader.editor.getText()).toBe('last words\n'));
});

describe('sync messages as one', () => {
  type Side = { document: Automerge.Doc<RichText>; state: Automerge.SyncState };
  const side = (): Side => ({ document: Automerge.load<RichText>(SEED), state: Automerge.initSyncState() });
  const write = (at: Side) => {
    const [state, message] = Automerge.generateSyncMessage(at.document, at.state);
    at.state = state;
    return message === null ? [] : [message];
  };
  const read = (at: Side, message: Uint8Array) => {
    [at.document, at.state] = Automerge.receiveSyncMessage(at.document, at.state, message);
  };
  const edit = (at: Side) => {
    at.document = Automerge.change(at.document, (draft) => Automerge.splice(draft, ['text'], 0, 0, 'x'));
  };

  test('bring two documents into step, whatever comes together', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ right: fc.boolean(), edits: fc.nat(2), reads: fc.boolean() })), (rounds) => {
        const sides = [side(), side()] as const;
        const inboxes: [Uint8Array[], Uint8Array[]] = [[], []];
        const turn = (index: 0 | 1, edits: number, reads: boolean) => {
          const own = sides[index];
          for (let count = 0; count < edits; count++) edit(own);
          if (reads && inboxes[index].length > 0) read(own, mergeSyncMessages(inboxes[index].splice(0)));
          inboxes[index === 0 ? 1 : 0].push(...write(own));
        };
        for (const { right, edits, reads } of rounds) turn(right ? 1 : 0, edits, reads);
        // Two messages each way are enough from any state; a wrong Bloom filter may cost one more round.
        for (let round = 0; round < 6; round++) {
          turn(0, 0, true);
          turn(1, 0, true);
        }
        expect(Automerge.getHeads(sides[0].document)).toEqual(Automerge.getHeads(sides[1].document));
        expect(inboxes).toEqual([[], []]);
      }),
      { numRuns: 50 },
    );
  });
});
