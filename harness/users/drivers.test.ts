import { expect, test } from 'vitest';
import { openDrivers as openAtChrome } from './chrome/drivers.ts';
import { openDrivers as openAtDocs } from './docs/drivers.ts';
import { findDrivers } from './drivers.ts';

test('a mode has its drivers, unless the framework has its own', async () => {
  expect(await findDrivers({ framework: 'yjs', mode: 'optquill' })).toBe(openAtChrome);
  expect(await findDrivers({ framework: 'yjs', mode: 'noquill' })).toBe(openAtChrome);
  expect(await findDrivers({ framework: 'gdocs', mode: 'optquill' })).toBe(openAtDocs);
  await expect(findDrivers({ framework: 'none', mode: 'optquill' })).rejects.toThrow('no framework is named "none"');
});
