import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SIGIL_LENGTH } from '../../../editors/base/sigils.ts';
import type { Edit } from '../../../traces/edits.ts';
import {
  ABSENCE_ODDS,
  ABSENCE_S,
  BURST_S,
  JUMP_ODDS,
  KEY_SPREAD,
  LEAST_PAUSE_S,
  meanKeysPerSecond,
  PASTE_ODDS,
  PAUSE_S,
  TYPING_SHARE,
} from '../../experiment/people.ts';
import { makeSchedule } from './schedule.ts';
import { createTypist } from './typist.ts';

const HUMAN = { user: 0, users: 8, seed: 1, keysPerSecond: 6, sigilPeriodMs: 10_000, rhythm: 'human' } as const;
const KEYS = 30_000;
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

/** The keys of a schedule: when each is due, s, which begin bursts, and how long the rest before each of those was, s. */
function typed() {
  const schedule = makeSchedule(HUMAN);
  const dueS = Array.from({ length: KEYS }, (_, k) => schedule.dueMs(k) / 1000);
  const starts = dueS.flatMap((_, k) => (schedule.followsPause(k) ? [k] : []));
  return { schedule, dueS, starts, rests: starts.map((k) => dueS[k]! - dueS[k - 1]!) };
}

describe('people who type', () => {
  const { schedule, dueS, starts, rests } = typed();

  test('are due as many keys as are said, in the long run, at any speed and with sigils as dense as may be', () => {
    const cases = fc.record({
      keysPerSecond: fc.constantFrom(1, 4.3, 6, 40),
      sigilPeriodMs: fc.constantFrom(10_000, 60_000),
      seed: fc.nat(1e6),
    });
    fc.assert(
      fc.property(cases, (options) => {
        fc.pre(meanKeysPerSecond({ ...HUMAN, ...options }) * options.sigilPeriodMs >= 2000 * SIGIL_LENGTH);
        // Some two and a half thousand bursts: their number and rests vary by a twentieth at most.
        const keys = Math.round(2500 * BURST_S * options.keysPerSecond);
        const { dueMs } = makeSchedule({ ...HUMAN, ...options });
        const perSecond = keys / (dueMs(keys) / 1000);
        expect(perSecond / meanKeysPerSecond({ ...HUMAN, ...options })).toBeGreaterThan(0.85);
        expect(perSecond / meanKeysPerSecond({ ...HUMAN, ...options })).toBeLessThan(1.15);
      }),
      { numRuns: 12 },
    );
  });

  test('type for three tenths of the time, in bursts of 3.5 s on average', () => {
    expect(TYPING_SHARE).toBeCloseTo(0.3, 2);
    const keys = starts.slice(1).map((start, index) => start - starts[index]!);
    expect(mean(keys) / HUMAN.keysPerSecond / BURST_S).toBeCloseTo(1, 1);
    // Their lengths vary as those of a process without memory: as much as their mean.
    expect(deviation(keys) / mean(keys)).toBeGreaterThan(0.8);
    expect(deviation(keys) / mean(keys)).toBeLessThan(1.1);
  });

  test('pause for 2 s at least, for 3.6 on average, and are absent now and then', () => {
    expect(Math.min(...rests)).toBeGreaterThan(LEAST_PAUSE_S);
    expect(mean(rests)).toBeCloseTo((1 - ABSENCE_ODDS) * PAUSE_S + ABSENCE_ODDS * ABSENCE_S, -0.5);
    // More than three quarters of pauses last no longer than 5 s; of absences, an eighth of all, two thirds last 20 s.
    const share = (most: number) => rests.filter((rest) => rest > most).length / rests.length;
    expect(share(20)).toBeGreaterThan(0.06);
    expect(share(20)).toBeLessThan(0.11);
    expect(share(5)).toBeGreaterThan(0.15);
    expect(share(5)).toBeLessThan(0.3);
  });

  test('are due keys in order, the time between two in a burst log-normal with the interval as mean', () => {
    const gaps = dueS.slice(1).flatMap((due, index) => (schedule.followsPause(index + 1) ? [] : [due - dueS[index]!]));
    expect(Math.min(...gaps)).toBeGreaterThan(0);
    expect(mean(gaps) * HUMAN.keysPerSecond).toBeCloseTo(1, 1);
    expect(deviation(gaps.map(Math.log))).toBeCloseTo(KEY_SPREAD, 1);
  });

  test('never pause within a sigil, of which there is one a period on average', () => {
    const sigils = dueS.flatMap((_, k) => (schedule.startsSigil(k) ? [k] : []));
    for (const start of sigils)
      for (let k = start + 1; k < start + SIGIL_LENGTH; k++) expect(schedule.followsPause(k)).toBe(false);
    expect(dueS.at(-1)! / sigils.length / 10).toBeCloseTo(1, 0);
  });

  test('type the same whenever they are asked, and otherwise as another user or with another seed', () => {
    const again = makeSchedule(HUMAN);
    // The last first: what is drawn does not depend on the order of questions.
    expect(again.followsPause(starts[3]!)).toBe(true);
    expect(again.dueMs(500)).toBe(schedule.dueMs(500));
    for (const other of [{ user: 1 }, { seed: 2 }])
      expect(makeSchedule({ ...HUMAN, ...other }).dueMs(500)).not.toBe(schedule.dueMs(500));
  });

  test('are in the midst of it at the start: some type at once, others are absent for a while', () => {
    const firstS = Array.from({ length: 1000 }, (_, user) => makeSchedule({ ...HUMAN, user }).dueMs(0) / 1000);
    const typingAtOnce = firstS.filter((first) => first < 1).length / firstS.length;
    expect(typingAtOnce).toBeGreaterThan(0.28);
    expect(typingAtOnce).toBeLessThan(0.45);
    expect(firstS.filter((first) => first > ABSENCE_S).length).toBeGreaterThan(100);
  });
});

