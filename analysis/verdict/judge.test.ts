import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type RecordLine, type RecordOf, SCHEMA_VERSION } from '../../results/formats/records.ts';
import { describe, test } from '../test-data/at-once.ts';
import { at, type HandMadeTrial, NO_EDITS, sent, shown, writeHandMadeTrial } from '../test-data/hand-made-trial.ts';
import { clock, judged, settled, soundTrial, user } from '../test-data/sound-trial.ts';
import { openRecords } from '../views/database.ts';
import { CHECKS } from './checks.ts';
import { judge } from './judge.ts';

async function codesOf(trial: HandMadeTrial): Promise<string[]> {
  return (await judged(trial)).reasons.map(({ code }) => code);
}

/** The same, but for how the second user settled. */
function endingWith(second: Partial<RecordOf<'settled'>>): HandMadeTrial {
  return soundTrial({ users: [user(settled), user({ ...settled, ...second })] });
}

test('a sound trial is valid, without a reason', async () => {
  expect(await judged(soundTrial())).toEqual({
    schemaVersion: 1,
    verdict: 'valid',
    reasons: [],
    notes: [],
    converged: true,
  });
});

describe('what users ended with', () => {
  const defects: [code: string, defect: Partial<RecordOf<'settled'>>][] = [
    ['diverged', { modelDigest: 'other' }],
    ['editor-differs', { editorDigest: 'other' }],
    ['screen-differs', { screenTextDigest: 'other' }],
    // Together they put in 121 and took out 20, so 102 must be left; this document holds 101.
    ['lost-edits', { insertedCharacters: 61, typedCharacters: 61 }],
  ];
  test.each(defects)('%s fails it, and names the user or the number', async (code, defect) => {
    const verdict = await judged(endingWith(defect));
    expect(verdict.verdict).toBe('failed');
    expect(verdict.reasons.map((reason) => reason.code)).toEqual([code]);
    expect(verdict.reasons[0]!.message).toMatch(/user-001|at least 1:/);
  });

  test('what an editor took as its user’s but nobody typed is the framework’s doing', async () => {
    const { verdict, reasons } = await judged(endingWith({ typedCharacters: 59 }));
    expect(verdict).toBe('failed');
    expect(reasons).toEqual([{ code: 'invented-edits', message: expect.stringContaining('typed (60, typed 59)') }]);
  });

  test('keys that an editor never got are the framework’s doing, unless the page lost the focus', async () => {
    const swallowing = endingWith({ typedCharacters: 61 });
    const unfocused = endingWith({ typedCharacters: 61 });
    unfocused.users[1]!.lines.push({ type: 'account', atMs: at(25_000), ...NO_EDITS, focusLosses: 1 });
    const [{ verdict, reasons }, elsewhere] = await Promise.all([judged(swallowing), judged(unfocused)]);
    expect(verdict).toBe('failed');
    expect(reasons).toEqual([{ code: 'swallowed-edits', message: expect.stringContaining('typed (60 of 61)') }]);
    expect(elsewhere).toMatchObject({ verdict: 'invalid', reasons: [{ code: 'focus-lost' }] });
  });

  test('a line that follows another stands for the user', async () => {
    const earlier = { ...settled, atMs: at(24_000), modelDigest: 'other' };
    expect(await codesOf(soundTrial({ users: [user(settled, earlier), user(settled)] }))).toEqual([]);
  });

  test('counts that one user’s record does not have are not known, and nothing is lost', async () => {
    expect(await codesOf(endingWith({ insertedCharacters: null, characters: 1 }))).toEqual([]);
  });

  test('what others took out is not known where a record is missing, and nothing is lost', async () => {
    const users = [user({ ...settled, deletedCharacters: 0, characters: 31 })];
    expect(await judged(soundTrial({ users, processes: ['server', 'user-000', 'user-001'] }))).toMatchObject({
      verdict: 'invalid',
      reasons: [{ code: 'missing-record' }],
    });
  });

  test('where one document cannot be seen, the others must agree all the same', async () => {
    const uncounted = { ...settled, insertedCharacters: null, deletedCharacters: null };
    const unseen = { ...uncounted, modelDigest: null, screenTextDigest: null, editorTextDigest: null };
    const trialOf = (third: Partial<RecordOf<'settled'>>, proof: HandMadeTrial['proof']) =>
      soundTrial({ users: [user(unseen), user(uncounted), user({ ...uncounted, ...third })], proof });
    const [agreeing, differing] = await Promise.all([
      judged(trialOf({}, 'not-compared')),
      judged(trialOf({ modelDigest: 'other' }, 'not-reached')),
    ]);
    expect(agreeing).toMatchObject({
      verdict: 'unknown',
      reasons: [{ code: 'not-compared', message: expect.stringMatching(/^user-000: /) }],
      notes: [{ code: 'model-not-open' }],
      converged: null,
    });
    expect(differing).toMatchObject({
      verdict: 'failed',
      reasons: [{ code: 'diverged', message: expect.stringContaining('2 replicas: 2 different documents') }],
      converged: false,
    });
  });

  test('replicas that agree only after the bound have not proved it', async () => {
    expect(await codesOf(soundTrial({ proof: 'not-reached' }))).toEqual(['not-settled']);
  });

  test('a proof of which the coordinator’s record says nothing is not known', async () => {
    expect(await judged(soundTrial({ proof: null }))).toMatchObject({
      verdict: 'unknown',
      reasons: [{ code: 'not-compared' }],
      converged: null,
    });
  });
});

