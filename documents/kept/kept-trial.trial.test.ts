/** A whole trial with a real server over a store, which loses its power while two users type. */
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { powerProblem, readySynced } from '../../infra/stores/power-loss.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { resolveTrace } from '../../traces/store.ts';
import { writeEdits } from '../replay/edits.ts';
import { toldIn } from '../test-data/told-in.ts';
import { measureKept } from './kept-trial.ts';

const folder = folderOfEachTest();

test.skipIf((await powerProblem()) !== null)(
  'what the store had not synced is lost to an early newcomer, and brought back by the user who stayed',
  async () => {
    const editsFile = folder.in('edits');
    await writeEdits(editsFile, await resolveTrace('synthetic'), { atMost: 200 });
    const lines = await measureKept({
      ...{ framework: 'yjs', store: 'leveldb', struck: 'power', left: 'one', users: 2, wordsPerSecond: 6, seed: 1 },
      editsFile,
      ...{ killFromMs: 1500, killToMs: 2000, oneWayDelayMs: 20, downForMs: 300, settleMs: 8000 },
      ...{
        syncedLibrary: await readySynced(folder.path, folder.in('cache')),
        folder: folder.path,
        signal: new AbortController().signal,
      },
    });
    const { figures, notes } = toldIn(lines);
    expect(figures.editsTyped).toBeGreaterThanOrEqual(14);
    expect(figures.newcomerLacks).toBeGreaterThan(5);
    expect(figures.healed).toBeGreaterThan(5);
    // Others' edits that were on their way when their author went.
    expect(figures.editsLost).toBeLessThan(4);
    expect(figures).toMatchObject({ editsDoubled: 0, strandedUsers: 0 });
    expect(figures).not.toHaveProperty('editsLostAcknowledged');
    expect(figures.reopenMs).toBeGreaterThan(0);
    expect(figures.sizeBytes).toBeGreaterThan(100);
    // The server may let it in before it has read the stored document.
    expect(notes).toContainEqual(expect.stringMatching(/^early-(?:old|empty)$/));
    expect(notes).not.toContain('lost-before');
    expect((await readdir(folder.path)).toSorted()).toEqual(['cache', 'edits', 'synced.so']);
  },
);
