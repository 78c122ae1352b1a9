/**
 * Carries DevTools messages over Chrome's pipes, with less work a message than Puppeteer's own transport. Messages sent in
 * one go are written at once; a message that comes alone is handed on at once. The driver's cost per keystroke depends on it.
 * Messages end with a zero byte, in both directions.
 */
import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer-core';

const END = 0;

export function createPipeTransport(toChrome: Writable, fromChrome: Readable): ConnectionTransport {
  let outgoing = '';
  let partial: Buffer[] = [];
  const incoming: string[] = [];
  let delivering = false;

  const transport: ConnectionTransport = {
    send(message) {
      if (outgoing === '') queueMicrotask(write);
      outgoing += `${message}\0`;
    },
    close() {
      toChrome.end();
    },
  };

  function write(): void {
    toChrome.write(outgoing);
    outgoing = '';
  }

  /** One message a turn: Puppeteer counts on its promises to be settled between two. */
  function deliver(): void {
    const message = incoming.shift();
    delivering = incoming.length > 0;
    if (delivering) setImmediate(deliver);
    if (message !== undefined) transport.onmessage?.(message);
  }

  fromChrome.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(END); end !== -1; end = chunk.indexOf(END, start)) {
      partial.push(chunk.subarray(start, end));
      incoming.push(partial.length === 1 ? partial[0]!.toString() : Buffer.concat(partial).toString());
      partial = [];
      start = end + 1;
    }
    if (start < chunk.length) partial.push(chunk.subarray(start));
    if (!delivering && incoming.length > 0) deliver();
  });
  fromChrome.on('close', () => transport.onclose?.());
  // A pipe with an error ends, and Chrome with it.
  fromChrome.on('error', () => {});
  toChrome.on('error', () => {});
  return transport;
}