describe('records', () => {
  test('one that is missing or has no end is named', async () => {
    const processes = ['server', 'user-000', 'user-001', 'user-002'];
    const verdict = await judged(soundTrial({ users: [user(settled), { ...user(), settles: false }], processes }));
    expect(verdict).toMatchObject({ verdict: 'invalid' });
    expect(verdict.reasons).toEqual([
      {
        code: 'missing-record',
        message:
          'the records: missing or incomplete at user-001 (no settled line), user-002 (no process, no clock, no settled line)',
      },
    ]);
  });

  test('a user whose clock was never measured is named', async () => {
    const clockless = { clocks: [], lines: [settled] };
    const verdict = await judged(soundTrial({ users: [user(settled), clockless] }));
    expect(verdict.reasons.map(({ message }) => message)).toEqual([
      'the records: missing or incomplete at user-001 (no clock line)',
    ]);
  });

  test('a fault that the harness met is a reason as it stands, and what it cut short is none', async () => {
    const fault = { code: 'user-lost', message: 'user 1 is lost: its page crashed' };
    const phases = { 'warm-up': 0, measure: 10_000 };
    const lost = { clocks: [], lines: [], settles: false };
    expect(await judged(soundTrial({ users: [user(settled), lost], faults: [fault], phases, proof: null }))).toEqual({
      schemaVersion: 1,
      verdict: 'invalid',
      reasons: [fault],
      notes: [],
      converged: null,
    });
  });

  test('without a whole measured window, or with users that nobody expected, it is unknown', async () => {
    const phases = { 'warm-up': 0, measure: 10_000 };
    expect(await judged(soundTrial({ phases, processes: ['server', 'user-000'] }))).toMatchObject({
      verdict: 'unknown',
      reasons: [
        { code: 'unexpected-record', message: expect.stringContaining('user-001') },
        { code: 'no-window', message: 'coordinator: no whole measured window, as the trial ended before it' },
      ],
    });
  });

  test('a line without a field that its type must have, and one of another schema version, is a defect', async () => {
    const incomplete = { type: 'sigil-shown', sigil: '0000@' } as unknown as RecordLine;
    const next = SCHEMA_VERSION + 1;
    const foreign = { type: 'process', schemaVersion: next, role: 'user', frameworkVersion: '1' };
    const users = [user(settled, incomplete), user(settled, foreign as unknown as RecordLine)];
    expect((await judged(soundTrial({ users }))).reasons).toEqual([
      { code: 'malformed-record', message: 'user-000: malformed lines of type sigil-shown (1)' },
      {
        code: 'foreign-record',
        message: `user-001: records of another schema version (${next}, this analysis reads ${SCHEMA_VERSION}) → read them with the version of the project that wrote them`,
      },
    ]);
  });

  test('a change of a sigil that does not say which is a defect', async () => {
    const changed = { type: 'sigil-change-shown', sigil: '0000@', shownMs: at(12_000) } as unknown as RecordLine;
    expect((await judged(soundTrial({ users: [user(settled, changed), user(settled)] }))).reasons).toEqual([
      { code: 'malformed-record', message: 'user-000: malformed lines of type sigil-change-shown (1)' },
    ]);
  });

  test('a server that left none is noted, with what tells of one that somebody else runs', async () => {
    const [own, foreign] = await Promise.all([
      judged(soundTrial({ server: undefined })),
      judged(soundTrial({ server: undefined, backing: { document: 'fresh' } })),
    ]);
    expect(own).toMatchObject({ verdict: 'valid', notes: [{ code: 'server-unknown' }] });
    expect(own.notes[0]!.message).not.toContain('--metrics');
    expect(foreign.notes).toContainEqual({ code: 'server-unknown', message: expect.stringContaining('--metrics') });
  });

  test('errors in pages are noted, all counted and the first told', async () => {
    const errors = (count: number): RecordLine => ({
      type: 'page-errors',
      atMs: at(count),
      errors: count,
      message: 'TypeError: x',
    });
    const users = [user(settled), user(settled, errors(1), errors(7))];
    expect(await judged(soundTrial({ users }))).toMatchObject({
      verdict: 'valid',
      notes: [{ code: 'page-errors', message: 'user-001: errors of the page (7), the first: TypeError: x' }],
    });
  });

  test('a screen that lacks others’ cursors is noted; one of a user without presence lacks none', async () => {
    const seen = (others: number): RecordLine => ({ type: 'cursors-seen', atMs: at(25_000), others });
    const notesWith = async (...others: (number | null)[]) => {
      const users = others.map((count) => (count === null ? user(settled) : user(settled, seen(count))));
      return (await judged(soundTrial({ users }))).notes;
    };
    const [all, none, lacking] = await Promise.all([notesWith(1, 1), notesWith(null, null), notesWith(1, 0)]);
    expect([all, none]).toEqual([[], []]);
    expect(lacking).toEqual([
      {
        code: 'cursors-unseen',
        message: "user-001 (0 of 1): not every other user's cursor was on the screen at the end",
      },
    ]);
  });

  test('a connection that came back is noted', async () => {
    const reconnected: RecordLine = { type: 'reconnected', atMs: at(1) };
    const users = [user(settled), user(settled, reconnected, reconnected)];
    expect((await judged(soundTrial({ users }))).notes).toEqual([
      { code: 'reconnected', message: expect.stringContaining('user-001 (2 ×): ') },
    ]);
  });
});

