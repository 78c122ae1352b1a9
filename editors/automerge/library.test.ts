import { expect, test } from 'vitest';
import { withAutomerge } from './library.ts';

test('an Automerge that does not load is told with the framework that needs it, and what to do', async () => {
  const load = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(withAutomerge('automerge-repo', load)).rejects.toThrow(
    /^automerge-repo does not load: .* run npm ci.* \(TypeError: Failed to fetch\)$/,
  );
  await expect(withAutomerge('automerge', async () => 'loaded')).resolves.toBe('loaded');
});
