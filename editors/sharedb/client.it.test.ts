import { expect, test } from 'vitest';
import { server } from '../../servers/sharedb/server.ts';
import { NoQuill } from '../base/noquill/noquill.ts';
import { client } from './client.ts';

test('an acknowledgement waits in no receive batch, as the next edit waits for it', async () => {
  const { port, stop } = await server.start({ host: '127.0.0.1', port: 0 });
  const join = async (receiveMs: number) => {
    const editor = new NoQuill();
    const told = { onLost: () => {}, onReconnected: () => {} };
    const at = { url: `ws://127.0.0.1:${port}`, documentId: 'document', editor };
    return { editor, replica: await client.join({ ...at, ...told, batching: { receiveMs, sendMs: 0 } }) };
  };
  const slow = await join(60_000);
  const prompt = await join(0);
  for (const [index, text] of [...'abc'].entries()) {
    slow.editor.insertText(index, text, 'user');
    await expect.poll(() => prompt.editor.getText()).toBe(`${'abc'.slice(0, index + 1)}\n`);
  }
  await Promise.all([slow.replica.leave(), prompt.replica.leave()]);
  await stop();
});
