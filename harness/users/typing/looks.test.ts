import { expect, test } from 'vitest';
import { createLooks, look } from './looks.ts';
import type { Action } from './typist.ts';

test('as often as asked, a user looks somewhere near, the same each time', () => {
  const draw = (odds: number) => {
    const next = createLooks({ user: 3, seed: 1, odds });
    return Array.from({ length: 1000 }, next);
  };
  expect(draw(0.2)).toEqual(draw(0.2));
  expect(draw(0).every((moves) => moves === null)).toBe(true);
  const looks = draw(0.2).flatMap((moves) => (moves === null ? [] : [moves]));
  expect(looks.length).toBeGreaterThan(150);
  expect(looks.length).toBeLessThan(250);
  for (const [there, back] of looks) {
    expect(back).toEqual({ kind: 'look-back' });
    expect(there.kind === 'look' && Math.abs(there.distance) <= 50 && there.length <= 50).toBe(true);
  }
});

test('it takes the middle of the time to the next key, and none if there is hardly any', async () => {
  const moves = [{ kind: 'look', distance: 1, length: 0 }, { kind: 'look-back' }] as const;
  const lookedIn = async (untilMs: number) => {
    let nowMs = 0;
    const done: [Action['kind'], number][] = [];
    const timer = {
      nowMs: () => nowMs,
      async until(atMs: number) {
        nowMs = atMs;
      },
    };
    const perform = async ({ kind }: Action) => void done.push([kind, nowMs]);
    await look(moves, untilMs, { timer, perform, signal: AbortSignal.abort() });
    return done;
  };
  expect(await lookedIn(150)).toEqual([
    ['look', 50],
    ['look-back', 100],
  ]);
  expect(await lookedIn(50)).toEqual([]);
});
