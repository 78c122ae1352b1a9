import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readSummary } from '../cell/cell-json.ts';
import { isOfPlayedCrowd, typingCells } from '../scenarios/cell.ts';
import { cellOf, runOf } from '../test-data/written-cell.ts';
import { KEPT_ENDING, type KeptRun } from './kept-file.ts';
import { keptNames, MEASURED_FOLDER, readKept } from './kept-runs.ts';
import { withoutWithdrawn } from './withdrawn.ts';

const WITHDRAWAL = { framework: 'loro', crowd: 'played', why: 'its crowd' } as const;

test('cells beside a played crowd leave with their replicates, others stay', () => {
  const cells = [
    { framework: 'loro', crowdLateMs: 3 },
    { framework: 'loro', crowdLateMs: null },
    { framework: 'yjs', crowdLateMs: 3 },
  ].map(cellOf);
  const kept = { summary: runOf(...cells), replicates: [{ a: [1] }, { a: [2] }, { a: [3] }] };
  const left = withoutWithdrawn(kept, [WITHDRAWAL]);
  expect(left.summary.cells).toEqual(cells.slice(1));
  expect(left.replicates).toEqual([{ a: [2] }, { a: [3] }]);
});

test('no kept run is read with a cell of Loro beside a played crowd, and their files still hold them', async () => {
  const of = ({ summary }: Pick<KeptRun, 'summary'>) =>
    typingCells(summary).filter((cell) => cell.parameters.framework === 'loro' && isOfPlayedCrowd(cell));
  const names = (await keptNames()).filter((name) => /-(max|paper-on-one-machine)/.test(name));
  const read = await Promise.all(names.map((name) => readKept(name)));
  expect(read.flatMap(of)).toEqual([]);
  const raw = await Promise.all(names.map((name) => readFile(join(MEASURED_FOLDER, `${name}${KEPT_ENDING}`))));
  expect(
    raw.flatMap((bytes) => of({ summary: readSummary(JSON.parse(gunzipSync(bytes).toString()).summary) })),
  ).toHaveLength(3);
});
