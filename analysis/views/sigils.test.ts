import * as prng from 'lib0/prng';
import { expect } from 'vitest';
import type { RecordLine } from '../../results/formats/records.ts';
import { describe, test } from '../test-data/at-once.ts';
import { at, sent, shown, typing } from '../test-data/hand-made-trial.ts';
import { clock, figuresOf, measuredUser, rowsOf, user, userOff, useTrialFolders } from '../test-data/trial-folder.ts';
import { judge } from '../verdict/judge.ts';
import { openRecords } from './database.ts';

const newFolder = useTrialFolders();

describe('latencies', () => {
  test('golden: three users, two of them with clocks that are off', async () => {
    // User 0 sends at 12,000, due at 11,990, and sees it at 12,016: local 16, response 26.
    // User 1's clock + 100 is the coordinator's: it sees it at 11,950, that is 12,050: end to end 50.
    // User 2's clock - 50 is the coordinator's: it sees it at 12,120, that is 12,070: end to end 70.
    // User 1 sends at its own 12,900 = 13,000 and sees it at its own 12,920: local and response 20.
    // User 0 sees that at 13,040: end to end 40. User 2 never does.
    const figures = await figuresOf([
      user(sent('0000@', 12_000, 11_990), shown('0000@', 12_016), shown('0100@', 13_040)),
      userOff(100, shown('0000@', 11_950), sent('0100@', 12_900), shown('0100@', 12_920)),
      userOff(-50, shown('0000@', 12_120)),
    ]);
    expect([...figures.samples.localLatencyMs!]).toEqual([16, 20]);
    expect([...figures.samples.responseTimeMs!]).toEqual([20, 26]);
    expect([...figures.samples.endToEndLatencyMs!]).toEqual([40, 50, 70]);
    // The worst pair is users 1 and 2: 2 + 2, and half of the 10 s between two measurements at 15 ppm for each.
    expect(figures.columns.clockErrorMs).toBeCloseTo(4.15, 9);
  });

  test('golden: the window is [10,000, 20,000) on the coordinator’s clock, whenever a sigil shows', async () => {
    // User 1's clock + 100 is the coordinator's, so its 9,899 is 9,999 (out), 9,900 is 10,000 (in),
    // 19,899 is 19,999 (in, though it shows after the window), 19,900 is 20,000 (out).
    const sends = [9_899, 9_900, 19_899, 19_900];
    const figures = await figuresOf([
      user(...sends.map((ms, index) => shown(`010${index}@`, ms + 100 + 10 * (index + 1)))),
      userOff(100, ...sends.map((ms, index) => sent(`010${index}@`, ms))),
    ]);
    expect([...figures.samples.endToEndLatencyMs!]).toEqual([20, 30]);
    expect(figures.columns).toMatchObject({ sent: 2, broken: 0, expected: 2, arrived: 2 });
  });

  test('a latency below zero stays, as far as the clocks explain it', async () => {
    // Both clocks are known to ± 2 ms: 3 ms too early is kept, 5 ms is not.
    const figures = await figuresOf([
      userOff(0, sent('0000@', 12_000), sent('0001@', 13_000)),
      userOff(0, shown('0000@', 11_997), shown('0001@', 12_995)),
    ]);
    expect([...figures.samples.endToEndLatencyMs!]).toEqual([-3]);
    expect(figures.columns.beforeSent).toBe(1);
  });
});

test('golden: keys of the window; those that the browser does not report took up to 16 ms', async () => {
  const keys = (atMs: number, count: number, slowMs: number[], slowInteractionMs = slowMs): RecordLine => ({
    type: 'key-latency',
    atMs: at(atMs),
    keys: count,
    slowMs,
    slowInteractionMs,
  });
  // User 1's clock + 100 is the coordinator's: its 9,899 is before the window.
  const figures = await figuresOf([
    user(keys(9000, 5, [80]), keys(11_000, 3, [24], [40]), keys(13_000, 0, [32])),
    userOff(100, keys(9899, 9, [99]), keys(9900, 2, [])),
  ]);
  expect([...figures.samples.keyLatencyMs!]).toEqual([16, 16, 16, 24, 32]);
  expect([...figures.samples.interactionToNextPaintMs!]).toEqual([16, 16, 16, 32, 40]);
});

