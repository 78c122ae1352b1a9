import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { textHash } from '../../editors/base/instrument/ledger.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { nowMs, realTimer, type Timer } from '../../infra/clock.ts';
import { type Fleet, LOOPBACK } from '../../infra/fleet.ts';
import type { Phase } from '../../results/formats/records.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { AGREED, codesButPace, never, QUIET_TRIAL, recordLines } from '../../tests/runs.ts';
import type { Edit } from '../../traces/edits.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { planTrial } from '../experiment/plan.ts';
import type { EditorDriver, EditorDriverEvents } from '../users/editor-driver.ts';
import { runUser } from '../users/user.ts';
import { connectToCoordinator } from './control-connection.ts';
import { CONTROL_URL_VARIABLE } from './protocol.ts';
import { runTrial } from './trial.ts';
import { type DocumentSource, OWN_SERVER } from './trial-options.ts';

/** How much the screens' clocks are ahead of this process's, which types and is the coordinator's: none may be taken for the other. */
const SCREEN_AHEAD_MS = 3_600_000;
const screenNowMs = () => nowMs() + SCREEN_AHEAD_MS;

/**
 * A fleet without processes: users whose drivers only keep a text, and "show" each other's sigils at once,
 * and a server that only says that it is ready. The coordinator and its connections are real.
 */
function fakeFleet(
  faults: {
    userFalls?: boolean;
    fallsSettling?: boolean;
    diverges?: boolean;
    neverReady?: boolean;
    launchHangs?: boolean;
  } = {},
) {
  const screens: EditorDriverEvents[] = [];
  const text: string[] = [];
  const state = { stopped: 0, launched: [] as string[], joined: [] as { user: number; url: string; atMs: number }[] };

  function fakeDriver(user: number): EditorDriver {
    let insertedCharacters = 0;
    let insertedHash = 0;
    return {
      async join({ serverUrl }, events) {
        state.joined.push({ user, url: serverUrl, atMs: nowMs() });
        if (faults.neverReady && user === 1) throw new Error('the page does not load');
        screens[user] = events;
      },
      async perform(action) {
        if (faults.userFalls && user === 1 && action.kind === 'key') throw new Error('Chrome is gone');
        if (action.kind !== 'key' && action.kind !== 'sigil-key') return;
        text.push(action.text);
        insertedCharacters += action.text.length;
        insertedHash += textHash(action.text);
        if (action.kind === 'sigil-key' && action.last) {
          for (const screen of screens) screen.onSigil(action.sigil, screenNowMs() + 1);
        }
      },
      measureClock: async () => ({ offsetMs: SCREEN_AHEAD_MS, errorMs: 0.1 }),
      sample: async () => ({
        atMs: screenNowMs(),
        characters: text.length,
        // As much as no text would go without.
        traffic: { sentBytes: 9 * text.length, receivedBytes: 9 * text.length, sentMessages: 0, receivedMessages: 0 },
      }),
      async state() {
        if (faults.fallsSettling && user === 1) throw new Error('Chrome is gone');
        const differing = faults.diverges && { modelDigest: `model ${user}` };
        return { ...AGREED, ...differing, characters: text.length + 1 };
      },
      ownEdits: async () => ({
        insertedCharacters,
        insertedHash,
        deletedCharacters: 0,
        deletedOfOthersCharacters: 0,
        takenCharacters: 0,
        restoredCharacters: 0,
        formats: 0,
        undoneFormats: 0,
        undoneFormatsByChance: 0,
        restoredByChanceCharacters: 0,
        mostVanishedCharacters: 0,
        // The first is the author of what an empty document holds, too.
        claimedCharacters: insertedCharacters + (user === 0 ? 1 : 0),
        claimedHash: 0,
        documentHash: 0,
      }),
      contents: async () => ({ model: '[]', editor: '[]' }),
      savedStateBase64: async () => '',
      flush: async () => {},
      profile: async () => '{}',
      leave: async () => {},
    };
  }

  const fleet: Fleet = {
    network: LOOPBACK,
    async launch(job) {
      if (faults.launchHangs) return new Promise(() => {});
      state.launched.push(job.name);
      const url = job.environment[CONTROL_URL_VARIABLE]!;
      if (job.name === 'server') {
        serveFake(await connectToCoordinator({ url, user: null }));
      } else {
        const users = Number(job.arguments[job.arguments.indexOf('--users') + 1]);
        for (let user = 0; user < users; user++) {
          const control = await connectToCoordinator({ url, user });
          const versions = { framework: '1', chrome: null };
          runUser({ control, driver: fakeDriver(user), versions, onGo: () => {} });
        }
      }
      return { address: '127.0.0.1', failed: new Promise(() => {}) };
    },
    async stop() {
      state.stopped++;
    },
  };
  return { fleet, state };
}

