import { expect, test } from 'vitest';
import { checkCapabilities } from './check-capabilities.ts';

test('a library without programs, and keeping some outcomes only, are refused before anything runs', async () => {
  await expect(checkCapabilities(['word'], {})).rejects.toThrow('there are no programs for "word"; write of: yjs');
  await expect(checkCapabilities(['yjs', 'loro'], { keep: true })).rejects.toThrow('leave "yjs loro" away');
});
