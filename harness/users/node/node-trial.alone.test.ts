/** Whole trials without a browser: real server, real worker processes, and no Chrome on the machine. */
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { discoverFrameworks } from '../../../frameworks/discover.ts';
import { readRecordFile } from '../../../results/formats/record-file.ts';
import { type RecordLine, recordName } from '../../../results/formats/records.ts';
import { recordPath } from '../../../results/formats/run-directory.ts';
import { resolveExperiment } from '../../experiment/experiment-file.ts';
import { runExperiment } from '../../run/run.ts';

async function runHeadless(file: object, directory: string) {
  const experiment = resolveExperiment(
    { modes: ['node'], trials: 1, ...file },
    { frameworks: await discoverFrameworks() },
  );
  const nothing = () => {};
  return runExperiment({
    experiment,
    directory,
    resume: false,
    show: false,
    signal: new AbortController().signal,
    observer: { onNotice: nothing, onTrial: nothing, onRecords: nothing, onVerdict: nothing, onPhase: nothing },
  });
}

async function linesOf(trial: string, user: number): Promise<RecordLine[]> {
  return Array.fromAsync(readRecordFile(recordPath(trial, recordName({ role: 'user', user }))));
}

test('a trial is valid and has the figures of one in Chrome, but for those of a page', async () => {
  vi.stubEnv('SCRIPTORIUM_CHROME', '/there/is/none');
  const directory = await mkdtemp(join(tmpdir(), 'node-trial-'));
  try {
    const { cells } = await runHeadless(
      {
        frameworks: ['yjs', 'automerge-repo'],
        users: [3],
        durations: { warmUp: '1s', measure: '4s', profile: '1s', settle: '10s' },
        typing: { keysPerSecond: 10, sigilPeriod: '1s' },
      },
      directory,
    );
    expect(cells.map(({ framework }) => framework)).toEqual(['yjs', 'automerge-repo']);
    for (const cell of cells) {
      expect(cell).toMatchObject({ verdict: 'valid', converged: true, reasons: [] });
      expect(cell.throughputPercent).toBeGreaterThanOrEqual(98);
      expect(cell.localLatencyMs.samples).toBeGreaterThan(4);
      expect(cell.endToEndLatencyMs.samples).toBeGreaterThan(4);
      expect(cell).toMatchObject({ userHeapMiB: null, worstUserLongTaskPercent: null, driverCpuPercent: null });
      expect(cell.keyLatencyMs.samples).toBe(0);
      if (process.platform === 'linux') expect(cell.userCpuPercent).toBeGreaterThan(0);
      const trial = join(directory, `trials/${cell.framework}-node-3-1`);
      await access(join(trial, 'profiles/user-000.cpuprofile'));
      for (const user of [0, 1, 2]) {
        const traffic = (await linesOf(trial, user)).filter((line) => line.type === 'network').at(-1)!;
        expect(traffic.sentBytes).toBeGreaterThan(100);
        expect(traffic.receivedBytes).toBeGreaterThan(100);
        // Each user receives the messages of the two others.
        expect(traffic.receivedBytes / traffic.sentBytes).toBeLessThan(4);
      }
    }
  } finally {
    vi.unstubAllEnvs();
    await rm(directory, { recursive: true });
  }
}, 90_000);

test('with presence, a cell’s mode says so, and every user sees all others', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'node-presence-'));
  try {
    const { cells } = await runHeadless(
      {
        frameworks: ['loro'],
        users: [3],
        presence: true,
        durations: { warmUp: '0s', measure: '2s', profile: '0s', settle: '10s' },
        typing: { sigilPeriod: '2s' },
      },
      directory,
    );
    expect(cells).toMatchObject([{ mode: 'node+presence', verdict: 'valid' }]);
    expect(cells[0]!.notes.filter((note) => note.includes('cursor'))).toEqual([]);
    const trial = join(directory, 'trials/loro-node+presence-3-1');
    for (const user of [0, 1, 2]) {
      expect(await linesOf(trial, user)).toContainEqual(expect.objectContaining({ type: 'cursors-seen', others: 2 }));
    }
  } finally {
    await rm(directory, { recursive: true });
  }
}, 60_000);

test('a document that begins with a text has it in every replica before anyone types, and accounts for it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'node-start-'));
  try {
    const { cells } = await runHeadless(
      {
        frameworks: ['yjs', 'sharedb'],
        users: [2],
        start: { characters: 30_000 },
        durations: { warmUp: '0s', measure: '3s', profile: '0s', settle: '20s' },
        typing: { sigilPeriod: '2s' },
      },
      directory,
    );
    expect(cells).toHaveLength(2);
    for (const cell of cells) {
      expect(cell).toMatchObject({ verdict: 'valid', converged: true, reasons: [] });
      expect(cell.documentCharacters).toBeGreaterThan(29_900);
    }
  } finally {
    await rm(directory, { recursive: true });
  }
}, 60_000);

test('a framework whose page is another’s has no users in Node', async () => {
  await expect(runHeadless({ frameworks: ['gdocs'], users: [1] }, '/nowhere')).rejects.toThrow(
    '"gdocs" does not support "node"',
  );
});
