import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordPath } from '../../results/formats/run-directory.ts';
import { writeHandMadeTrial } from '../test-data/hand-made-trial.ts';
import { soundTrial } from '../test-data/sound-trial.ts';
import { judgeTrialFiles } from './judge-trial-files.ts';
import { keptReading, readTrial } from './trial-reading.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trial-reading-'));
  await writeHandMadeTrial(directory, soundTrial());
});
afterEach(() => rm(directory, { recursive: true }));

test('a valid trial has figures, any other has none', async () => {
  expect(await readTrial(directory, null)).toMatchObject({ verdict: { verdict: 'valid' }, figures: {} });
  await writeHandMadeTrial(directory, soundTrial({ proof: 'not-reached' }));
  expect(await readTrial(directory, null)).toMatchObject({ verdict: { verdict: 'failed' }, figures: null });
});

test('a trial whose records cannot be read is unknown, and says why', async () => {
  await writeFile(recordPath(directory, 'user-001'), 'x');
  expect(await readTrial(directory, null)).toMatchObject({
    verdict: { verdict: 'unknown', reasons: [{ code: 'unreadable', message: expect.stringContaining('user-001') }] },
    figures: null,
  });
});

test('what was judged last is kept while its files are as they were', async () => {
  const verdict = await judgeTrialFiles(directory);
  expect(await keptReading(directory)).toMatchObject({ verdict, figures: {} });
  await writeHandMadeTrial(directory, soundTrial());
  expect(await keptReading(directory)).toBeNull();
});
