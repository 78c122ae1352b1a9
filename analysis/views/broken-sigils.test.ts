/** Sigils that others' edits broke, where the sender's editor tells of it: no measurement, and no loss. */
import { expect } from 'vitest';
import type { RecordLine } from '../../results/formats/records.ts';
import { describe, test } from '../test-data/at-once.ts';
import { at, ownSigils, sent, shown, typing } from '../test-data/hand-made-trial.ts';
import { figuresOf, user } from '../test-data/trial-folder.ts';

/** A second in which nothing was given up. */
const typed: RecordLine = { ...typing(12_500, { offered: 6, performed: 6 }), sigilsSkipped: 0 } as RecordLine;

describe('a sigil', () => {
  test('that was broken while it was typed and mended later shows late on all screens, and is no latency', async () => {
    // Somebody took out of 0000@ at 15,700 what had been typed into it; 0001@ was whole at once.
    const sender = [typed, sent('0000@', 12_000), sent('0001@', 17_000)];
    const mended = [shown('0000@', 15_700), shown('0001@', 17_020)];
    const figures = await figuresOf([
      user(...sender, ...mended, ownSigils({ '0001@': null })),
      user(...mended),
      user(...mended),
    ]);
    expect([...figures.samples.endToEndLatencyMs!]).toEqual([20, 20]);
    expect([...figures.samples.localLatencyMs!]).toEqual([20]);
    expect(figures.columns).toMatchObject({ brokenWhileTyped: 3, brokenLater: 0, outOfOrder: 0 });
    expect(figures.columns).toMatchObject({ sent: 2, broken: 1, expected: 2, arrived: 2, soon: 2 });
    // Nor does it make the page late: one sigil fell due that could be seen, and was.
    expect(figures.columns).toMatchObject({ offeredSigils: 1, prompt: 1, expectedSoon: 2 });
  });

  test.each([
    [
      'soon enough to be concurrent is left out, on quick screens and slow ones alike',
      4000,
      { broken: 1, expected: 0 },
    ],
    ['later than that was to be seen before', 4001, { broken: 0, expected: 2 }],
    ['by nobody is expected on every screen', null, { broken: 0, expected: 2 }],
  ])('that others broke %s', async (_rule, brokenAfterMs, counts) => {
    const sender = [sent('0000@', 12_000), shown('0000@', 12_010), ownSigils({ '0000@': brokenAfterMs })];
    const figures = await figuresOf([user(...sender), user(shown('0000@', 12_100)), user()]);
    const arrived = counts.broken === 1 ? 0 : 1;
    expect(figures.columns).toMatchObject({ sent: 1, ...counts, arrived, brokenLater: counts.broken * 2 });
  });

  test('that its own user broke before others could see it is no loss of theirs', async () => {
    const own = { sigil: '0000@', brokenAfterMs: null, nearAfterMs: null, ownAfterMs: 170 };
    const line: RecordLine = { type: 'own-sigils', atMs: at(25_000), sigils: [own] };
    const figures = await figuresOf([user(sent('0000@', 12_000), shown('0000@', 12_010), line), user(), user()]);
    expect(figures.columns).toMatchObject({ sent: 1, broken: 1, expected: 0, arrived: 0 });
  });

  test('that most screens skipped, though nobody broke it, is lost and not left out', async () => {
    // The screens alone would vote it broken: two of three went on to show the next.
    const newer = [sent('0001@', 15_000), shown('0001@', 15_010)];
    const figures = await figuresOf([
      user(sent('0000@', 12_000), shown('0000@', 12_010), ...newer, ownSigils({ '0000@': null, '0001@': null })),
      user(shown('0001@', 15_100)),
      user(shown('0001@', 15_100)),
      user(shown('0000@', 12_100), shown('0001@', 15_100)),
    ]);
    expect(figures.columns).toMatchObject({ sent: 2, broken: 0, expected: 6, arrived: 4 });
  });

  test('that most screens showed, but one got with the edit that broke it, is not missed there', async () => {
    const newer = [sent('0001@', 15_000), shown('0001@', 15_010)];
    const both = [shown('0000@', 12_100), shown('0001@', 15_100)];
    const figures = await figuresOf([
      user(sent('0000@', 12_000), shown('0000@', 12_010), ...newer, ownSigils({ '0000@': 900, '0001@': null })),
      user(...both),
      user(...both),
      user(shown('0001@', 15_100)),
    ]);
    expect(figures.columns).toMatchObject({ sent: 2, broken: 1, expected: 3, arrived: 3 });
  });
});

test('a sigil that the screens vote broken is no measurement where it shows, mended and late', async () => {
  const newer = [sent('0001@', 13_000), shown('0001@', 13_010)];
  const figures = await figuresOf([
    user(sent('0000@', 12_000), shown('0000@', 12_010), ...newer),
    user(shown('0001@', 13_100)),
    user(shown('0000@', 12_900), shown('0001@', 13_100)),
    user(shown('0001@', 13_100)),
  ]);
  expect([...figures.samples.endToEndLatencyMs!]).toEqual([100, 100, 100]);
  expect(figures.columns).toMatchObject({ sent: 2, broken: 1, expected: 3, arrived: 3 });
});

describe('a sigil that its sender’s own screen showed before its last key', () => {
  test('measures nothing on any screen, is no loss, and says nothing of clocks', async () => {
    // An "@" was left over right of the cursor, so each was whole one key too early, everywhere.
    const early = ['0000@', '0001@', '0002@'].map((sigil, index) => ({ sigil, sentMs: 12_000 + 3000 * index }));
    const sender = early.flatMap(({ sigil, sentMs }) => [sent(sigil, sentMs), shown(sigil, sentMs - 160)]);
    const other = (delayMs: number) => early.map(({ sigil, sentMs }) => shown(sigil, sentMs - 160 + delayMs));
    const whole = ownSigils({ '0000@': null, '0001@': null, '0002@': null });
    // The third screen is slower than a key takes: there alone it would look like a quick arrival.
    const figures = await figuresOf([user(...sender, whole), user(...other(30)), user(...other(250))]);
    expect([...(figures.samples.endToEndLatencyMs ?? [])]).toEqual([]);
    expect([...(figures.samples.localLatencyMs ?? [])]).toEqual([]);
    expect(figures.columns).toMatchObject({ sent: 3, broken: 3, expected: 0, brokenWhileTyped: 3, beforeSent: 6 });
  });

  test.each([
    ['measures nothing either if it shows once more, as somebody’s text came and went in it', [], []],
    ['measures its own showing if what read so was deleted before', [11_900], [16]],
  ])('%s', async (_rule, deletedMs, localLatencyMs) => {
    const deleted = deletedMs.map(
      (ms) => ({ type: 'sigil-change-shown', sigil: '0000@', shownMs: at(ms), change: 'deleted' }) as const,
    );
    const showings = [shown('0000@', 11_840), ...deleted, shown('0000@', deletedMs.length === 0 ? 13_200 : 12_016)];
    const figures = await figuresOf([user(sent('0000@', 12_000), ...showings, ownSigils({ '0000@': null }))]);
    expect([...(figures.samples.localLatencyMs ?? [])]).toEqual(localLatencyMs);
  });
});
