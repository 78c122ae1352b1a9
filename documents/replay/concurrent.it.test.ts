import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RecordLine } from '../../results/formats/records.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { measuringCommand, runMeasuringProcess } from '../measuring-process.ts';
import { toldIn } from '../test-data/told-in.ts';
import type { Steps } from './edit-files.ts';
import type { ReplayTask } from './engines.ts';

const folder = folderOfEachTest();

/** Both authors type at one place at once. */
const TIE: Steps = {
  steps: [
    { agent: 0, receives: [], edits: [[0, 0, 'ab']] },
    { agent: 1, receives: [0], edits: [[1, 0, 'x']] },
    { agent: 0, receives: [], edits: [[1, 0, 'y']] },
  ],
  last: [[1], [2]],
  endContent: 'ayxb',
};

test.each([
  ['recorded', TIE.endContent, 'note', 'order-of-identities', 'all end with one text'],
  ['other', 'axyb', 'failure', 'wrong-content', 'author 0’s document holds another text'],
] as const)(
  'of two at one place the lower identity comes first: the %s text',
  async (_, endContent, type, code, message) => {
    const edits = folder.in('steps');
    await writeFile(edits, JSON.stringify({ ...TIE, endContent }));
    const task: ReplayTask = {
      ...{ engine: 'yjs', observe: 'updates', edits, identities: [0.3, 0.7], isConcurrent: true },
      ...{ ofEdits: 3, limitMs: 5000, remoteMs: 0 },
    };
    const lines: RecordLine[] = [];
    await runMeasuringProcess({
      command: measuringCommand(join(import.meta.dirname, 'main.ts'), task),
      ...{ limitMs: 20_000, write: (line) => lines.push(line), signal: new AbortController().signal },
    });
    expect(Object.keys(toldIn(lines).figures)).toEqual(
      expect.arrayContaining(['applyMs', 'harnessNsPerEdit', 'heapMiB', 'externalMiB', 'residentMiB']),
    );
    expect(lines.filter((line) => line.type !== 'figure')).toMatchObject([
      { type, code, message: expect.stringContaining(message) },
    ]);
  },
);
