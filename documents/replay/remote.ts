/** The other side: what a replica takes to follow another's typing. */
import type { Engine } from '../engines/engine.ts';
import { printLines } from '../measuring-process.ts';
import { SubjectFailure } from '../scenario.ts';
import { requireText } from './compare-text.ts';
import { contentAfter, type Edits } from './edits.ts';
import { timeEdits } from './stopwatch.ts';

/** What 112 users type in 50 ms, at 6 keys a second: the receive batch of the largest cell of the Collabs paper. */
export const BATCH_EDITS = 34;

/**
 * Applies the updates one by one at an empty replica, and in batches at another, each for so long at most.
 *
 * @throws SubjectFailure where it cannot, or a replica holds another text than what it got makes
 */
export async function measureRemote(
  engine: Engine,
  updates: readonly Uint8Array[],
  edits: Edits,
  limitMs: number,
): Promise<void> {
  const batches = Array.from({ length: Math.ceil(updates.length / BATCH_EDITS) }, (_, index) =>
    updates.slice(index * BATCH_EDITS, (index + 1) * BATCH_EDITS),
  );
  const single = updates.map((update) => [update]);
  for (const [name, given] of [
    ['', single],
    ['Batched', batches],
  ] as const) {
    const replica = await engine.open({ replica: 2, updates: false });
    if (replica.receive === undefined) throw new SubjectFailure('not-offered', 'it takes in no updates');
    const { done, totalMs } = timeEdits(given.length, (index) => replica.receive!(given[index]!), limitMs);
    const received = given.slice(0, done).reduce((sum, { length }) => sum + length, 0);
    printLines(
      { type: 'figure', figure: `remote${name}EditsPerSecond`, value: (1000 * received) / totalMs },
      { type: 'figure', figure: `remote${name}Edits`, value: received },
    );
    const content = received === edits.count ? edits.endContent : contentAfter(edits, received);
    requireText(replica.text(), content, `a replica that took in ${received} updates`);
    replica.free?.();
  }
}
