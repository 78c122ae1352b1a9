import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTrialFigures } from '../../../analysis/trial/trial-figures.ts';
import { openRecords } from '../../../analysis/views/database.ts';
import { READING_LIMIT_MS } from '../../../editors/gdocs/text.ts';
import { discoverFrameworks } from '../../../frameworks/discover.ts';
import { buildPage } from '../../../frameworks/page-build.ts';
import { type Fleet, LOOPBACK } from '../../../infra/fleet.ts';
import { readRecordFile } from '../../../results/formats/record-file.ts';
import { recordPath } from '../../../results/formats/run-directory.ts';
import { folderOfEachTest } from '../../../tests/folders.ts';
import { type ImitatedDocs, imitateDocs } from '../../../tests/google-docs/imitated-docs.ts';
import { codesButPace, QUIET_TRIAL } from '../../../tests/runs.ts';
import { resolveExperiment } from '../../experiment/experiment-file.ts';
import { connectToCoordinator } from '../../trial/control-connection.ts';
import { CONTROL_URL_VARIABLE } from '../../trial/protocol.ts';
import { runTrial } from '../../trial/trial.ts';
import { type Chrome, launchChrome } from '../chrome/chrome.ts';
import type { EditorDriver } from '../editor-driver.ts';
import { runUser } from '../user.ts';
import { createDocsDriver } from './drivers.ts';

const JOIN_PERIOD_MS = 800;

let chrome: Chrome;
let docs: ImitatedDocs;
let pageFolder: string;
const directory = folderOfEachTest();
beforeAll(async () => {
  [chrome, docs, pageFolder] = await Promise.all([launchChrome({ show: false }), imitateDocs(), buildPage()]);
});
afterAll(async () => {
  await chrome?.close();
  await docs?.close();
});

/** A fleet whose users live in this process; it tells what was launched, and when users joined. */
function fleetHere(changed: (driver: EditorDriver) => EditorDriver) {
  const launched: string[] = [];
  const joinedMs: number[] = [];
  const fleet: Fleet = {
    network: LOOPBACK,
    async launch(job) {
      launched.push(job.name);
      const url = job.environment[CONTROL_URL_VARIABLE]!;
      for (let user = 0; user < Number(job.arguments[job.arguments.indexOf('--users') + 1]); user++) {
        const driver = createDocsDriver({
          browser: chrome.browser,
          through: (pageUrl) => pageUrl,
          isLink: docs.isLink,
          patience: { openLimitMs: 3000, restMs: 150 },
        });
        const noted: EditorDriver = {
          ...changed(driver),
          join(...given) {
            joinedMs.push(performance.now());
            return driver.join(...given);
          },
        };
        const control = await connectToCoordinator({ url, user });
        const versions = { framework: 'as served', chrome: chrome.version };
        runUser({ control, driver: noted, versions, onGo: () => {} });
      }
      return { address: '127.0.0.1', failed: new Promise(() => {}) };
    },
    async stop() {},
  };
  return { fleet, launched, joinedMs };
}

async function run(
  name: string,
  {
    changed = (driver) => driver,
    settle = '4s',
  }: { changed?: (driver: EditorDriver) => EditorDriver; settle?: string } = {},
) {
  const frameworks = await discoverFrameworks();
  const experiment = resolveExperiment(
    {
      frameworks: 'gdocs',
      users: 2,
      trials: 1,
      durations: { warmUp: '300ms', measure: '1500ms', profile: '100ms', settle },
      typing: { keysPerSecond: 10, sigilPeriod: '1500ms' },
      // The tests' machine may be busy; what it measures is not looked at.
      limits: { clockError: '1s' },
    },
    { frameworks },
  );
  const { fleet, launched, joinedMs } = fleetHere(changed);
  const planned = { cell: 'gdocs-optquill-2', framework: 'gdocs', mode: 'optquill', users: 2, trial: 1, seed: 1 };
  const verdict = await runTrial({
    planned: { ...planned, directory: '' },
    experiment,
    version: 'as served',
    source: { address: docs.link(name), joinPeriodMs: JOIN_PERIOD_MS, readingLimitMs: READING_LIMIT_MS },
    startText: '',
    editsFor: () => [{ kind: 'key', move: 0, text: 'x' }],
    fleet,
    pageFolder,
    directory: directory.path,
    ...QUIET_TRIAL,
  });
  return { verdict, launched, joinedMs };
}

describe('a trial at another’s document', () => {
  test('has no server, admits users one by one, and is proved by what screens show', async () => {
    const { verdict, launched, joinedMs } = await run('trial-proved');
    expect(launched).toEqual(['users']);
    // Both are asked in time, but may hear of it a little late on a busy machine.
    expect(joinedMs[1]! - joinedMs[0]!).toBeGreaterThan(0.75 * JOIN_PERIOD_MS);
    expect(codesButPace(verdict.reasons)).toEqual([]);
    expect(verdict.converged).toBe(true);
    expect(codesButPace(verdict.notes)).toEqual(['model-not-open', 'server-unknown']);
    expect(verdict.notes.map(({ message }) => message).join()).toContain('by the whole text on their screens');

    const lines = await Array.fromAsync(readRecordFile(recordPath(directory.path, 'user-001')));
    expect(lines.find(({ type }) => type === 'settled')).toMatchObject({
      savedStateBytes: null,
      quillStateBytes: null,
    });
    expect(lines.some(({ type }) => type === 'network' || type === 'document')).toBe(false);
    await using records = await openRecords([directory.path]);
    expect(await readTrialFigures(records)).toMatchObject({
      columns: {
        savedStateKiB: null,
        quillStateKiB: null,
        documentCharacters: null,
        userSentKiBps: null,
        userReceivedKiBps: null,
        serverSentKiBps: null,
        serverCpuPercent: null,
        serverMemoryMiB: null,
        // A sigil each in 1.5 s, on one other screen each.
        sent: 2,
      },
    });
  });

  test('is unknown where a screen cannot be read, and says why', async () => {
    const changed = (driver: EditorDriver) => ({
      ...driver,
      state: async () => ({ ...(await driver.state()), screenTextDigest: null }),
    });
    const { verdict } = await run('trial-unread', { changed, settle: '1s' });
    expect(codesButPace(verdict.reasons)).toEqual(['not-compared']);
    expect(verdict.reasons.map(({ message }) => message).join()).toContain('user-000, user-001: ');
    expect(verdict.converged).toBeNull();
    // Unless the tests' machine was too busy to type.
    expect(verdict.verdict).toBe(verdict.reasons.length === 1 ? 'unknown' : 'invalid');
  });

  test('is invalid where screens show different text', async () => {
    const changed = (driver: EditorDriver) => ({
      ...driver,
      state: async () => ({ ...(await driver.state()), screenTextDigest: String(Math.random()) }),
    });
    const { verdict } = await run('trial-different', { changed, settle: '1s' });
    expect(codesButPace(verdict.reasons)).toContain('diverged');
    expect(verdict.converged).toBe(false);
  });

  test('is invalid, with the sentence, where the link leads to none', async () => {
    const { verdict } = await run('viewed');
    expect(verdict.reasons[0]!.message).toContain('the document can only be viewed or commented');
  });
});