describe('keys in time', () => {
  /** 100 edits fell due, of which 90 were typed: 80 at once, 6 of them 50 ms late, 4 of them 150 ms late. */
  const typed = typing(12_500, {
    offered: 100,
    performed: 90,
    lagMs: [...Array(80).fill(1), ...Array(6).fill(50), ...Array(4).fill(150)],
  });
  const keys = (slowMs: number[]): RecordLine => ({
    ...({ type: 'key-latency', atMs: at(12_500), keys: 90 } as const),
    ...{ slowMs, slowInteractionMs: slowMs },
  });

  test.each([
    // All show within 16 ms: of 160 ms for the lag and 40 for the key, nobody takes more.
    { slowMs: [], prompt: 90 },
    // Nine take 100 ms. 100 for the lag and 100 for the key: only the four are late.
    { slowMs: Array(9).fill(100), prompt: 90 - 4 },
    // Nine take 130 ms. 60 for the lag and 140 for the key: only the four are.
    { slowMs: Array(9).fill(130), prompt: 90 - 4 },
    // Nine take 170 ms. 20 and 180: the ten sent late. 160 and 40: the nine. In between: the nine and the four.
    { slowMs: Array(9).fill(170), prompt: 90 - 9 },
    { slowMs: Array(90).fill(300), prompt: 0 },
  ])('golden: of slow keys $slowMs, $prompt were in time, at least', async ({ slowMs, prompt }) => {
    const { columns } = await figuresOf([user(typed, keys(slowMs)), user()]);
    expect(columns).toMatchObject({ keysDue: 100, promptKeys: prompt });
  });

  test.each([0, 60])('golden: of 60 due and %d typed, none of a told lateness, 0 were in time', async (performed) => {
    const { columns } = await figuresOf([user(typing(12_500, { offered: 60, performed }), keys([4000])), user()]);
    expect(columns).toMatchObject({ keysDue: 60, promptKeys: 0 });
  });

  test('without keys that the browser timed there are none', async () => {
    expect((await figuresOf([user(typed), user()])).columns).toMatchObject({ keysDue: null, promptKeys: null });
  });
});

describe('filters', () => {
  test('golden: each removes its own, and is counted', async () => {
    const figures = await figuresOf([
      user(
        sent('0000@', 12_000),
        shown('0000@', 11_998), // before sent: on the own screen no clock can explain it
        { type: 'sigil-change-shown', sigil: '0000@', shownMs: at(11_999), change: 'deleted' },
        shown('0000@', 12_010), // so this one is the first that counts
        shown('0000@', 14_000), // repeated
        shown('0000@', 15_000), // repeated
        sent('0001@', 13_000),
        shown('zzzz@', 13_500), // never sent
      ),
      user(
        shown('0001@', 13_050),
        shown('0000@', 13_060), // out of order: 0001@, sent later by the same user, had shown
        shown('zzzz@', 14_000), // never sent
        shown('zzzz@', 14_500), // never sent
      ),
    ]);
    expect(figures.columns).toMatchObject({ neverSent: 3, beforeSent: 1, repeated: 2, outOfOrder: 1 });
    expect([...figures.samples.localLatencyMs!]).toEqual([10]);
    expect([...figures.samples.endToEndLatencyMs!]).toEqual([50]);
  });

  test('two sigils that show in one frame are in order, and so are those of two senders', async () => {
    const figures = await figuresOf([
      user(sent('0000@', 12_000), sent('0001@', 13_000)),
      user(sent('0100@', 12_500)),
      user(shown('0001@', 14_000), shown('0000@', 14_000), shown('0100@', 15_000)),
    ]);
    expect(figures.columns.outOfOrder).toBe(0);
    expect([...figures.samples.endToEndLatencyMs!]).toEqual([1000, 2000, 2500]);
  });

  test('the readiness probe’s marker, shown before typing begins, is no sigil', async () => {
    const figures = await figuresOf([user(shown('zzzz@', -500)), user(shown('zzzz@', -400))]);
    expect(figures.columns.neverSent).toBe(0);
  });
});

