/** The age of others' text on a screen, by what its authors had. */
import { expect } from 'vitest';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import { describe, test } from '../test-data/at-once.ts';
import { at, type HandMadeTrial, sent } from '../test-data/hand-made-trial.ts';
import { askTrial } from '../test-data/opened-together.ts';
import { clock, measuredUser, rowsOf, user, userOff } from '../test-data/trial-folder.ts';

/** A sample each second: of own text, which grows by ten characters a second, and of others' as old as it is told. */
function samples(ageMs: (ms: number) => number, { fasterMs = 0, others = 1 } = {}): RecordLine {
  const had = (ms: number) => Math.max(0, Math.floor(ms / 100));
  const times = Array.from({ length: 21 }, (_, second) => second * 1000);
  return {
    type: 'text-samples',
    atMs: at(25_000),
    samples: times.map((ms) => [at(ms) + fasterMs, had(ms), others * had(ms - ageMs(ms))]),
  };
}
const seen = samples(() => 0);
const FIGURES = 'SELECT textSamples, textsInTime, round(textAgeMs, -2) AS textAgeMs FROM text_figures';

test('golden: a sigil’s leaving, and looks at text, are set straight as all else', async () => {
  // At its own 15,000 the clock lacks 13 ms.
  const clocks = [clock(0, 10, 1.1), clock(20_000, 14, 1.1)];
  const played = measuredUser(clocks, { ...(sent('0000@', 15_000) as RecordOf<'sigil-sent'>), leftMs: at(15_020) });
  const looks: RecordLine = { type: 'text-samples', atMs: at(25_000), samples: [[at(15_000), 1, 0]] };
  const [left, looked] = await Promise.all([
    rowsOf([played], `SELECT leftCoordinatorMs - ${at(0)} AS ms FROM sends`),
    rowsOf([measuredUser(clocks, looks)], `SELECT atMs - ${at(0)} AS ms FROM text_samples`),
  ]);
  expect(left).toEqual([{ ms: expect.closeTo(15_033, 6) }]);
  expect(looked).toEqual([{ ms: expect.closeTo(15_013, 6) }]);
});

describe('others’ text', () => {
  test('that shows at once is as old as the grid, and what is late is as old as it is', async () => {
    const users = [
      user(samples(() => 0)),
      user(samples(() => 3000)),
      userOff(
        500,
        samples(() => 1000, { fasterMs: -500 }),
      ),
    ];
    const [atOnce, late] = await Promise.all([2, 1].map((other) => rowsOf([users[0]!, users[other]!], FIGURES)));
    expect(atOnce).toEqual([{ textSamples: 20, textsInTime: 20, textAgeMs: 500 }]);
    expect(late).toEqual([{ textSamples: 20, textsInTime: 10, textAgeMs: 1500 }]);
  });

  test('of several users counts together', async () => {
    const users = [0, 1, 2].map((each) => user(samples(() => 4000 * Math.sign(each), { others: 2 })));
    expect(await rowsOf(users, FIGURES)).toEqual([{ textSamples: 30, textsInTime: 10, textAgeMs: 4000 }]);
  });

  test('that its authors delete faster than they type is not late by a character that is missing', async () => {
    const times = Array.from({ length: 21 }, (_, second) => second * 1000);
    const falling = (missing: number): RecordLine => ({
      type: 'text-samples',
      atMs: at(25_000),
      samples: times.map((ms) => [at(ms), 400 - ms / 500, 400 - ms / 500 - missing]),
    });
    const [few, many] = await Promise.all(
      [2, 9].map((missing) => rowsOf([user(falling(missing)), user(falling(missing))], FIGURES)),
    );
    expect(few).toMatchObject([{ textsInTime: 20 }]);
    expect(many).toMatchObject([{ textsInTime: 0 }]);
  });

  test('that comes in bursts is late between them', async () => {
    const bursts = user(samples((ms) => ms % 5000));
    expect(await rowsOf([user(seen), bursts], FIGURES)).toEqual([{ textSamples: 20, textsInTime: 16, textAgeMs: 0 }]);
  });

  test('that never grows is not old; what never shows is older than is looked for', async () => {
    const still: RecordLine = {
      ...(samples(() => 0) as RecordLine & { type: 'text-samples' }),
      samples: [[at(0), 5, 7] as [number, number, number], [at(15_000), 5, 7], [at(20_000), 5, 7]],
    } as RecordLine;
    const ages = 'SELECT max(ageMs) AS most FROM text_ages';
    const [unchanged, unseen] = await Promise.all([
      rowsOf([user(still), user({ ...still })], ages),
      rowsOf([user(seen), user(samples(() => 60_000))], ages),
    ]);
    expect(unchanged).toMatchObject([{ most: expect.closeTo(0, -3) }]);
    expect(unseen).toEqual([{ most: 10_000 }]);
  });

  test('of authors who pause is as old as it is, whether they pause for long or come late', async () => {
    // The first author types from 2 to 3 s and from 16 s on, a letter each 0.1 s; the second all the time, but from 5 to 10 s.
    const first = (ms: number) => Math.max(0, Math.min(ms, 3000) - 2000, ms - 15_000) / 100;
    const second = (ms: number) => Math.min(ms, Math.max(5000, ms - 5000)) / 100;
    const line = (seconds: readonly number[], own: typeof first, others: typeof first, ageMs: number): RecordLine => ({
      type: 'text-samples',
      atMs: at(25_000),
      samples: seconds.map((each) => [at(1000 * each), own(1000 * each), others(Math.max(0, 1000 * each - ageMs))]),
    });
    const long = [2, 16, 17, 18, 19, 20];
    const most = [0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
    for (const [ageMs, textsInTime] of [
      [0, 14],
      [4000, 9],
    ] as const) {
      const users = [user(line(long, first, second, ageMs)), user(line(most, second, first, ageMs))];
      expect(await rowsOf(users, FIGURES)).toMatchObject([{ textSamples: 14, textsInTime }]);
    }
  });

  test('is not known if not every user was sampled, or agents type too', async () => {
    const company = { agents: 1, clientReaders: 0, socketReaders: 0 };
    const besideAgent = askTrial({ users: [user(seen), user(seen), user(seen)], company }, ({ records }) =>
      records.rows(FIGURES),
    );
    expect(await Promise.all([rowsOf([user(seen), user()], FIGURES), besideAgent])).toEqual([[], []]);
  });

  test('is that of those who type, at the probes’ screens: who only watches or reads has no part in it', async () => {
    const rows = (trial: HandMadeTrial) => askTrial(trial, ({ records }) => records.rows(FIGURES));
    // In the end each tells what it holds.
    const watcher = user({ type: 'text-samples', atMs: at(25_000), samples: [[at(21_000), 0, 420]] });
    const both = [user(samples(() => 1000)), user(samples(() => 1000))];
    const company = { agents: 0, clientReaders: 1, socketReaders: 0 };
    const late = user(samples(() => 5000));
    const found = await Promise.all([
      rows({ users: both }),
      rows({ users: [...both, watcher], writers: 2 }),
      rows({ users: [...both, watcher], company }),
      rows({ users: [both[0]!, late], probes: 1 }),
    ]);
    const all = { textSamples: 20, textsInTime: 20, textAgeMs: 1000 };
    expect(found).toEqual([[all], [all], [all], [{ textSamples: 10, textsInTime: 10, textAgeMs: 1000 }]]);
  });
});
