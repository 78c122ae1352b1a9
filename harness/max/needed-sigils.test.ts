import { describe, expect, test } from 'vitest';
import { parseCondition } from '../../analysis/cell/condition.ts';
import type { Framework } from '../../frameworks/framework.ts';
import { loadExperiment } from '../experiment/experiment-file.ts';
import { makeSchedule } from '../users/typing/schedule.ts';
import { createTypist } from '../users/typing/typist.ts';
import { judgedMeasureMs, neededSigils } from './needed-sigils.ts';
import type { Criterion } from './outcome.ts';

const where = (...texts: string[]): Criterion => ({ name: 'where', conditions: texts.map(parseCondition) });

test('the sigils that one trial needs, on own screens and on others’', () => {
  const keyless = { hasKeys: false };
  const keyed = { hasKeys: true };
  expect(neededSigils({ name: 'paper' }, keyless)).toEqual({ local: 59, remote: 59, crowd: 0 });
  // Every own key stands in for the own sigils.
  expect(neededSigils({ name: 'paper' }, keyed)).toEqual({ local: 1, remote: 59, crowd: 0 });
  expect(neededSigils({ name: 'smooth' }, keyless)).toEqual({ local: 59, remote: 87, crowd: 0 });
  // 29 deletions, and every third sigil is deleted.
  expect(neededSigils({ name: 'smooth' }, keyed)).toEqual({ local: 1, remote: 87, crowd: 0 });
  expect(neededSigils(where('serverCpuPercent < 50', 'keyLatencyMs.p98 < 50'), keyed)).toEqual({
    local: 1,
    remote: 1,
    crowd: 0,
  });
  expect(neededSigils(where('localLatencyMs.p50 < 50'), keyed)).toEqual({ local: 6, remote: 1, crowd: 0 });
  expect(neededSigils(where('endToEndFromCrowdMs.p95 < 500'), keyed)).toEqual({ local: 1, remote: 1, crowd: 59 });
  const tail = where('localLatencyMs.p50 < 50', 'endToEndLatencyMs.p99 < 500');
  expect(neededSigils(tail, keyed)).toEqual({ local: 6, remote: 299, crowd: 0 });
  // 59 deletions; of keys there are far more than needed.
  const changes = where('deletionLatencyMs.p95 < 500', 'keysInTimePercent > 99');
  expect(neededSigils(changes, keyed)).toEqual({ local: 1, remote: 177, crowd: 0 });
});

describe('the time that `quick` and `demo` measure', () => {
  const ready = async (path: string, users?: number) => {
    const overrides = users === undefined ? [] : [{ flag: '--users', path: ['users'], value: users }];
    const named = { path, overrides, frameworks: FRAMEWORKS, traces: ['synthetic'] };
    return (await loadExperiment(named)).experiment;
  };

  test('is the file’s where its users type enough, longer for fewer, and one user’s own', async () => {
    expect(judgedMeasureMs(await ready('demo'))).toBe(40_000);
    const secondsFor = async (users: number) => judgedMeasureMs(await ready('quick', users)) / 1000;
    // 1.2 × 87 sigils, one a user in 2 s.
    expect(await Promise.all([1, 2, 3, 4, 5, 6, 8].map(secondsFor))).toEqual([40, 105, 70, 53, 42, 40, 40]);
  });

  test.each(Array.from({ length: 15 }, (_, index) => index + 2))('gives %i users their markers', async (users) => {
    const { typing, durations, ...quick } = await ready('quick', users);
    const measureMs = judgedMeasureMs({ ...quick, typing, durations });
    for (let seed = 0; seed < 20; seed++) {
      const due = Array.from({ length: users }, (_, user) => {
        const window = { fromMs: durations.warmUpMs, toMs: durations.warmUpMs + measureMs };
        return changesDue({ ...typing, user, users, seed }, window);
      }).flat();
      const count = (kind: string) => due.filter((each) => each === kind).length;
      // A tenth of them may be broken by others' edits.
      expect(count('sigil-key')).toBeGreaterThanOrEqual(59 / 0.9);
      expect(count('sigil-delete')).toBeGreaterThanOrEqual(29 / 0.9);
      expect(count('sigil-format')).toBeGreaterThanOrEqual(29 / 0.9);
    }
  });
});

const FRAMEWORKS = ['yjs', 'sharedb', 'automerge-repo'].map(
  (name) => ({ name, about: {}, problem: null }) as unknown as Framework,
);

/** The kinds of what a user does with its sigils in a window, where nothing holds it up. */
function changesDue(
  options: Parameters<typeof makeSchedule>[0] & Omit<Parameters<typeof createTypist>[0], 'edits'>,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): string[] {
  const schedule = makeSchedule(options);
  const typist = createTypist({ ...options, edits: [{ kind: 'key', move: 0, text: 'x' }] });
  const kinds: string[] = [];
  for (let k = 0; schedule.dueMs(k) < toMs; k++) {
    if (!schedule.startsSigil(k)) continue;
    const keys = typist.nextSigil();
    const last = keys.at(-1)!;
    const change = typist.changeOf('sigil' in last ? last.sigil : '');
    const isIn = (key: number) => schedule.dueMs(key) >= fromMs && schedule.dueMs(key) < toMs;
    if (isIn(k + keys.length - 1)) kinds.push('sigil-key');
    if (change !== null && isIn(k + keys.length - 1 + schedule.keysPerPeriod)) kinds.push(change.kind);
  }
  return kinds;
}
