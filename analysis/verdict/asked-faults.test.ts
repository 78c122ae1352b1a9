/** Trials in which the experiment asked for faults: what these explain is a note, all else is judged as ever. */
import { expect } from 'vitest';
import { ASKED_FAULTS, type AskedFaultKind } from '../../results/formats/fault-records.ts';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import { describe, test } from '../test-data/at-once.ts';
import { at, type HandMadeTrial } from '../test-data/hand-made-trial.ts';
import { clock, judged, settled, soundTrial, user } from '../test-data/sound-trial.ts';

function asked(kind: AskedFaultKind): RecordLine {
  return { type: 'asked-fault', fault: 0, kind, beganMs: at(12_000), endedMs: at(14_000), users: [] };
}

function endingWith(second: Partial<RecordOf<'settled'>>, given: Partial<HandMadeTrial>): HandMadeTrial {
  return soundTrial({ users: [user(settled), user({ ...settled, ...second })], ...given });
}

describe('a trial in which something was asked to break', () => {
  const findings: [code: string, given: Partial<RecordOf<'settled'>>, proof: HandMadeTrial['proof']][] = [
    ['diverged', { modelDigest: 'other' }, 'not-reached'],
    ['not-settled', {}, 'not-reached'],
    ['editor-differs', { editorDigest: 'other' }, 'reached'],
    ['lost-edits', { insertedCharacters: 61, typedCharacters: 61 }, 'reached'],
    ['invented-edits', { typedCharacters: 59 }, 'reached'],
    ['swallowed-edits', { typedCharacters: 61 }, 'reached'],
  ];
  test.each(findings)(
    '%s is a note where it took the connection away, and else as ever',
    async (code, given, proof) => {
      const [noted, { verdict, reasons }] = await Promise.all([
        judged(endingWith(given, { coordinator: [asked('server-restart')], proof })),
        judged(endingWith(given, { proof })),
      ]);
      expect(noted).toMatchObject({ verdict: 'valid', reasons: [], converged: proof === 'reached' });
      expect(noted.notes).toEqual([{ code, message: expect.stringMatching(/^after what was asked to break: /) }]);
      expect(verdict).toBe('failed');
      expect(reasons).toMatchObject([{ code }]);
    },
  );

  test.each(ASKED_FAULTS)('%s: whether it takes the connection away', async (kind) => {
    const { verdict } = await judged(endingWith({ modelDigest: 'other' }, { coordinator: [asked(kind)] }));
    expect(verdict).toBe(kind === 'network-slow' ? 'failed' : 'valid');
  });

  test('a server that does not end in order within what a deploy grants is told of', async () => {
    const rolled = (forMs: number): RecordLine => ({
      ...{
        type: 'asked-fault',
        fault: 0,
        kind: 'server-roll',
        beganMs: at(12_000),
        endedMs: at(12_000 + forMs),
        users: [],
      },
    });
    const notesOf = async (forMs: number) => (await judged(soundTrial({ coordinator: [rolled(forMs)] }))).notes;
    const [inOrder, late] = await Promise.all([notesOf(22_000), notesOf(33_000)]);
    expect(inOrder).toEqual([]);
    expect(late).toMatchObject([{ code: 'ended-late', message: expect.stringContaining('(33 s until') }]);
  });

  test('what no fault explains is judged as ever', async () => {
    const coordinator = [asked('server-restart'), asked('offline')];
    const users = [user(settled, clock(15_000, 9)), user({ ...settled, modelDigest: 'other' })];
    users[0]!.lines.shift();
    const faults = [{ code: 'server-process', message: 'it did not come up again' }];
    const [differing, uncertain, gone] = await Promise.all([
      judged(endingWith({ screenTextDigest: 'other' }, { coordinator })),
      judged(soundTrial({ users, coordinator })),
      judged(soundTrial({ coordinator, faults, proof: null })),
    ]);
    expect(differing).toMatchObject({ verdict: 'failed', reasons: [{ code: 'screen-differs' }] });
    expect(uncertain).toMatchObject({
      verdict: 'invalid',
      reasons: [{ code: 'clock-uncertain' }],
      notes: [{ code: 'diverged' }],
    });
    expect(gone).toMatchObject({ verdict: 'failed', reasons: faults });
  });

  test('who gave up for good is named', async () => {
    type State = RecordOf<'connection'>['state'];
    const line = (state: State, ms: number): RecordLine => ({ type: 'connection', atMs: at(ms), state });
    const users = [
      user(settled, line('lost', 12_000), line('gone', 18_000)),
      user(settled, line('gone', 12_100), line('back', 13_000)),
    ];
    expect(await judged(soundTrial({ users, coordinator: [asked('offline')] }))).toMatchObject({
      verdict: 'valid',
      notes: [{ code: 'client-gone', message: 'user-000: the client gave its connection up for good' }],
    });
  });
});
