import { expect, test } from 'vitest';
import { writeJson } from '../../results/formats/write-file.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { writeHandMadeRun } from '../test-data/hand-made-run.ts';
import { compareHalves, compareRuns } from './compare.ts';

const folder = folderOfEachTest();

test('warns where another version of the project measured, unless that is what the run compares', async () => {
  for (const [side, digit] of [['base', 'a'] as const, ['new', 'b'] as const]) {
    const trials = [{ figures: { localMs: 10, endToEndMs: 100, serverCpuPercent: 2 } }];
    await writeHandMadeRun(folder.in(side), { isAnalysed: true, trials });
    const code = { commit: digit.repeat(40), changed: false, sources: digit };
    await writeJson(folder.in(`${side}/environment.json`), code);
  }
  expect((await compareRuns(folder.in('base'), folder.in('new'))).warnings).toEqual([
    'the code that measured differs, so figures may differ by it: base: commit aaaaaaaa; new: commit bbbbbbbb',
  ]);
  await writeJson(folder.in('against.json'), {});
  expect((await compareHalves(folder.path)).warnings).toEqual([]);
});
