import { expect, test, vi } from 'vitest';
import { client } from './client.ts';

vi.mock('loro-crdt', () => {
  throw new Error('no wasm here');
});

test('a Loro that does not load is told with its name and what to do', async () => {
  await expect(client.load!(new Uint8Array())).rejects.toThrow(/^loro does not load: .* run npm ci/);
});
