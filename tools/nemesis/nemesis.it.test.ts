import { setTimeout } from 'node:timers/promises';
import { create } from 'lib0/prng';
import { expect, test } from 'vitest';
import { writeJson } from '../../results/formats/write-file.ts';
import { temporaryFolder } from '../../tests/folders.ts';
import { problemOfVerdict, problemsOfEnd } from './expectations.ts';
import { runNemesis } from './nemesis.ts';
import { formatOutcomes, outcomesAsMarkdown, type RoundOutcome, readRounds, writeRounds } from './outcomes.ts';
import { ResultsOnDisk } from './results-on-disk.ts';
import { chooseStrike, pickSubject } from './subjects.ts';

const KILLED = { role: 'server', effect: 'spoils' } as const;
const reasons = (message: string, code = 'server-process') => [{ code, message }];

test('a trial that lost a part is not valid, and says which', () => {
  const lost = { verdict: 'invalid', reasons: reasons('the server process ended by SIGKILL') } as const;
  expect(problemOfVerdict(KILLED, 'measure', lost)).toBeNull();
  expect(problemOfVerdict(KILLED, 'measure', { verdict: 'valid', reasons: [] })).toMatch(
    /lost its server, but is valid/,
  );
  expect(problemOfVerdict(KILLED, 'done', { verdict: 'valid', reasons: [] })).toBeNull();
  const vague = { verdict: 'invalid', reasons: reasons('something ended') } as const;
  expect(problemOfVerdict(KILLED, 'measure', vague)).toMatch(/no reason names the server/);
});

test('a trial that lost nothing does not say that it did, and one that is not valid says why', () => {
  const stopped = { role: 'users', effect: 'spares' } as const;
  expect(problemOfVerdict(stopped, 'idle', { verdict: 'invalid', reasons: reasons('late', 'loop-late') })).toBeNull();
  const lost = { verdict: 'invalid', reasons: reasons('user 1 is lost', 'user-lost') } as const;
  expect(problemOfVerdict(stopped, 'idle', lost)).toMatch(/nothing was lost/);
  expect(problemOfVerdict(stopped, 'idle', { verdict: 'unknown', reasons: [] })).toMatch(/no reason says why/);
  const excused = { role: 'coordinator', effect: 'excuses' } as const;
  expect(problemOfVerdict(excused, 'serve', lost)).toBeNull();
  expect(problemOfVerdict(excused, 'serve', { ...lost, verdict: 'failed' })).toMatch(/the framework is blamed/);
});

test('a command ends as its faults have it end, with a sentence and no stack', () => {
  const about = { said: 'Running', faults: [{ ends: 'in order' }], isComplete: true, areAllValid: true } as const;
  const by = (code: number | null, signal: string | null = null) => ({ end: { code, signal } });
  expect(problemsOfEnd({ ...about, ...by(0) })).toEqual([]);
  expect(problemsOfEnd({ ...about, ...by(1) })).toHaveLength(1);
  expect(problemsOfEnd({ ...about, ...by(1), areAllValid: false })).toEqual([]);
  expect(problemsOfEnd({ ...about, ...by(0), isComplete: false })).toHaveLength(1);
  expect(problemsOfEnd({ ...about, ...by(null, 'SIGKILL') })).toHaveLength(1);
  const interrupted = { ...about, faults: [{ ends: 'interrupted' }], isComplete: false } as const;
  expect(problemsOfEnd({ ...interrupted, ...by(130), said: 'Running\nInterrupted. Finished trials…' })).toEqual([]);
  expect(problemsOfEnd({ ...interrupted, ...by(130) })).toHaveLength(1);
  expect(problemsOfEnd({ ...interrupted, ...by(null, 'SIGINT') })).toHaveLength(1);
  expect(problemsOfEnd({ ...interrupted, ...by(null, 'SIGINT'), said: '' })).toEqual([]);
  const pulled = { ...about, ...by(0), faults: [{ ends: 'in order', says: /changed/ }] } as const;
  expect(problemsOfEnd(pulled)).toEqual(['it did not say "changed"']);
  expect(problemsOfEnd({ ...pulled, said: 'warning: it changed' })).toEqual([]);
  expect(problemsOfEnd({ ...about, ...by(0), said: 'Error: x\n    at f (file:///a.ts:1:2)\n' })).toHaveLength(1);
});

