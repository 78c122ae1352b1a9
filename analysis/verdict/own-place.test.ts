/** A user's cursor and sigils stay where the user put them, but for what others' edits do to them by chance. */
import { expect } from 'vitest';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import { describe, test } from '../test-data/at-once.ts';
import { at, typing } from '../test-data/hand-made-trial.ts';
import { judged, settled, soundTrial, user } from '../test-data/sound-trial.ts';

const judgedWith = (...lines: RecordLine[]) => judged(soundTrial({ users: [user(settled, ...lines), user(settled)] }));
const codesOf = async (...lines: RecordLine[]) => (await judgedWith(...lines)).reasons.map(({ code }) => code);

describe('a cursor', () => {
  const keys = typing(12_500, { offered: 600, performed: 600 });
  const jumps = (count: number, fromMs = 12_000): RecordLine[] =>
    Array.from({ length: count }, (_, jump) => ({ type: 'cursor', atMs: at(fromMs + jump), movedBy: -jump - 1 }));

  test('that others’ changes throw elsewhere again and again is a failure', async () => {
    expect((await judgedWith(keys, ...jumps(7))).reasons).toEqual([
      {
        code: 'cursor-thrown',
        message: expect.stringMatching(/^user-000: .* \(7 × in 600 keys, by up to 7 characters\)$/),
      },
    ]);
  });

  test('that jumps a few times, seldom, or before the measured window is none', async () => {
    const found = await Promise.all([
      codesOf(typing(12_500, { offered: 60, performed: 60 }), ...jumps(4)),
      codesOf(keys, ...jumps(6)),
      codesOf(keys, ...jumps(50, 5000)),
    ]);
    expect(found).toEqual([[], [], []]);
  });
});

describe('sigils', () => {
  type Own = Omit<RecordOf<'own-sigils'>['sigils'][number], 'sigil'>;
  const whole: Own = { brokenAfterMs: null, nearAfterMs: null };
  const sigils = (...groups: [count: number, own: Own][]): RecordLine => ({
    type: 'own-sigils',
    atMs: at(25_000),
    sigils: groups.flatMap(([count, own]) => Array.from({ length: count }, () => ({ sigil: '0000@', ...own }))),
  });
  const torn: Own = { ...whole, torn: true };
  const hit: Own = { brokenAfterMs: 500, nearAfterMs: 500 };
  const near: Own = { brokenAfterMs: null, nearAfterMs: 500 };

  test.each<[string, string[], RecordLine]>([
    ['torn with nobody near', ['torn-sigils'], sigils([3, torn], [20, whole])],
    ['torn once or twice', [], sigils([2, torn], [20, whole])],
    ['hit where nothing came near', ['hit-sigils'], sigils([5, hit], [20, whole])],
    ['hit no more than chance explains', [], sigils([9, hit], [4, near], [20, whole])],
    ['hit more often than that', ['hit-sigils'], sigils([20, hit], [4, near], [20, whole])],
    ['hit by edits that are not concurrent', [], sigils([9, { brokenAfterMs: 4001, nearAfterMs: 4001 }], [20, whole])],
  ])('%s: %o', async (_what, codes, line) => {
    expect(await codesOf(line)).toEqual(codes);
  });
});
