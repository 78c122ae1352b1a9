import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPipeTransport, isSandboxed } from './chrome.ts';

test('Chrome keeps its sandbox, but for root and where it is switched off', () => {
  expect(isSandboxed({ account: 1000, variable: undefined })).toBe(true);
  expect(isSandboxed({ account: undefined, variable: 'on' })).toBe(true);
  expect(isSandboxed({ account: 0, variable: undefined })).toBe(false);
  expect(isSandboxed({ account: 1000, variable: 'off' })).toBe(false);
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('messages arrive whole and in order, however the pipe cuts them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 8 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
      async (messages, sizes) => {
        const clean = messages.map((message) => message.replaceAll('\0', ' '));
        const fromChrome = new PassThrough();
        const transport = createPipeTransport(new PassThrough(), fromChrome);
        const received: string[] = [];
        transport.onmessage = (message) => received.push(message);
        const bytes = Buffer.from(clean.map((message) => `${message}\0`).join(''));
        for (let at = 0; at < bytes.length; ) {
          const size = sizes.next().value;
          fromChrome.write(bytes.subarray(at, at + size));
          at += size;
        }
        while (received.length < clean.length) await turn();
        expect(received).toEqual(clean);
      },
    ),
    { numRuns: 100 },
  );
});

test('what is sent in one go leaves in one write', async () => {
  const toChrome = new PassThrough();
  const writes: string[] = [];
  toChrome.on('data', (chunk) => writes.push(chunk.toString()));
  const transport = createPipeTransport(toChrome, new PassThrough());
  transport.send('down');
  transport.send('up');
  await turn();
  transport.send('next');
  await turn();
  expect(writes).toEqual(['down\0up\0', 'next\0']);
});

test('the end of Chrome is told', async () => {
  const fromChrome = new PassThrough();
  const transport = createPipeTransport(new PassThrough(), fromChrome);
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  fromChrome.destroy();
  await closed;
});