describe('clocks', () => {
  const clockOf = (clocks: RecordLine[]) =>
    rowsOf([measuredUser(clocks)], `SELECT offsetMs, errorMs FROM clocks WHERE process = 'user-000'`);

  test('golden: the reading with the least error counts, and the others bound how far the clock moved', async () => {
    // Best: 10 ± 1, and within a moment of it the others tell less. The first says 10 to 14, so nothing moved; the third
    // 16 to 20, so it moved by at least 6. The window begins at 10,000, its own 9,990: 100 ppm of the 5,011 ms until the best are
    // 0.5011 ms.
    const readings = [clock(15_000, 12, 2), clock(15_001, 10, 1), clock(15_002, 18, 2)];
    const [three, two] = await Promise.all([clockOf(readings), clockOf(readings.slice(0, 2))]);
    expect(three).toEqual([{ offsetMs: 10, errorMs: 6 }]);
    expect(two).toEqual([{ offsetMs: 10, errorMs: expect.closeTo(1.5011, 9) }]);
  });

  test('golden: the bound is that of the measurements around the window, or of all where there is none', async () => {
    // 10,000 ms × 15 ppm / 2 = 0.075 ms. The first stretch, with its error of 1.2, lies before the window.
    const readings = [clock(-5000, 7, 1.2), clock(5000, 7, 0.4), clock(15_000, 8, 0.5), clock(25_000, 9, 0.3)];
    const sql = "SELECT errorMs FROM clocks WHERE process = 'user-000'";
    const endless = { 'warm-up': 0, measure: 10_000 };
    const [around, withoutWindow, afterwards, none] = await Promise.all([
      clockOf(readings),
      rowsOf([measuredUser(readings)], sql, endless),
      clockOf([clock(4000, 1000, 2)]),
      clockOf([]),
    ]);
    expect(around).toEqual([{ offsetMs: 9, errorMs: expect.closeTo(0.575, 9) }]);
    expect(withoutWindow).toEqual([{ errorMs: expect.closeTo(1.275, 9) }]);
    // Beyond the last, 100 ppm of the time until the window's end: its 4,000 is the coordinator's 5,000.
    expect(afterwards).toEqual([{ offsetMs: 1000, errorMs: expect.closeTo(3.5, 9) }]);
    expect(none).toEqual([]);
  });

  test('golden: a clock that jumps between two measurements is known no better than the step', async () => {
    // 500 ms in 10 s, where 1 ms of drift and 0.6 of errors could be: 0.3 + 10,000 × 15 ppm / 2 + 500.
    const readings = [0, 10_000, 20_000, 30_000].map((ms) => clock(ms, ms < 15_000 ? 7 : 507, 0.3));
    // 1.5 ms could be drift and errors.
    const drifting = [0, 10_000, 20_000, 30_000].map((ms) => clock(ms, ms < 15_000 ? 7 : 8.5, 0.3));
    const [jumped, drifted] = await Promise.all([clockOf(readings), clockOf(drifting)]);
    expect(jumped).toMatchObject([{ errorMs: expect.closeTo(500.375, 6) }]);
    expect(drifted).toMatchObject([{ errorMs: expect.closeTo(0.375, 6) }]);
  });

  test('golden: between two measurements the offset is a straight line', async () => {
    // User 1's clock loses 4 ms in 20 s. At its own 15,000 it lacks 10 + 4 × 15/20 = 13 ms, so 15,000 is 15,013, and what
    // was sent at 14,973 took 40 ms. On its own screen, 100 ms of its clock are 100 × 1.0002 ms.
    const clocks = [clock(0, 10, 1.1), clock(20_000, 14, 1.1), clock(30_000, 16, 1.1)];
    const figures = await figuresOf([
      user(sent('0000@', 14_973)),
      measuredUser(clocks, shown('0000@', 15_000), sent('0100@', 15_000), shown('0100@', 15_100)),
    ]);
    expect([...figures.samples.endToEndLatencyMs!]).toEqual([expect.closeTo(40, 6)]);
    expect([...figures.samples.localLatencyMs!]).toEqual([expect.closeTo(100.02, 6)]);
    // User 1: 1.1 + 20,000 × 15 ppm / 2; user 0: 0 + 10,000 × 15 ppm / 2.
    expect(figures.columns.clockErrorMs).toBeCloseTo(1.25 + 0.075, 6);
  });

  test('golden: a poor measurement between good ones changes nothing, unless it contradicts them', async () => {
    // The line between the good ones is at 12 then; 20 ± 9 does not contradict that, 30 ± 9 does by 9 ms.
    const good = [clock(0, 10, 1), clock(20_000, 14, 1)];
    const bound = 1 + (20_000 * 15e-6) / 2;
    const [agreeing, contradicting] = await Promise.all(
      [20, 30].map((offsetMs) => clockOf([...good, clock(10_000, offsetMs, 9)])),
    );
    expect(agreeing).toEqual([{ offsetMs: 10, errorMs: expect.closeTo(bound, 9) }]);
    expect(contradicting).toEqual([{ offsetMs: 10, errorMs: expect.closeTo(9, 9) }]);
  });

  test.each([1, 2, 3])(
    'clocks ± 30 s off that drift by 100 ppm: latencies come out right within the bound (seed %i)',
    async (seed) => {
      const { users, phases, trueLatencyMs } = driftingTrial(seed);
      const directory = await newFolder({ users, phases });
      await using records = await openRecords([directory]);
      const found = await records.rows<{ sigil: string; receiver: string; latencyMs: number; boundMs: number }>(
        `SELECT sigil, receiver, endToEndLatencyMs AS latencyMs, own.errorMs + other.errorMs AS boundMs
       FROM end_to_end_latencies AS e
         JOIN clocks AS own ON own.process = e.sender JOIN clocks AS other ON other.process = e.receiver`,
      );
      // In the measured minute each of 4 users sends every 5 s to 3 others.
      expect(found).toHaveLength(4 * 12 * 3);
      for (const { sigil, receiver, latencyMs, boundMs } of found) {
        expect(Math.abs(latencyMs - trueLatencyMs(sigil, receiver))).toBeLessThanOrEqual(boundMs);
        expect(boundMs).toBeLessThan(5);
      }
      const own = await records.rows<{ sigil: string; sender: string; localLatencyMs: number }>('FROM own_latencies');
      expect(own).toHaveLength(4 * 12);
      for (const { sigil, sender, localLatencyMs } of own) {
        expect(Math.abs(localLatencyMs - trueLatencyMs(sigil, sender))).toBeLessThan(0.1);
      }
      expect(await records.rows('FROM filtered')).toMatchObject([{ beforeSent: 0, outOfOrder: 0 }]);
      expect([...(await judge(records)).values()]).toMatchObject([{ verdict: 'valid' }]);
    },
  );
});

