/** Traces by a name, in a cache of one test. */
import { onTestFinished, vi } from 'vitest';
import type { TestFolder } from '../../tests/folders.ts';
import { addTrace } from '../../traces/store.ts';

/** @returns the name */
export async function storedTrace(folder: TestFolder, trace: object): Promise<string> {
  vi.stubEnv('SCRIPTORIUM_CACHE', folder.in('cache'));
  onTestFinished(() => void vi.unstubAllEnvs());
  await folder.put('mine.json', JSON.stringify(trace));
  const { name } = await addTrace(folder.in('mine.json'));
  return name;
}

/** Two authors, one after another. */
export const TWO_AUTHORS = {
  ...{ kind: 'concurrent', numAgents: 2, endContent: 'ab' },
  txns: [
    { parents: [], agent: 0, patches: [[0, 0, 'a']] },
    { parents: [0], agent: 1, patches: [[1, 0, 'b']] },
  ],
};

/** One character, of two UTF-16 units. */
export const WIDE = { startContent: '', endContent: '😀', txns: [{ patches: [[0, 0, '😀']] }] };
