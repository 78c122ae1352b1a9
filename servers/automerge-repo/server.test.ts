/** Connections that break, come back, or do not: the conformance suite cannot see them. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { client } from '../../editors/automerge-repo/client.ts';
import { RECONNECT_LIMIT_MS } from '../../editors/base/binding/reconnecting.ts';
import type { Editor } from '../../editors/base/editor.ts';
import type { Replica } from '../../editors/base/framework.ts';
import { createNoQuillScreen } from '../../editors/base/noquill/screen.ts';
import { type BreakableLine, createBreakableLine } from '../../tests/breakable-line.ts';
import { loadServer, type RunningServer } from '../server.ts';

const HOST = '127.0.0.1';

interface Client {
  editor: Editor;
  replica: Replica;
  onLost: ReturnType<typeof vi.fn<(reason: string) => void>>;
  onReconnected: ReturnType<typeof vi.fn<() => void>>;
}

let server: RunningServer;
let line: BreakableLine;
let clients: Client[] = [];

beforeEach(async () => {
  server = await (await loadServer('automerge-repo')).start({ host: HOST, port: 0 });
  line = await createBreakableLine({ host: HOST, port: server.port });
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(clients.map(({ replica }) => replica.leave()));
  clients = [];
  await line.stop();
  await server.stop();
});

async function join(port: number, batching = { receiveMs: 10, sendMs: 0 }): Promise<Client> {
  const { editor } = createNoQuillScreen(null);
  const onLost = vi.fn<(reason: string) => void>();
  const onReconnected = vi.fn<() => void>();
  const url = `ws://${HOST}:${port}`;
  const replica = await client.join({ url, documentId: 'broken', editor, batching, onLost, onReconnected });
  const joined = { editor, replica, onLost, onReconnected };
  clients.push(joined);
  return joined;
}

const type = ({ editor }: Client, text: string) => editor.insertText(0, text, 'user');
const texts = () => clients.map(({ editor }) => editor.getText());

describe('a connection that breaks', () => {
  test('comes back, with what both sides typed meanwhile', async () => {
    const cutOff = await join(line.port);
    const steady = await join(server.port);
    type(cutOff, 'before ');
    await vi.waitFor(() => expect(texts()).toEqual(['before \n', 'before \n']));

    type(cutOff, 'under way ');
    line.cut();
    type(cutOff, 'mine ');
    type(steady, 'theirs ');
    line.mend();
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
    const joined = await join(server.port);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    await server.stop();
    await vi.advanceTimersByTimeAsync(RECONNECT_LIMIT_MS - 1000);
    expect(joined.onLost).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(RECONNECT_LIMIT_MS);
    expect(joined.onLost.mock.calls).toEqual([
      [expect.stringMatching(/^the automerge-repo server closed the connection .* within 10 s$/)],
    ]);
    expect(joined.onReconnected).not.toHaveBeenCalled();
  });
});

test('a server that does not listen is named', async () => {
  await server.stop();
  await expect(join(server.port)).rejects.toThrow(/no WebSocket connection to the automerge-repo server at ws:/);
});

test('what was typed last arrives, though its author leaves at once', async () => {
  const author = await join(server.port, { receiveMs: 10, sendMs: 1000 });
  const reader = await join(server.port);
  type(author, 'last words');
  await author.replica.leave();
  clients = [reader];
  await vi.waitFor(() => expect(reader.editor.getText()).toBe('last words\n'));
});
