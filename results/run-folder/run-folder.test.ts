import { expect, test } from 'vitest';
import { environmentDifferences } from './run-folder.ts';

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