/**
 * Six minutes of four users whose clocks are up to 30 s off, drift by up to 100 ppm and wander by 5 ppm more. Each is
 * measured every 10 s, within 0.2 to 1.5 ms; every fifth time, while something else was going on, within 30 ms.
 */
function driftingTrial(seed: number) {
  const generator = prng.create(seed);
  const between = (from: number, to: number) => from + (to - from) * prng.real53(generator);
  const phases = { 'warm-up': 0, measure: 300_000, settle: 360_000, done: 370_000 } as const;
  const clocks = [-30_000, 30_000, between(-1000, 1000), 0].map((skewMs, user) => {
    const rate = [100e-6, -100e-6, between(-100e-6, 100e-6), 100e-6][user]!;
    const turn = between(0, 2 * Math.PI);
    // 0.1 ms up and down in two minutes is 5 ppm at most.
    return (ms: number) => ms + skewMs + rate * ms + 0.1 * Math.sin((2 * Math.PI * ms) / 120_000 + turn);
  });
  const lines: RecordLine[][] = clocks.map(() => []);
  for (const [user, ownMs] of clocks.entries()) {
    for (let ms = -5000 + user * 100; ms < 370_000; ms += 10_000) {
      const errorMs = between(0, 1) < 0.2 ? between(5, 30) : between(0.2, 1.5);
      lines[user]!.push(clock(ownMs(ms), ms - ownMs(ms) + between(-errorMs, errorMs), errorMs));
    }
  }
  const latencies = new Map<string, number>();
  for (let count = 0; count < 72; count++) {
    for (const [sender, senderMs] of clocks.entries()) {
      const sigil = `0${sender}${count.toString(36).padStart(2, '0')}@`;
      const ms = 5000 * count + 1000 * sender + between(0, 900);
      lines[sender]!.push(sent(sigil, senderMs(ms)));
      for (const [receiver, receiverMs] of clocks.entries()) {
        const latencyMs = receiver === sender ? between(2, 20) : between(20, 200);
        latencies.set(`${sigil} user-00${receiver}`, latencyMs);
        lines[receiver]!.push(shown(sigil, receiverMs(ms + latencyMs)));
      }
    }
  }
  return {
    users: lines.map((each) => measuredUser([], ...each)),
    phases,
    trueLatencyMs: (sigil: string, process: string) => latencies.get(`${sigil} ${process}`)!,
  };
}

