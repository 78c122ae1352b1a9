import { expect, onTestFinished, test } from 'vitest';
import { frameworkServer } from './listen.ts';
import { relay } from './relay.ts';

const HOST = '127.0.0.1';

test('where the port is taken, all else of the server is ended again', async () => {
  const { port, stop } = await relay.start({ host: HOST, port: 0 });
  onTestFinished(stop);
  const ended: string[] = [];
  const server = frameworkServer((connections) => {
    (connections as NodeJS.EventEmitter).on('close', () => ended.push('connections'));
    return async () => void ended.push('rest');
  });
  await expect(server.start({ host: HOST, port })).rejects.toThrow(`port ${port} on ${HOST} is taken`);
  await expect.poll(() => ended.toSorted()).toEqual(['connections', 'rest']);
});
