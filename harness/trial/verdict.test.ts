import { describe, expect, test } from 'vitest';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import { keepHistory } from './history.ts';
import { judge } from './verdict.ts';

const settled: RecordOf<'settled'> = {
  type: 'settled',
  atMs: 1,
  modelDigest: 'model',
  shownModelDigest: 'shown',
  editorDigest: 'shown',
  editorTextDigest: 'text',
  screenTextDigest: 'text',
  characters: 101,
  insertedCharacters: 60,
  deletedCharacters: 10,
  typedCharacters: 60,
  savedStateBytes: 1,
  quillStateBytes: 1,
};
const head = (role: 'user' | 'server', user?: number): RecordLine => ({
  type: 'process',
  schemaVersion: 1,
  role,
  user,
  framework: 'yjs',
  frameworkVersion: '1',
  mode: 'noquill',
  node: 'v24',
  chrome: null,
  atMs: 1,
});

/** A sound trial of two users, each of whom put in 60 characters and took out 10: 1 + 120 − 20 = 101 are left. */
function soundTrial(changes: { [user: number]: RecordLine[] } = {}) {
  const history = keepHistory({ expected: ['server', 'user-000', 'user-001'], writers: 2, clockErrorLimitMs: 5 });
  history.converged = true;
  history.add('server', [head('server')]);
  for (const user of [0, 1]) {
    history.add(`user-00${user}`, [
      head('user', user),
      { type: 'clock', atMs: 1, offsetMs: 0, errorMs: 0.3 },
      ...(changes[user] ?? [settled]),
    ]);
  }
  return history;
}
const codes = (history: ReturnType<typeof soundTrial>) => judge(history).reasons.map(({ code }) => code);

