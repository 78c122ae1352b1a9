import { expect, test } from 'vitest';
import { withWasm } from './framework.ts';

test('a library that does not load is told with the framework that needs it, and what to do', async () => {
  const load = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(withWasm('automerge-repo', load)).rejects.toThrow(
    /^automerge-repo does not load: .* run npm ci.* \(TypeError: Failed to fetch\)$/,
  );
  await expect(withWasm('automerge', async () => 'loaded')).resolves.toBe('loaded');
});
