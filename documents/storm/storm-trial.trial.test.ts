/** Whole trials with real servers and a few users in Node; and of a server's memory. */
import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { allProcessStats } from '../../infra/process/stat.ts';
import { folderOfAllTests } from '../../tests/folders.ts';
import { syntheticTrace } from '../../traces/synthetic.ts';
import { measureMemory } from '../memory/memory-trial.ts';
import { writeEdits } from '../replay/edits.ts';
import { toldIn } from '../test-data/told-in.ts';
import { measureStorm, type StormTrialOptions } from './storm-trial.ts';

const folder = folderOfAllTests();
let options: StormTrialOptions;
beforeAll(async () => {
  const editsFile = folder.in('edits');
  await writeEdits(editsFile, syntheticTrace(), { atMost: 200 });
  options = {
    ...{ framework: 'yjs', way: 'restart', edits: 200, users: 5, live: 3, unsent: 2, downForMs: 600, limitMs: 8000 },
    ...{ editsFile, folder: folder.path, signal: new AbortController().signal },
  };
});

// A server rests for seconds before its memory is read: storms pass meanwhile.
describe.concurrent('side by side', () => {
  test('users bring the document back to a server that has forgotten it, with what they typed meanwhile', async () => {
    const { figures, notes } = toldIn(await measureStorm(options));
    expect(notes.filter((code) => code !== 'users-busy')).toEqual([]);
    expect(figures).toMatchObject({ backPercent: 100, lostCharacters: 0, doubledCharacters: 0 });
    expect(figures.firstBackMs).toBeGreaterThan(0);
    expect(figures.allBackMs).toBeGreaterThanOrEqual(figures.halfBackMs!);
    expect(figures.allSeenMs).toBeGreaterThan(0);
    expect(figures.serverCpuMs).toBeGreaterThan(0);
    expect(figures.serverPeakMemoryMiB).toBeGreaterThan(10);
    expect(figures.socketUsers).toBe(2);
    expect(figures.allSocketsBackMs).toBeGreaterThanOrEqual(figures.halfSocketsBackMs!);
    expect(figures.receivedKiB).toBeGreaterThan(0);
  });

  test('a server whose clients cannot go on without its memory leaves them alone, and one that only drops them does not', async () => {
    const sharedb = { ...options, framework: 'sharedb' };
    const forgotten = toldIn(await measureStorm(sharedb));
    expect(forgotten.figures).toMatchObject({ backPercent: 0, doubledCharacters: 0 });
    expect(forgotten.figures.lostCharacters).toBeGreaterThan(0);
    expect(forgotten.figures).not.toHaveProperty('allBackMs');
    expect(forgotten.figures).not.toHaveProperty('halfSocketsBackMs');
    expect(forgotten.notes).toEqual(expect.arrayContaining(['not-back', 'sockets-unknown', 'lost-text', 'diverged']));
    const dropped = toldIn(await measureStorm({ ...sharedb, way: 'drop' }));
    expect(dropped.figures).toMatchObject({ backPercent: 100, lostCharacters: 0, doubledCharacters: 0 });
    expect(dropped.figures).toHaveProperty('allSocketsBackMs');
  });

  test('a server’s memory grows with documents and connections, and is watched once all have left', async () => {
    const cell = { framework: 'yjs-hocuspocus', edits: 200, documents: 30, connections: 10, closedForMs: 1200 };
    const lines = await measureMemory({ ...options, ...cell });
    const { figures } = toldIn(lines);
    expect(figures.openMiB).toBeGreaterThan(figures.idleMiB!);
    expect(figures.documentMiB).toBeGreaterThan(0.005);
    expect(figures.characters).toBeGreaterThan(100);
    expect(figures).toHaveProperty('connectionMiB');
    expect(figures).toHaveProperty('leftMiB');
    expect(lines.find((line) => line.type === 'curve')).toMatchObject({ curve: 'closedMiB', x: [0, 1, 1.2] });
  });
});

test('all open a document at once; a trial that is interrupted ends with the reason, and nothing is left', async () => {
  const { figures } = toldIn(await measureStorm({ ...options, way: 'open' }));
  expect(figures).toMatchObject({ backPercent: 100, lostCharacters: 0, doubledCharacters: 0 });
  // Each asks for the document and types one key: the edits of its author, who had just sent them, are none of theirs.
  expect(figures.sentKiB).toBeLessThan(0.6);
  const interrupt = new AbortController();
  const trial = measureStorm({ ...options, signal: interrupt.signal });
  setTimeout(() => interrupt.abort(new Error('enough')), 700);
  await expect(trial).rejects.toThrow('enough');
  const left = () => allProcessStats().filter(({ parent, ended }) => parent === process.pid && !ended).length;
  await expect.poll(left).toBe(0);
  expect(await readdir(options.folder)).toEqual(['edits']);
});