describe('verdict', () => {
  test('a sound trial is valid, without a reason', () => {
    expect(judge(soundTrial())).toEqual({
      schemaVersion: 1,
      verdict: 'valid',
      reasons: [],
      notes: [],
      converged: true,
    });
  });

  const defects: [code: string, defect: Partial<RecordOf<'settled'>>][] = [
    ['diverged', { modelDigest: 'other' }],
    ['editor-differs', { editorDigest: 'other' }],
    ['screen-differs', { screenTextDigest: 'other' }],
    ['swallowed-edits', { typedCharacters: 61 }],
    // Together they put in 121 and took out 20, so 102 must be left; this document holds 101.
    ['lost-edits', { insertedCharacters: 61 }],
  ];
  test.each(defects)('%s makes it invalid, and names the user or the number', (code, defect) => {
    const verdict = judge(soundTrial({ 1: [{ ...settled, ...defect }] }));
    expect(verdict.verdict).toBe('invalid');
    expect(verdict.reasons.map((reason) => reason.code)).toEqual([code]);
    expect(verdict.reasons[0]!.message).toMatch(/user-001|at least 1 /);
  });

  test('a fault that the harness met is a reason as it stands', () => {
    const history = soundTrial({ 1: [] });
    history.faults.push({ code: 'user-lost', message: 'user 1 is lost: its page crashed' });
    expect(judge(history)).toMatchObject({
      verdict: 'invalid',
      reasons: [{ message: 'user 1 is lost: its page crashed' }],
    });
  });

  test('a record that is missing or has no end is named', () => {
    expect(codes(soundTrial({ 1: [] }))).toEqual(['missing-record']);
  });

  test('where one document cannot be seen, the others must agree all the same', () => {
    const unseen = { ...settled, modelDigest: null, screenTextDigest: null, editorTextDigest: null };
    const trialOf = (third: RecordOf<'settled'>, converged: boolean | null) => {
      const history = keepHistory({
        expected: ['user-000', 'user-001', 'user-002'],
        writers: 3,
        clockErrorLimitMs: 5,
      });
      history.converged = converged;
      for (const [user, line] of [unseen, settled, third].entries()) {
        history.add(`user-00${user}`, [
          head('user', user),
          { type: 'clock', atMs: 1, offsetMs: 0, errorMs: 0.3 },
          { ...line, insertedCharacters: null, deletedCharacters: null },
        ]);
      }
      return { verdict: judge(history).verdict, codes: codes(history) };
    };
    expect(trialOf(settled, null)).toEqual({ verdict: 'unknown', codes: ['not-compared'] });
    expect(trialOf({ ...settled, modelDigest: 'other' }, false)).toEqual({ verdict: 'invalid', codes: ['diverged'] });
  });

  test('replicas that agree only after the bound have not proved it', () => {
    const history = soundTrial();
    history.converged = false;
    expect(codes(history)).toEqual(['not-settled']);
  });

  describe('a driver', () => {
    /** One second of a user's typing; each of its keys was late by so much, and the driver's part of it by so much. */
    const second = (atMs: number, lagMs: number, driverLagMs: number): RecordLine => ({
      ...({ type: 'typing', atMs, offered: 20, performed: 20, skipped: 0, formats: 0 } as const),
      lagMs: Array(20).fill(lagMs),
      driverLagMs: Array(20).fill(driverLagMs),
    });
    const driver: RecordLine = {
      ...({ type: 'resources', atMs: 12_000, of: 'driver', host: 'host', users: 2 } as const),
      ...{ cores: null, cpuMs: 1, memoryBytes: null },
    };
    const measured: RecordLine[] = [
      { type: 'phase', atMs: 10_000, phase: 'measure' },
      { type: 'phase', atMs: 20_000, phase: 'settle' },
    ];
    /** Two users on each host; the first one's record holds what their driver costs. */
    const reasonsOf = (hosts: number, typingOf: (host: number) => RecordLine[], clockOffsetMs = 0) => {
      const expected = Array.from({ length: 2 * hosts }, (_, user) => `user-${String(user).padStart(3, '0')}`);
      const history = keepHistory({ expected, writers: expected.length, clockErrorLimitMs: 5 });
      history.converged = true;
      history.add('coordinator', measured);
      for (const [user, name] of expected.entries()) {
        history.add(name, [
          head('user', user),
          ...(user % 2 === 0 ? [driver] : []),
          ...typingOf(Math.floor(user / 2)),
          { type: 'clock', atMs: 15_000 - clockOffsetMs, offsetMs: clockOffsetMs, errorMs: 0.3 },
          { ...settled, characters: null, insertedCharacters: null, deletedCharacters: null },
        ]);
      }
      return judge(history).reasons;
    };
    const times = (count: number, line: RecordLine) => Array<RecordLine>(count).fill(line);

    test('that is late by itself invalidates, a framework that blocks does not', () => {
      expect(reasonsOf(1, () => [second(11_500, 800, 1)])).toEqual([]);
      expect(reasonsOf(1, () => [second(11_500, 80, 60)])).toMatchObject([{ code: 'driver-saturated' }]);
    });

    test('of one host among 20 is seen, and its users are named', () => {
      // Two users' 40 keys a second of its 80 in two seconds: enough for a percentile of the host alone.
      const reasons = reasonsOf(20, (host) => times(2, second(11_500, 80, host === 7 ? 60 : 1)));
      expect(reasons).toMatchObject([{ code: 'driver-saturated' }]);
      expect(reasons[0]!.message).toContain('60 ms late');
      expect(reasons[0]!.message).toContain('for user-014, user-015;');
    });

    test('is judged by hosts together where each has typed too little for a percentile', () => {
      // 20 of 800 keys are late: one in 40.
      expect(reasonsOf(20, (host) => [second(11_500, 80, host === 7 ? 60 : 1)])).toEqual([]);
    });

    test('that is late before or after the measured window, as the coordinator’s clock has it, does no harm', () => {
      const around = [second(9500, 800, 600), ...times(2, second(15_500, 1, 1)), second(20_500, 800, 600)];
      expect(reasonsOf(1, () => around)).toEqual([]);
      // On a clock that is an hour behind.
      const hourMs = 3_600_000;
      const behind = (lines: RecordLine[]) =>
        lines.map((line) => (line.type === 'typing' ? { ...line, atMs: line.atMs - hourMs } : line));
      expect(reasonsOf(1, () => behind(around), hourMs)).toEqual([]);
      expect(reasonsOf(1, () => behind([second(15_500, 80, 60)]), hourMs)).toHaveLength(1);
    });
  });

  describe('a clock', () => {
    const clock = (atMs: number, errorMs: number, offsetMs = 0): RecordLine => ({
      type: 'clock',
      atMs,
      offsetMs,
      errorMs,
    });
    const measuredBy = (...clocks: RecordLine[]) => {
      const history = keepHistory({ expected: ['user-000'], writers: 1, clockErrorLimitMs: 5 });
      history.converged = true;
      history.add('coordinator', [
        { type: 'phase', atMs: 10_000, phase: 'measure' },
        { type: 'phase', atMs: 20_000, phase: 'settle' },
      ]);
      history.add('user-000', [head('user', 0), ...clocks, { ...settled, characters: 51 }]);
      return codes(history);
    };

    test('that is known too badly invalidates; a poor measurement among good ones does not', () => {
      expect(measuredBy(clock(9000, 9), clock(21_000, 4))).toEqual(['clock-uncertain']);
      expect(measuredBy(clock(9000, 4), clock(15_000, 9), clock(21_000, 4))).toEqual([]);
    });

    test('that drifts evenly is known; one that jumps is not', () => {
      expect(measuredBy(clock(9000, 1, 100), clock(15_000, 1, 104), clock(21_000, 1, 108))).toEqual([]);
      // The poor measurement says 113 to 127 where the line between the good ones is at 104: 9 ms are unexplained.
      expect(measuredBy(clock(9000, 1, 100), clock(15_000, 7, 120), clock(21_000, 1, 108))).toEqual([
        'clock-uncertain',
      ]);
    });

    test('that was measured long before the measured window only may have drifted since', () => {
      // 100 ppm of 60 s are 6 ms; of 15 s 1.5 ms.
      expect(measuredBy(clock(-40_000, 1))).toEqual(['clock-uncertain']);
      expect(measuredBy(clock(5000, 1))).toEqual([]);
    });
  });

  test('a check that fails itself makes the verdict unknown, not valid', () => {
    const history = soundTrial();
    Object.defineProperty(history, 'faults', {
      get() {
        throw new Error('no access');
      },
    });
    expect(judge(history).verdict).toBe('unknown');
    expect(new Set(codes(history))).toEqual(new Set(['check-failed']));
  });

  test('a machine that was busy throughout is noted', () => {
    const history = soundTrial();
    const machine = (atMs: number, cpuMs: number): RecordLine => ({
      type: 'resources',
      atMs,
      of: 'machine',
      host: 'coordinator',
      users: 0,
      cores: 2,
      cpuMs,
      memoryBytes: 1,
    });
    // 1,960 ms of CPU in 1,000 ms on 2 cores are 98 %.
    history.add('coordinator', [{ type: 'phase', atMs: 100, phase: 'measure' }, machine(100, 0), machine(1100, 1960)]);
    expect(judge(history)).toMatchObject({ verdict: 'valid', notes: [{ code: 'machine-busy' }] });
    // What comes after the measured window does not count.
    history.add('coordinator', [{ type: 'phase', atMs: 1100, phase: 'settle' }, machine(2100, 1960)]);
    expect(judge(history).notes).toMatchObject([{ code: 'machine-busy' }]);
  });
});
