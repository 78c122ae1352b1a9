import { expect, test } from 'vitest';
import { checkCapabilities } from './check-command.ts';

test('a library without programs is refused before anything runs, also where outcomes shall be kept', async () => {
  const refusal = 'there are no programs for "word"; write of: yjs';
  await expect(checkCapabilities(['word'], {})).rejects.toThrow(refusal);
  await expect(checkCapabilities(['yjs', 'word'], { keep: true })).rejects.toThrow(refusal);
});
