/** Worlds of every framework that can be explored: none breaks an invariant, but by a known issue. */
import { describe, expect, test, vi } from 'vitest';
import { discoverFrameworks } from '../discover.ts';
import { whyNotExplored } from './explorable.ts';
import { explore } from './explore.ts';

/** Always the same, however busy the machine is, so that a failure is the change's; .ci/run plays these and 56 more of each. */
const SEED = 1;
const WORLDS = 4;
const explorable = (await discoverFrameworks()).filter(
  ({ about }) => about.onDemand === undefined && whyNotExplored(about) === null,
);

vi.setConfig({ maxConcurrency: 2 });
describe.concurrent('worlds', () => {
  test.each(explorable.map((framework) => [framework.name, framework] as const))('of %s', async (_name, framework) => {
    const { why, worlds, repeats, findings } = await explore(framework, {
      ...{ seed: SEED, worlds: WORLDS, processes: 1, say: () => {}, signal: new AbortController().signal },
      onFinding: async () => {},
    });
    expect(findings.map(({ told }) => told.story.join('\n'))).toEqual([]);
    expect(why).toBeNull();
    expect(worlds).toBe(WORLDS);
    expect(repeats.same).toBe(repeats.tried);
  });
});