test('runs are in containers where that is asked for only, and faults there are what reaches into one', () => {
  const random = create(1);
  const subjects = Array.from({ length: 200 }, () => pickSubject(random));
  expect(subjects.filter(({ containers }) => containers)).toEqual([]);
  const contained = pickSubject(random, { containers: true });
  expect(contained.experiment(random, 2)).toMatchObject({ fleet: { on: 'compose' } });
  const strikes = Array.from({ length: 300 }, () => chooseStrike(contained, random));
  const ofOthers = strikes.filter(({ fault }) => fault.role !== 'coordinator').map(({ fault }) => fault.name);
  expect(new Set(ofOthers.map((name) => name.split(' ')[0]))).toEqual(new Set(['SIGKILL', 'SIGSTOP']));
  expect(strikes.map(({ fault }) => fault.name)).toContain('a cut connection of coordinator');
});

const round = (seed: number, more: Partial<RoundOutcome> = {}): RoundOutcome => ({
  ...{ seed, subject: 'replay', violations: [], notOffered: [] },
  struck: [
    { fault: 'SIGKILL server', phase: 'measure', became: 'invalid: server-process', tookMs: 1000 * seed },
    { fault: 'SIGINT', phase: 'start', became: 'exit code 130', tookMs: 200 },
  ],
  ...more,
});

test('a table has a row for each fault and stage, and names seeds that broke something', () => {
  const rounds = [round(5), round(6, { violations: ['left a process'] })];
  const [, first, second, , summary] = formatOutcomes(rounds).split('\n');
  expect(first).toMatch(/^SIGINT +before the first trial +2 +exit code 130 ×2 +0\.2 +0\.2$/);
  expect(second).toMatch(/^SIGKILL server +typing +2 +invalid: server-process ×2 +5\.5 +6\.0$/);
  expect(summary).toBe('4 faults in 2 runs; broken: seeds 6.');
  expect(outcomesAsMarkdown(rounds)).toContain(
    '| SIGINT | before the first trial | 2 | exit code 130 ×2 | 0.2 | 0.2 |',
  );
});

test.runIf(process.platform === 'linux')(
  'the nemesis takes seed after seed, but none twice, until it has enough',
  async () => {
    await using folder = await temporaryFolder();
    const kept = folder.in('rounds.json');
    expect(await readRounds(kept)).toEqual([]);
    await writeRounds(kept, [round(6)]);
    const said: string[] = [];
    const outcomes = await runNemesis({
      ...{ seed: 5, count: 5, forMs: 60_000, say: (text: string) => said.push(text), earlier: await readRounds(kept) },
      signal: new AbortController().signal,
      play: async (seed) => round(seed, { violations: seed === 7 ? ['left a process'] : [] }),
    });
    const seeds = outcomes.map(({ seed }) => seed);
    expect(seeds.length).toBeGreaterThanOrEqual(3);
    expect(seeds).toEqual([5, 7, 8, 9, 10, 11, 12, 13].slice(0, seeds.length));
    expect(said).toContain('  VIOLATION: left a process');
    expect(said).toContain('  again: ./scriptorium test --faults --seed 7 --count 1');
  },
);

test('a run is complete if all have a verdict, but for trials of a cell that was given up', async () => {
  await using folder = await temporaryFolder();
  const results = new ResultsOnDisk(folder.path);
  expect(await results.isComplete()).toBe(false);
  const trials = ['a-1', 'a-2', 'b-1'].map((name) => ({ directory: `trials/${name}` }));
  await writeJson(folder.in('plan.json'), { trials });
  const judge = (name: string, code: string) =>
    writeJson(folder.in('trials', name, 'verdict.json'), {
      ...{ schemaVersion: 1, verdict: 'failed', reasons: [{ code, message: 'm' }], notes: [], converged: null },
    });
  await judge('a-1', 'never-ready');
  await judge('b-1', 'out-of-time');
  expect(await results.isComplete()).toBe(false);
  await judge('a-1', 'out-of-time');
  expect(await results.isComplete()).toBe(true);
});

const NEMESIS = { seed: 1, count: 20, forMs: 60_000, say() {}, signal: new AbortController().signal };

test.runIf(process.platform === 'linux')('rounds that end at once are taken one after the other', async () => {
  let taking = 0;
  const outcomes = await runNemesis({
    ...NEMESIS,
    play: async (seed) => round(seed),
    async onRound() {
      expect(++taking).toBe(1);
      await setTimeout(1);
      taking--;
    },
  });
  expect(outcomes.length).toBeGreaterThanOrEqual(10);
});

test.runIf(process.platform === 'linux')(
  'where one fails, no other begins, and those under way end first',
  async () => {
    const ended: number[] = [];
    const played = runNemesis({
      ...NEMESIS,
      async play(seed) {
        if (seed === 2) throw new Error('no such round');
        await setTimeout(20);
        ended.push(seed);
        return round(seed);
      },
    });
    await expect(played).rejects.toThrow('no such round');
    expect(ended).toContain(1);
    expect(ended.length).toBeLessThanOrEqual(3);
    await setTimeout(50);
    expect(ended.length).toBeLessThanOrEqual(3);
  },
);