describe('edits of people', () => {
  const text = 'abcdefghij';
  const edits: Edit[] = [...text].map((letter) => ({ kind: 'key', move: 0, text: letter }));
  const formatOdds = { inline: 0, range: 0, block: 0 };
  const typist = (rhythm: 'human' | 'jittered') =>
    createTypist({ user: 0, seed: 1, edits, formatOdds, rhythm, longestEdit: 50 });
  const many = (followsPause: boolean, rhythm: 'human' | 'jittered' = 'human') => {
    const one = typist(rhythm);
    return Array.from({ length: 100_000 }, () => one.nextEdit({ followsPause }) as Edit);
  };

  test('jump after a pause now and then, to both sides, and never in a burst', () => {
    const jumps = many(true).flatMap(({ move }) => (move === 0 ? [] : [move]));
    expect(jumps.length / 100_000).toBeCloseTo(JUMP_ODDS, 1);
    expect(jumps.filter((jump) => jump < 0).length / jumps.length).toBeCloseTo(0.5, 1);
    expect(Math.max(...jumps.map(Math.abs))).toBeLessThanOrEqual(2000);
    expect(Math.min(...jumps.map(Math.abs))).toBeGreaterThanOrEqual(20);
    expect(many(false).every(({ move }) => move === 0)).toBe(true);
  });

  test('are pastes rarely, of the trace’s next keys, which are then not typed again', () => {
    const made = many(false);
    const pastes = made.filter(({ kind }) => kind === 'paste') as Extract<Edit, { kind: 'paste' }>[];
    expect(pastes.length / made.length / PASTE_ODDS).toBeGreaterThan(0.7);
    expect(pastes.length / made.length / PASTE_ODDS).toBeLessThan(1.3);
    for (const paste of pastes) expect(paste.text.length).toBeGreaterThanOrEqual(20);
    // A paste is cut to the longest edit, as any other.
    for (const paste of pastes) expect(paste.text.length).toBeLessThanOrEqual(50);
    const uncut = createTypist({ user: 0, seed: 1, edits, formatOdds, rhythm: 'human' });
    const written = Array.from({ length: 5000 }, () => (uncut.nextEdit() as Extract<Edit, { text: string }>).text).join(
      '',
    );
    expect(written).toBe(text.repeat(Math.ceil(written.length / text.length)).slice(0, written.length));
  });

  test('are the trace’s in every other rhythm', () => {
    expect(many(true, 'jittered').slice(0, 100)).toEqual(Array.from({ length: 10 }, () => edits).flat());
  });
});
