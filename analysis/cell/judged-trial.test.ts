import { expect, test } from 'vitest';
import { VERDICT_FILE } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { type HandMadeTrial, writeHandMadeTrial } from '../test-data/hand-made-trial.ts';
import { soundTrial } from '../test-data/sound-trial.ts';
import { judgeTrial } from './collect-cell.ts';

const CHANGED = { code: 'verdict-changed', rank: 'record' };

const directory = folderOfEachTest();

async function judged(trial: Partial<HandMadeTrial>, earlier: Pick<Verdict, 'verdict'> & Partial<Verdict>) {
  await writeHandMadeTrial(directory.path, soundTrial(trial));
  const run: Verdict = { schemaVersion: 1, reasons: [], notes: [], converged: true, ...earlier };
  await writeJson(directory.in(VERDICT_FILE), run);
  return await judgeTrial({ trial: 1 }, directory.path);
}

test('a verdict that changes tells from what to what, and what is found today', async () => {
  expect(await judged({ clockErrorLimitMs: 0.1 }, { verdict: 'valid' })).toMatchObject({
    verdict: 'invalid',
    messages: [
      { code: 'clock-uncertain', rank: 'decides', text: expect.stringMatching(/: the clock is /) },
      {
        ...CHANGED,
        text: expect.stringMatching(
          /^the verdict: changed from valid to invalid when it was judged again: .*: the clock is /,
        ),
      },
    ],
    figures: null,
  });
});

test('a verdict that changes to valid tells what is not found any more', async () => {
  const reasons = [{ code: 'clock-uncertain', message: 'the clock is known only within 9.0 ms' }];
  expect(await judged({}, { verdict: 'invalid', reasons })).toMatchObject({
    verdict: 'valid',
    messages: [
      {
        ...CHANGED,
        text: 'the verdict: changed from invalid to valid when it was judged again: no check of today finds this: the clock is known only within 9.0 ms',
      },
    ],
    figures: {},
  });
});

test('nothing is noted if only the reasons are others', async () => {
  const reasons = [{ code: 'diverged', message: 'two documents' }];
  const { messages } = await judged({ proof: 'not-reached' }, { verdict: 'failed', reasons });
  expect(messages.filter(({ rank }) => rank !== 'decides')).toEqual([]);
});