async function serveFake(control: Awaited<ReturnType<typeof connectToCoordinator>>) {
  control.record({
    type: 'process',
    schemaVersion: 2,
    role: 'server',
    framework: 'loopback',
    frameworkVersion: '1',
    mode: 'noquill',
    node: process.version,
    chrome: null,
    atMs: nowMs(),
  });
  control.flush();
  control.send({ type: 'ready', ports: [1] });
  for await (const order of control.orders) {
    if (order.type === 'collect')
      control.send({ type: 'outcome', contents: null, editorContents: null, savedState: null });
    if (order.type === 'profile') {
      // Half of a phase of 100 ms.
      expect(order.durationMs).toBeCloseTo(50, 0);
      control.send({ type: 'cpu-profile', profile: '{}' });
    }
  }
}

const edits: Edit[] = [{ kind: 'key', move: 0, text: 'x' }];
const directory = folderOfEachTest();

async function run(
  faults: Parameters<typeof fakeFleet>[0] = {},
  { signal = never, ...given }: { signal?: AbortSignal; source?: DocumentSource; timer?: Timer } = {},
) {
  const experiment = resolveExperiment(
    {
      name: 'test',
      frameworks: ['loopback'],
      modes: ['noquill'],
      users: [2],
      writers: 1,
      durations: { warmUp: '300ms', measure: '700ms', profile: '100ms', settle: faults.diverges ? '1s' : '5s' },
      typing: { keysPerSecond: 40, sigilPeriod: '500ms' },
    },
    { frameworks: await discoverFrameworks() },
  );
  // The resolved rules forbid what loopback cannot do; these drivers can.
  experiment.writers = 'all';
  const { fleet, state } = fakeFleet(faults);
  const phases: Phase[] = [];
  const verdict = await runTrial({
    planned: planTrial(experiment, { framework: 'loopback', mode: 'noquill', users: 2, trial: 1 }),
    experiment,
    version: '1',
    source: OWN_SERVER,
    ...given,
    startText: '',
    editsFor: () => edits,
    fleet,
    pageFolder: directory.path,
    directory: directory.path,
    ...QUIET_TRIAL,
    observer: { onPhase: (phase) => phases.push(phase), onRecords() {} },
    signal,
  });
  return { verdict, phases, ...state };
}

/** Unless the tests' machine was too busy to type. */
function expectValid({ verdict, reasons, converged }: Verdict): void {
  expect(codesButPace(reasons)).toEqual([]);
  expect(converged).toBe(true);
  expect(verdict).toBe(reasons.length === 0 ? 'valid' : 'invalid');
}

