import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { download } from './store.ts';

let server: Server | undefined;
afterEach(() => server?.close());

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.json.gz`;
}

test('downloads', async () => {
  const address = await serve((_, response) => response.end('content'));
  expect(new TextDecoder().decode(await download(address))).toBe('content');
});

test('says what the server answered', async () => {
  const address = await serve((_, response) => response.writeHead(404).end());
  await expect(download(address)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/Cannot download .*a\.json\.gz: the server answered 404\. Check the network/),
  });
});

test('gives up on what is too large for a trace', async () => {
  const address = await serve((_, response) => {
    const chunk = Buffer.alloc(8 * 1024 * 1024);
    for (let sent = 0; sent <= 64; sent += 8) response.write(chunk);
    response.end();
  });
  await expect(download(address)).rejects.toThrow(/larger than 64 MiB/);
});

test('says in a sentence that nobody answers, and what to do', async () => {
  const address = await serve(() => {});
  await new Promise((resolve) => server!.close(resolve));
  await expect(download(address)).rejects.toThrow(/ECONNREFUSED.*traces add a\.json\.gz/);
});