describe('a clock', () => {
  const measuredBy = (...clocks: RecordLine[]) =>
    codesOf(soundTrial({ users: [{ clocks: [], lines: [...clocks, { ...settled, characters: 51 }] }] }));

  test('that is known too badly invalidates; a poor measurement among good ones does not', async () => {
    const codes = await Promise.all([
      measuredBy(clock(9000, 9), clock(21_000, 4)),
      measuredBy(clock(9000, 4), clock(15_000, 9), clock(21_000, 4)),
    ]);
    expect(codes).toEqual([['clock-uncertain'], []]);
  });

  test('that drifts evenly is known; one that jumps is not', async () => {
    const codes = await Promise.all([
      measuredBy(clock(9000, 1, 100), clock(15_000, 1, 101.5), clock(21_000, 1, 103)),
      // The poor measurement says 110.5 to 124.5 where the line between the good ones is at 101.5: 9 ms are unexplained.
      measuredBy(clock(9000, 1, 100), clock(15_000, 7, 117.5), clock(21_000, 1, 103)),
    ]);
    expect(codes).toEqual([[], ['clock-uncertain']]);
  });

  test('that jumps by 500 ms between two measurements invalidates', async () => {
    expect(await measuredBy(clock(9000, 0.3, 100), clock(21_000, 0.3, 600))).toEqual(['clock-uncertain']);
  });

  test('that was measured long before the measured window only may have drifted since', async () => {
    // 100 ppm of 60 s are 6 ms; of 15 s 1.5 ms.
    const codes = await Promise.all([-40_000, 5000].map((atMs) => measuredBy(clock(atMs, 1))));
    expect(codes).toEqual([['clock-uncertain'], []]);
  });

  test('that sigils contradict is not known', async () => {
    const sigils = ['0000@', '0001@', '0002@'].map((sigil, index) => ({ sigil, atMs: 12_000 + 1000 * index }));
    const users = [
      user(settled, ...sigils.map(({ sigil, atMs }) => sent(sigil, atMs))),
      user(settled, ...sigils.map(({ sigil, atMs }, index) => shown(sigil, atMs + (index === 2 ? 50 : -50)))),
    ];
    expect(await judged(soundTrial({ users }))).toMatchObject({
      verdict: 'unknown',
      reasons: [
        { message: expect.stringMatching(/^user-000: the clocks disagree \(2 of 3 sigils that it sent /) },
        { message: expect.stringMatching(/^user-001: the clocks disagree \(2 of 3 sigils that it received /) },
      ],
    });
  });
});

describe('a check that cannot be made', () => {
  test('makes the verdict unknown, not valid, and names it', async () => {
    const broken = { ...CHECKS[0]!, view: 'no_such_view' };
    expect(await judged(soundTrial(), [broken, ...CHECKS])).toMatchObject({
      verdict: 'unknown',
      reasons: [{ code: 'check-failed', message: expect.stringContaining('the check no_such_view could not be made') }],
    });
  });

  test('hides nothing that others find', async () => {
    const broken = { ...CHECKS[0]!, view: 'no_such_view' };
    const verdict = await judged(endingWith({ modelDigest: 'other' }), [...CHECKS, broken]);
    expect(verdict).toMatchObject({ verdict: 'failed', reasons: [{ code: 'diverged' }, { code: 'check-failed' }] });
  });
});

test('trials that are open side by side are judged apart', async ({ onTestFinished }) => {
  const directory = await mkdtemp(join(tmpdir(), 'judge-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeHandMadeTrial(join(directory, 'a-1'), soundTrial());
  await writeHandMadeTrial(join(directory, 'b-1'), endingWith({ modelDigest: 'other' }));
  await using records = await openRecords([join(directory, 'a-1'), join(directory, 'b-1')]);
  const verdicts = await judge(records);
  expect([...verdicts].map(([trial, { verdict }]) => [trial, verdict])).toEqual([
    ['a-1', 'valid'],
    ['b-1', 'failed'],
  ]);
});