describe('trial', () => {
  test('goes through its steps in order, and leaves verdict, records, documents and profiles', async () => {
    const { verdict, phases, stopped } = await run();
    expectValid(verdict);
    expect(phases.join(' ')).toBe('serve admit ready idle warm-up measure profile settle collect done');
    expect(stopped).toBe(1);
    const lines = await recordLines(directory.path, 'user-001');
    const sent = lines.filter((line) => line.type === 'sigil-sent');
    // 1.1 s of typing with a sigil each 0.5 s.
    expect(sent.length).toBeGreaterThanOrEqual(2);
    for (const { dueMs, sentMs } of sent) expect(sentMs - dueMs).toBeGreaterThanOrEqual(0);
    // All of it on the screen's clock, from the first line on.
    for (const line of lines) {
      if ('atMs' in line) expect(Math.abs(line.atMs - screenNowMs()), line.type).toBeLessThan(SCREEN_AHEAD_MS / 2);
    }
    const typed = lines.filter((line) => line.type === 'typing');
    expect(typed.reduce((sum, line) => sum + line.offered, 0)).toBe(44);
    expect(lines.some((line) => line.type === 'sigil-shown' && line.sigil === '00@zz')).toBe(false);
    expect(await readFile(directory.in('documents/user-000.json'), 'utf8')).toBe('[]');
    for (const name of ['server', 'user-000', 'user-001']) {
      expect(await readFile(directory.in(`profiles/${name}.cpuprofile`), 'utf8')).toBe('{}');
    }
    expect(JSON.parse(await readFile(directory.in('verdict.json'), 'utf8'))).toEqual(verdict);
  });

  test('replicas that differ fail it, and every document is kept as evidence', async () => {
    const { verdict } = await run({ diverges: true });
    expect(codesButPace(verdict.reasons)).toEqual(['diverged']);
    // A machine that typed late excuses the framework.
    const isLate = verdict.reasons.length > 1;
    expect(verdict).toMatchObject({ verdict: isLate ? 'invalid' : 'failed', converged: false });
    expect(await readFile(directory.in('documents/user-001.json'), 'utf8')).toBe('[]');
  });

  test('a document that is elsewhere needs no server, and takes users one by one where it has to', async () => {
    const source = { address: 'doc:1', joinPeriodMs: 400, readingLimitMs: 250 };
    // By the trial's own clock: users may hear late of what was asked in time.
    let askedMs = 0;
    const waits: { ms: number; untilMs: number }[] = [];
    const timer: Timer = {
      nowMs() {
        askedMs = realTimer.nowMs();
        return askedMs;
      },
      until(untilMs, signal) {
        waits.push({ ms: untilMs - askedMs, untilMs });
        return realTimer.until(untilMs, signal);
      },
    };
    const { verdict, launched, joined } = await run({}, { source, timer });
    expectValid(verdict);
    expect(launched).toEqual(['users']);
    expect(joined.map(({ url }) => url)).toEqual(['doc:1', 'doc:1']);
    const between = waits.filter(({ ms }) => Math.abs(ms - source.joinPeriodMs) < 0.01);
    expect(between).toHaveLength(1);
    expect(joined.find(({ user }) => user === 1)!.atMs).toBeGreaterThanOrEqual(between[0]!.untilMs);
  });

  test('a user that falls while typing ends the trial at once, with the reason, and all is stopped', async () => {
    const { verdict, phases, stopped } = await run({ userFalls: true });
    expect(verdict.verdict).toBe('invalid');
    expect(verdict.reasons[0]).toEqual({
      code: 'user-lost',
      message: 'user 1 is lost: typing stopped: Chrome is gone',
    });
    expect(phases).not.toContain('settle');
    expect(stopped).toBe(1);
  });

  test('a user that falls before the documents were compared leaves open whether they agree', async () => {
    const { verdict, phases } = await run({ fallsSettling: true });
    expect(phases).toContain('settle');
    const codes = verdict.reasons.map(({ code }) => code);
    expect(codes).toContain('user-lost');
    expect(codes).not.toContain('not-settled');
    expect(verdict).toMatchObject({ verdict: 'invalid', converged: null });
  });

  test('a user that does not become ready is named', async () => {
    const { verdict } = await run({ neverReady: true });
    expect(verdict.reasons[0]!.message).toBe('user 1 is lost: the page does not load');
  });

  test('an interrupt stops everything and is passed on', async () => {
    const interrupt = new AbortController();
    setTimeout(() => interrupt.abort(new Error('Ctrl-C')), 1500);
    const phases = run({}, { signal: interrupt.signal });
    await expect(phases).rejects.toThrow('Ctrl-C');
  });

  test('an interrupt is heeded also while a fleet hangs that launches', async () => {
    const interrupt = new AbortController();
    const running = run({ launchHangs: true }, { signal: interrupt.signal });
    setTimeout(() => interrupt.abort(new Error('Ctrl-C')), 50);
    await expect(running).rejects.toThrow('Ctrl-C');
  });
});
