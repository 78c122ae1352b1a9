import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Verdict } from '../../results/formats/verdict.ts';
import { type HandMadeTrial, writeHandMadeTrial } from '../test-data/hand-made-trial.ts';
import { openRecords } from '../views/database.ts';
import { judgeAnew } from './judge-anew.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'judge-anew-'));
});
afterEach(() => rm(directory, { recursive: true }));

const VALID: Verdict = { schemaVersion: 1, verdict: 'valid', reasons: [], notes: [], converged: true };
const measured = { clocks: [{ offsetMs: 0, errorMs: 1 }], lines: [] };

async function judged(options: {
  trial?: Partial<HandMadeTrial>;
  earlier?: Partial<Verdict>;
  clockErrorLimitMs?: number | null;
}): Promise<Verdict> {
  const { trial = {}, earlier = {}, clockErrorLimitMs = null } = options;
  await writeHandMadeTrial(directory, { users: [measured, measured], server: [], ...trial });
  await using records = await openRecords([directory]);
  const name = basename(directory);
  const verdicts = await judgeAnew(records, [{ trial: name, verdict: { ...VALID, ...earlier }, clockErrorLimitMs }]);
  return verdicts.get(name)!;
}

describe('a verdict that changes', () => {
  test('tells from what to what, and what is found today', async () => {
    expect(await judged({ trial: { clockErrorLimitMs: 0.5 } })).toMatchObject({
      verdict: 'invalid',
      reasons: [{ code: 'clock-uncertain' }],
      notes: [
        {
          code: 'verdict-changed',
          message: expect.stringMatching(
            /^its verdict changed from valid to invalid when it was judged anew: the clock is /,
          ),
        },
      ],
    });
  });

  test('to valid tells what is not found any more', async () => {
    const reasons = [{ code: 'clock-uncertain', message: 'the clock is known only within 9.0 ms' }];
    expect(await judged({ earlier: { verdict: 'invalid', reasons } })).toMatchObject({
      verdict: 'valid',
      reasons: [],
      notes: [
        {
          message:
            'its verdict changed from invalid to valid when it was judged anew: no check of today says that the clock is known only within 9.0 ms',
        },
      ],
    });
  });

  test('does not where only the reasons are others', async () => {
    const earlier = { verdict: 'failed' as const, reasons: [{ code: 'diverged', message: 'two documents' }] };
    expect((await judged({ trial: { proof: 'not-reached' }, earlier })).notes).toEqual([]);
  });
});

describe('records of version 1', () => {
  const old = { schemaVersion: 1 } as const;

  test('are judged as they were', async () => {
    expect(await judged({ trial: old })).toEqual(VALID);
  });

  test('have their faults from the verdict of earlier, and what checks find is looked for again', async () => {
    const fault = { code: 'user-lost', message: 'user 1 is lost: its page crashed' };
    const found = { code: 'diverged', message: '2 different documents' };
    const earlier = { verdict: 'invalid' as const, reasons: [fault, found], converged: null };
    expect(await judged({ trial: { ...old, phases: { measure: 10_000 } }, earlier })).toEqual({
      ...VALID,
      verdict: 'invalid',
      reasons: [fault],
      converged: null,
    });
  });

  test('have the proof of convergence from there too', async () => {
    const unproved = (converged: boolean | null, verdict: Verdict['verdict']) =>
      judged({ trial: old, earlier: { verdict, converged } });
    expect(await unproved(false, 'invalid')).toMatchObject({ converged: false, reasons: [{ code: 'not-settled' }] });
    expect(await unproved(null, 'unknown')).toMatchObject({ converged: null, reasons: [{ code: 'not-compared' }] });
  });

  test('have the limit on clocks from the plan', async () => {
    expect(await judged({ trial: old, clockErrorLimitMs: 0.5 })).toMatchObject({
      verdict: 'invalid',
      reasons: [{ code: 'clock-uncertain', message: expect.stringContaining('(limit 0.5 ms)') }],
    });
    expect(await judged({ trial: { clockErrorLimitMs: 5 }, clockErrorLimitMs: 0.5 })).toEqual(VALID);
  });

  test('expect their users, and no server', async () => {
    expect(await judged({ trial: { ...old, server: undefined } })).toMatchObject({
      verdict: 'valid',
      notes: [{ code: 'server-unknown' }],
    });
    const endless = { ...measured, settles: false };
    expect(await judged({ trial: { ...old, users: [measured, endless] } })).toMatchObject({
      reasons: [{ code: 'missing-record', message: expect.stringContaining('user-001 (no settled line)') }],
    });
  });
});
