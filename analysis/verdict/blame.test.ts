import { expect } from 'vitest';
import { FRAMEWORK_FAILURES, type RecordLine } from '../../results/formats/records.ts';
import { describe, test } from '../test-data/at-once.ts';
import { at, type HandMadeTrial } from '../test-data/hand-made-trial.ts';
import { clock, judged, settled, soundTrial, user } from '../test-data/sound-trial.ts';

describe('who is to blame', () => {
  const machine = (atMs: number, cpuMs: number): RecordLine => ({
    ...({ type: 'resources', atMs: at(atMs), of: 'machine', host: 'coordinator', users: 0 } as const),
    ...{ cores: 2, cpuMs, memoryBytes: 1 },
  });
  const differing = [user(settled), user({ ...settled, modelDigest: 'other' })];
  const busy = { coordinator: [machine(10_000, 0), machine(11_000, 1960)] };

  const early = { phases: { 'warm-up': 0, measure: 10_000 }, proof: null };
  test.each([...FRAMEWORK_FAILURES])('the framework, where a trial ends by %s', async (code) => {
    const faults = [{ code, message: 'm' }];
    expect(await judged(soundTrial({ faults, ...early }))).toMatchObject({ verdict: 'failed', reasons: faults });
  });

  test.each(['server-process', 'server-lost'])('the framework, where it ends by %s on a busy machine', async (code) => {
    const faults = [{ code, message: 'm' }];
    expect(await judged(soundTrial({ faults, ...early, ...busy }))).toMatchObject({
      verdict: 'failed',
      reasons: faults,
    });
  });

  /** 6 % of 2 cores' time, until the trial fails at 26 s. */
  const stolen = [0, 10_000, 26_000].map(
    (ms): RecordLine => ({ type: 'withheld', atMs: at(ms), cores: 2, stealMs: 0.12 * ms, throttledMs: null }),
  );
  test.each<[string, HandMadeTrial['phases']]>([
    ['the warm-up', { 'warm-up': 0 }],
    ['its measured window', { 'warm-up': 0, measure: 10_000 }],
    ['the first second of that', { 'warm-up': 0, measure: 25_200 }],
  ])('nobody, where a client is lost in %s on a machine of which its hypervisor took much', async (_, phases) => {
    const faults = [{ code: 'client-lost', message: 'm' }];
    const given = { faults, phases, proof: null };
    const [excused, blamed] = await Promise.all([
      judged(soundTrial({ ...given, coordinator: stolen })),
      judged(soundTrial({ ...given, faults: [{ code: 'server-lost', message: 'm' }], coordinator: stolen })),
    ]);
    expect(excused).toMatchObject({
      verdict: 'invalid',
      reasons: [{ code: 'client-lost' }, { code: 'machine-stolen' }],
    });
    expect(blamed).toMatchObject({ verdict: 'failed' });
  });

  test('the machine, where it slept and the framework was too slow', async () => {
    const code = { commit: 'c', changed: false, sources: 's', isCodeOfRun: true };
    const around = (atMs: number, sleptMs: number): RecordLine => ({
      ...{ type: 'surroundings', ...code, otherRuns: [], atMs: at(atMs) },
      ...{ uptimeMs: 5_000_000 + atMs + sleptMs, wallMs: 1_700_000_000_000 + atMs + sleptMs },
    });
    const coordinator = [around(-5000, 0), around(35_000, 90_000)];
    expect(await judged(soundTrial({ users: differing, coordinator, proof: 'not-reached' }))).toMatchObject({
      verdict: 'invalid',
      reasons: [{ code: 'diverged' }, { code: 'machine-slept' }],
    });
  });

  test('the machine, where it was busy throughout a warm-up that ended the trial', async () => {
    const given = { faults: [{ code: 'client-lost', message: 'm' }], phases: { 'warm-up': 0 }, proof: null };
    expect(await judged(soundTrial({ ...given, ...busy }))).toMatchObject({
      verdict: 'invalid',
      reasons: [{ code: 'client-lost' }, { code: 'machine-busy' }],
    });
  });

  test.each(['users-process', 'user-lost', 'too-slow', 'server-machine', 'server-connection', 'store-lost'])(
    'the harness, where it ends by %s',
    async (code) => {
      const faults = [{ code, message: 'm' }];
      expect(await judged(soundTrial({ faults, ...early }))).toMatchObject({ verdict: 'invalid', reasons: faults });
    },
  );

  describe.each(['server-late', 'never-ready'])('a start that ends by %s', (code) => {
    const starts = { phases: { serve: 0, admit: 1000 }, proof: null, faults: [{ code, message: 'm' }] };
    /** From the last step on so busy, with so much taken by the hypervisor; the second before it the machine had idled. */
    const coordinator = (cpuMs: number, stealMs: number): RecordLine[] => [
      machine(0, 0),
      ...[1, 2, 3].flatMap((second): RecordLine[] => [
        machine(1000 * second, cpuMs * (second - 1)),
        { type: 'withheld', atMs: at(1000 * second), cores: 2, stealMs: stealMs * (second - 1), throttledMs: null },
      ]),
    ];

    test.each([
      ['full', 1960, 0],
      ['full with what its hypervisor took', 1000, 960],
    ])('on a machine that was %s tells nothing', async (_, cpuMs, stealMs) => {
      expect(await judged(soundTrial({ ...starts, coordinator: coordinator(cpuMs, stealMs) }))).toMatchObject({
        verdict: 'invalid',
        reasons: [
          { code },
          {
            code: 'machine-busy',
            message: expect.stringContaining('2 cores were busy all the time that the start took (98 %)'),
          },
        ],
      });
    });

    test('fails, where the machine had time to spare', async () => {
      expect(await judged(soundTrial({ ...starts, coordinator: coordinator(1200, 0) }))).toMatchObject({
        verdict: 'failed',
        reasons: starts.faults,
      });
    });
  });

  test('the framework, where its server ended at the start, however busy the machine', async () => {
    const faults = [{ code: 'server-lost', message: 'm' }];
    const coordinator = [machine(1000, 0), machine(3000, 3920)];
    const phases = { serve: 0, admit: 1000 };
    expect(await judged(soundTrial({ phases, proof: null, faults, coordinator }))).toMatchObject({
      verdict: 'failed',
      reasons: faults,
    });
  });

  test('the machine, where it was busy throughout and the framework was too slow', async () => {
    expect(await judged(soundTrial({ users: differing, ...busy, proof: 'not-reached' }))).toMatchObject({
      verdict: 'invalid',
      reasons: [{ code: 'diverged' }, { code: 'machine-busy' }],
      notes: [],
    });
  });

  const older: RecordLine = {
    ...({ type: 'copies', atMs: at(25_000), savedDigest: 'older' } as const),
    ...{ lateDigest: null, lateProblem: null },
  };
  test('the framework, where slowness cannot be why', async () => {
    const { verdict, notes } = await judged(soundTrial({ users: [user(settled, older), user(settled)], ...busy }));
    expect(verdict).toBe('failed');
    expect(notes).toMatchObject([{ code: 'machine-busy' }]);
  });

  test('the framework, where only a clock is not known well enough', async () => {
    const users = [user(settled, clock(15_000, 9)), user({ ...settled, modelDigest: 'other' })];
    users[0]!.lines.shift();
    expect(await judged(soundTrial({ users }))).toMatchObject({
      verdict: 'failed',
      reasons: [{ code: 'diverged' }, { code: 'clock-uncertain' }],
    });
  });
});
