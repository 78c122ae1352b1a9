import { expect, test } from 'vitest';
import {
  isOfThisBoot,
  lastingProcessName,
  type NamedProcess,
  PROCESS_NAME,
  processName,
  standingOf,
} from './process-name.ts';

const read = (name: string): NamedProcess => new RegExp(`^${PROCESS_NAME}$`).exec(name)!.groups!;
/** No process has this number: Linux's largest is 4,194,304. */
const NOBODY = 99_999_999;
const own = read(lastingProcessName());

test('a process is alive while it can be seen, and gone when no process has its number', () => {
  expect(standingOf(read(processName()))).toBe('alive');
  expect(standingOf(own)).toBe('alive');
  expect(standingOf(read(processName(NOBODY)))).toBe('gone');
});

test.runIf(process.platform === 'linux')('its number may be another process by now', () => {
  expect(standingOf({ ...own, start: '1' })).toBe('gone');
});

test.each<[string, NamedProcess, string]>([
  ['in another container of this machine, or with a number of an older version', { place: '000000' }, 'unknown'],
  ['on another machine', { place: '000000', machine: '0'.repeat(16), boot: '0'.repeat(16) }, 'unknown'],
  ['before this machine was started anew', { place: '000000', boot: '0'.repeat(16) }, 'gone'],
  ['where only a short name tells', { place: '000000', machine: undefined, boot: undefined }, 'unknown'],
])('%s', (_where, change, standing) => {
  expect(standingOf({ ...own, ...change })).toBe(standing);
  expect(standingOf({ ...own, pid: `${NOBODY}`, ...change })).toBe(standing);
});

test('only a lasting name tells of this start of the machine', () => {
  expect(isOfThisBoot(own)).toBe(true);
  expect(isOfThisBoot(read(processName()))).toBe(false);
});
