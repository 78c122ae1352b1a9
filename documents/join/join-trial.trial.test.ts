/** Whole trials: real servers, writers, and newcomers in Chrome. */
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { buildPage } from '../../frameworks/page-build.ts';
import { allProcessStats } from '../../infra/process/stat.ts';
import { folderOfAllTests } from '../../tests/folders.ts';
import { syntheticTrace } from '../../traces/synthetic.ts';
import { writeEdits } from '../replay/edits.ts';
import { toldIn } from '../test-data/told-in.ts';
import { differenceOf, type JoinTrialOptions, measureJoins, progressOf } from './join-trial.ts';
import { newcomerScript } from './scenario.ts';

const EDITS = 300;

const folder = folderOfAllTests();
let options: JoinTrialOptions;
beforeAll(async () => {
  const editsFile = folder.in('edits');
  await writeEdits(editsFile, syntheticTrace(), { atMost: EDITS });
  options = {
    ...{ framework: 'yjs-relay', way: 'state', edits: EDITS, documents: 1, processes: 1 },
    ...{ typists: 2, keysPerSecond: 6, joins: 2, limitMs: 20_000 },
    ...{
      editsFile,
      folder: folder.path,
      pageFolder: await buildPage(),
      script: await newcomerScript(),
      signal: new AbortController().signal,
    },
  };
});

function children() {
  return allProcessStats().filter(({ parent, ended }) => parent === process.pid && !ended);
}

/** Processes that this one started and that are still there, and Chromes' profiles. */
async function left(): Promise<{ processes: number; profiles: number }> {
  const processes = children().length;
  const profiles = (await readdir(folder.path)).filter((name) => name.startsWith('chrome-')).length;
  return { processes, profiles };
}

/** A killed process may need a moment until the system calls it ended. */
async function expectNothingLeft(): Promise<void> {
  await expect.poll(left).toEqual({ processes: 0, profiles: 0 });
}

test('the whole backlog is more to get than a state, and each newcomer sees all, types, and is caught up', async () => {
  const ways = ['backlog', 'snapshots', 'state'] as const;
  const figures = [];
  for (const way of ways) figures.push(toldIn(await measureJoins({ ...options, way })).figures);
  for (const each of figures) {
    expect(each['firstTextMs.p50']).toBeGreaterThan(1);
    expect(each['wholeMs.p50']).toBeGreaterThanOrEqual(each['firstTextMs.p50']!);
    expect(each['typableMs.p50']).toBeGreaterThan(each['wholeMs.p50']!);
    // One frame may show both.
    expect(each['caughtUpMs.p50']).toBeGreaterThanOrEqual(each['wholeMs.p50']!);
    expect(each['typableMs.worst']).toBeLessThan(5000);
    expect(each['serverCpuMs.p50']).toBeGreaterThan(0);
    expect(each.typedPercent).toBeGreaterThan(80);
    expect(each.sentKiB).toBeGreaterThan(0);
    expect(each).not.toHaveProperty('serverCpuPercent');
  }
  const [backlog, snapshots, state] = figures.map(({ receivedKiB }) => receivedKiB!);
  expect(backlog).toBeGreaterThan(2 * snapshots!);
  expect(snapshots).toBeGreaterThan(state!);
  await expectNothingLeft();
});

test('documents are spread over processes, and while all type the server’s load is measured', async () => {
  const { figures } = toldIn(await measureJoins({ ...options, documents: 2, processes: 2, joins: 2 }));
  expect(figures.serverCpuPercent).toBeGreaterThan(0);
  expect(figures.busiestServerPercent).toBeLessThan(figures.serverCpuPercent!);
  expect(figures).not.toHaveProperty('serverCpuMs.p50');
  expect(figures['typableMs.p50']).toBeGreaterThan(1);
});

test('a newcomer who waits too long fails its framework, and nothing is left of the trial', async () => {
  await expect(measureJoins({ ...options, limitMs: 1 })).rejects.toMatchObject({ code: 'out-of-time' });
  await expectNothingLeft();
});

test('a trial that is interrupted ends with the reason, and leaves nothing', async () => {
  const interrupt = new AbortController();
  const trial = measureJoins({ ...options, signal: interrupt.signal });
  setTimeout(() => interrupt.abort(new Error('enough')), 1500);
  await expect(trial).rejects.toThrow('enough');
  await expectNothingLeft();
});

test('a server that dies fails its framework, and the trial ends at once', async () => {
  const trial = measureJoins(options);
  trial.catch(() => {});
  const server = await vi.waitUntil(
    () => children().find(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server-main.ts')),
    { timeout: 30_000 },
  );
  process.kill(server.pid, 'SIGKILL');
  await expect(trial).rejects.toMatchObject({ code: 'server-lost', message: 'its server ended by SIGKILL' });
  await expectNothingLeft();
});

test('how far a newcomer came is said', () => {
  const marks = {
    ...{ firstTextMs: null, wholeMs: null, typableMs: null, caughtUpMs: null },
    ...{ receivedBytes: 10_240, sentBytes: 0, blockedMs: 0, length: 1 },
  };
  expect(progressOf(null)).toContain('too busy');
  expect(progressOf(marks)).toBe('10 KiB had come, but no text showed');
  expect(progressOf({ ...marks, firstTextMs: 12.3 })).toContain('after 12 ms, and then never all');
  expect(progressOf({ ...marks, firstTextMs: 12, wholeMs: 13 })).toContain('a key did not show');
  expect(progressOf({ ...marks, firstTextMs: 12, wholeMs: 13, typableMs: 30 })).toContain(
    'nothing of what another typed',
  );
});

test('documents that differ are told apart, wherever they do', () => {
  const held = { editorDigest: 'a', modelDigest: 'a', length: 5 };
  expect(differenceOf(held, held)).toBeNull();
  expect(differenceOf({ ...held, editorDigest: 'b', length: 4 }, held)).toContain('(4 characters)');
  expect(differenceOf({ ...held, modelDigest: 'b' }, held)).toContain('newcomer’s model');
  expect(differenceOf(held, { ...held, modelDigest: 'b' })).toContain('who typed');
});
