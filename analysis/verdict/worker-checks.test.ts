import { expect } from 'vitest';
import type { RecordLine } from '../../results/formats/records.ts';
import { describe, test } from '../test-data/at-once.ts';
import { at, type HandMadeUser } from '../test-data/hand-made-trial.ts';
import { clock, judged } from '../test-data/sound-trial.ts';

interface Process {
  users: number;
  corePercent?: number;
  loopMs?: number;
  lagMs?: number;
}

/** The users of one process without a browser; the first one's record tells of it. */
function usersOf({ users, corePercent = 50, loopMs = 1, lagMs = 1 }: Process, host: number): HandMadeUser[] {
  const cpu = (atMs: number, cpuMs: number): RecordLine => ({
    ...({ type: 'resources', atMs: at(atMs), of: 'chrome', host: `host-${host}`, users, cores: null } as const),
    ...{ cpuMs, memoryBytes: null },
  });
  // 2 % of 400 are that late.
  const typing = (lags: number[]): RecordLine => ({
    ...({ type: 'typing', atMs: at(15_500), offered: 200, performed: 200, skipped: 0 } as const),
    ...{ sigilsSkipped: 0, formats: 0 },
    ...{ lagMs: lags, driverLagMs: lags },
  });
  const late = [...Array<number>(196).fill(0.1), ...Array<number>(4).fill(lagMs)];
  const process: RecordLine[] = [
    cpu(10_000, 0),
    cpu(20_000, 100 * corePercent),
    { type: 'loop-delay', atMs: at(15_000), delays: [[392, 0.5], [8, loopMs]] }, // biome-ignore format: in pairs
  ];
  return Array.from({ length: users }, (_, index) => ({
    clocks: [],
    lines: [clock(15_000, 0.3), ...(index === 0 ? process : []), typing(late), typing(late)],
  }));
}

const judgedWith = (...processes: Process[]) =>
  judged({ users: processes.flatMap(usersOf), server: [], clockErrorLimitMs: 5 });

describe('users of one process without a browser', () => {
  test('who leave it time enough are valid, and nothing needs to be told', async () => {
    expect(await judgedWith({ users: 3 }, { users: 3, corePercent: 69 })).toMatchObject({
      verdict: 'valid',
      notes: [],
    });
  });

  test('who take more than 70 % of its core make the trial invalid, which says how many the machine carries', async () => {
    const { verdict, reasons } = await judgedWith({ users: 8, corePercent: 60 }, { users: 8, corePercent: 80 });
    expect(verdict).toBe('invalid');
    // 16 × √(70 / 80)
    expect(reasons).toMatchObject([{ code: 'worker-limited', message: expect.stringContaining('the 14 users or so') }]);
    expect(reasons[0]!.message).toContain('of a core (80 %, limit 70 %)');
  });

  test('who take 90 % of its core or more tell nothing of how many it carries', async () => {
    const { reasons } = await judgedWith({ users: 8, corePercent: 90 });
    expect(reasons).toMatchObject([{ code: 'worker-limited', message: expect.stringContaining('far fewer users') }]);
  });

  test('one alone may take it all, and be as late as the framework makes it', async () => {
    const alone = { users: 1, corePercent: 98, loopMs: 400, lagMs: 400 };
    const [one, two] = await Promise.all([
      judgedWith(alone, alone),
      judgedWith({ ...alone, users: 2, corePercent: 50 }),
    ]);
    expect(one).toMatchObject({ verdict: 'valid', notes: [] });
    // They are late by each other.
    expect(two.reasons).toMatchObject([{ code: 'driver-stalled' }]);
  });

  test('who are late now and then are told of, where they are measured themselves', async () => {
    const [late, lagging] = await Promise.all([
      judgedWith({ users: 3 }, { users: 3, loopMs: 12 }),
      judgedWith({ users: 3, lagMs: 15 }),
    ]);
    expect(late).toMatchObject({ verdict: 'valid', notes: [{ code: 'worker-late' }] });
    expect(late.notes[0]!.message).toContain('(99th percentile: event loop 12 ms, ');
    expect(lagging.notes).toMatchObject([{ code: 'worker-late' }]);
  });

  test('who are late make the trial invalid, where they are the crowd of users in a browser', async () => {
    const page: HandMadeUser = { clocks: [], lines: [clock(15_000, 0.3)] };
    const judgedBeside = (crowd: Process) =>
      judged({ users: [page, ...usersOf(crowd, 1)], probes: 1, server: [], clockErrorLimitMs: 5 });
    const [inTime, { verdict, notes }, ...tooLate] = await Promise.all([
      judgedBeside({ users: 3 }),
      // Keys as punctual as a recorded crowd's; what is later than at computers of their own is told.
      judgedBeside({ users: 3, loopMs: 45, lagMs: 15 }),
      judgedBeside({ users: 3, loopMs: 55 }),
      judgedBeside({ users: 3, lagMs: 25 }),
    ]);
    expect(inTime).toMatchObject({ verdict: 'valid' });
    expect(verdict).toBe('valid');
    expect(notes.map(({ code }) => code)).toContain('worker-late');
    for (const { verdict, reasons } of tooLate) {
      expect(verdict).toBe('invalid');
      expect(reasons).toMatchObject([{ code: 'worker-limited' }]);
      expect(reasons[0]!.message).toContain('too late to act as a crowd');
    }
  });
});
