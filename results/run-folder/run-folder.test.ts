import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { openRecordWriter } from '../formats/record-file.ts';
import { type PlannedTrial, recordPath } from '../formats/run-directory.ts';
import { readAnyPlan } from './run-files.ts';
import { environmentDifferences, openRunFolder } from './run-folder.ts';
import { stageOf } from './trial-stage.ts';

const before = {
  scriptorium: '0.1.0',
  node: 'v24.1.0',
  chrome: 'Chromium 156.0.1.0',
  os: 'Linux 6.1.0-30',
  cpu: 'AMD EPYC',
  cores: 2,
  memoryMiB: 24_000,
  packages: { yjs: '13.6.32', ws: '8.23.0' },
};

test('the same machine with the same versions is the same, also under a new kernel', () => {
  // A hundredth less memory.
  expect(environmentDifferences(before, { ...before, os: 'Linux 6.1.0-31', memoryMiB: 23_760 })).toEqual({
    versions: [],
    machine: [],
  });
});

test('each other version and each other part of the machine is named with both values', () => {
  const now = {
    ...before,
    node: 'v24.2.0',
    cpu: 'Intel Xeon',
    memoryMiB: 12_000,
    packages: { yjs: '13.6.33', 'y-quill': '1.0.0', ws: '8.23.0' },
  };
  expect(environmentDifferences(before, now)).toEqual({
    versions: ['node: v24.1.0, now v24.2.0', 'y-quill: not known, now 1.0.0', 'yjs: 13.6.32, now 13.6.33'],
    machine: ['cpu: AMD EPYC, now Intel Xeon', 'memoryMiB: 24000, now 12000'],
  });
});

test('what another version of the project did not record is not taken for the same', () => {
  expect(environmentDifferences({}, before).versions).toContain('chrome: not known, now Chromium 156.0.1.0');
});

const folder = folderOfEachTest();

test('a resumed run may change what it is told that it may, which its plan then has, and nothing else', async () => {
  const cell = { cell: 'yjs-node-2', framework: 'yjs', mode: 'node', users: 2 };
  const plan: PlannedTrial[] = [{ ...cell, trial: 1, seed: 1, directory: 'trials/yjs-node-2-1' }];
  const open = (experiment: object, resume = true) =>
    openRunFolder({
      directory: folder.in('run'),
      experiment,
      plan,
      sameMachine: false,
      resume,
      mayChange: ['documents'],
    });
  const experimentWith = (document: string, seed: number) => ({ name: 'named', documents: [document], seed });
  const begun = await open(experimentWith('spoilt', 1), false);
  await begun.begin({}, () => {});
  await expect(open(experimentWith('other', 2))).rejects.toThrow('planned from another experiment');
  const resumed = await open(experimentWith('other', 1));
  await resumed.begin({}, () => {});
  expect((await readAnyPlan(folder.in('run'))).experiment).toEqual(experimentWith('other', 1));
});

test('a trial that only lacks its verdict is to be judged, and did not break off', async () => {
  const cell = { cell: 'yjs-node-2', framework: 'yjs', mode: 'node', users: 2 };
  const plan = [1, 2, 3].map(
    (trial): PlannedTrial => ({ ...cell, trial, seed: trial, directory: `trials/yjs-node-2-${trial}` }),
  );
  const open = (resume: boolean) =>
    openRunFolder({ directory: folder.in('run'), experiment: { name: 'judged' }, plan, sameMachine: false, resume });
  await (await open(false)).begin({}, () => {});
  for (const [index, phase] of (['done', 'measure'] as const).entries()) {
    const record = openRecordWriter(recordPath(folder.in('run', plan[index]!.directory), 'coordinator'));
    record.write({ type: 'phase', atMs: 1, phase });
    await record.close();
  }
  const { toRun, brokenOff } = await open(true);
  expect([toRun, brokenOff]).toEqual([plan, [plan[1]]]);
});

test.each([
  ['a failure that ended it', { type: 'fault', atMs: 1, code: 'server-lost', message: 'gone' }, 'recorded'],
  ['its last phase', { type: 'phase', atMs: 1, phase: 'done' }, 'recorded'],
  ['a user who was lost', { type: 'fault', atMs: 1, user: 1, message: 'gone' }, 'broken-off'],
  ['a phase before the last', { type: 'phase', atMs: 1, phase: 'settle' }, 'broken-off'],
] as const)('a trial without a verdict whose record ends with %s', async (_, line, stage) => {
  const record = openRecordWriter(recordPath(folder.in('trial'), 'coordinator'));
  record.write(line);
  await record.close();
  expect(await stageOf(folder.in('trial'))).toBe(stage);
});