describe('sigils in time, of all that fell due', () => {
  const second = (counts: { offered: number; performed: number }, sigilsSkipped: number): RecordLine =>
    ({ ...typing(12_500, counts), sigilsSkipped }) as RecordLine;
  const all = { offered: 100, performed: 100 };
  const some = { offered: 100, performed: 90 };

  test('golden: one that was never typed, never seen, or seen late is not in time', async () => {
    // User 0 types three, at once, 300 ms late on the own screen, and never shown there; and gives up two.
    const figures = await figuresOf([
      user(
        second(some, 2),
        ...[sent('0000@', 12_000), shown('0000@', 12_020)],
        ...[sent('0001@', 14_000, 13_900), shown('0001@', 14_200)],
        sent('0002@', 16_000),
      ),
      // At once, after 2.5 s, and never: of three and two, one is in time.
      user(second(all, 0), shown('0000@', 12_100), shown('0001@', 16_500)),
    ]);
    expect(figures.columns).toMatchObject({
      offeredSigils: 5,
      sigilsForOthers: 5,
      prompt: 1,
      expectedSoon: 5,
      soon: 1,
      sigilsSeen: 2,
    });
    // Sigils that were typed and showed look well.
    expect([...figures.samples.localLatencyMs!]).toEqual([20, 200]);
  });
});

describe('arrivals', () => {
  const newer = { sent: sent('0001@', 15_000), shown: shown('0001@', 15_100) };

  test('a starved screen, which shows neither the sigil nor newer ones, misses it', async () => {
    // Two sigils, each wanted by three others, one of whom gets nothing: 4 of 6.
    const both = [shown('0000@', 12_100), newer.shown];
    const figures = await figuresOf([
      user(sent('0000@', 12_000), shown('0000@', 12_010), newer.sent, shown('0001@', 15_010)),
      user(...both),
      user(...both),
      user(),
    ]);
    expect(figures.columns).toMatchObject({ sent: 2, broken: 0, expected: 6, arrived: 4 });
  });

  test('a sigil that others skip, and show the next one of, was broken and is left out', async () => {
    const figures = await figuresOf([
      user(sent('0000@', 12_000), shown('0000@', 12_010), newer.sent, shown('0001@', 15_010)),
      user(newer.shown),
      user(newer.shown),
      user(shown('0000@', 12_100), newer.shown),
    ]);
    expect(figures.columns).toMatchObject({ sent: 2, broken: 1, expected: 3, arrived: 3 });
  });

  test('a sigil that most others showed was whole: who skipped it misses it', async () => {
    const both = [shown('0000@', 12_100), newer.shown];
    const figures = await figuresOf([
      user(sent('0000@', 12_000), newer.sent),
      user(...both),
      user(...both),
      user(newer.shown),
    ]);
    expect(figures.columns).toMatchObject({ sent: 2, broken: 0, expected: 6, arrived: 5 });
  });

  test('where nobody else tells, the sender’s own screen does', async () => {
    // Alive and without the sigil: broken. With it: starved others. Showing nothing at all any more: not proved broken.
    const send = sent('0000@', 12_000);
    const [alive, starving, frozen] = await Promise.all([
      figuresOf([user(send, shown('0100@', 16_000)), user(sent('0100@', 15_900))]),
      figuresOf([user(send, shown('0000@', 12_010)), user()]),
      figuresOf([user(send), user()]),
    ]);
    expect(alive.columns).toMatchObject({ sent: 2, broken: 1, expected: 1, arrived: 1 });
    expect(starving.columns).toMatchObject({ sent: 1, broken: 0, expected: 1, arrived: 0 });
    expect(frozen.columns).toMatchObject({ sent: 1, broken: 0, expected: 1, arrived: 0 });
  });
});
