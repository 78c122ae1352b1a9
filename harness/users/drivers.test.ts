import { expect, test } from 'vitest';
import { findFramework } from '../../frameworks/discover.ts';
import { MODE_NAMES } from '../../frameworks/modes.ts';
import { openDrivers as openAtChrome } from './chrome/drivers.ts';
import { openDrivers as openAtDocs } from './docs/drivers.ts';
import { findDrivers } from './drivers.ts';
import { openDrivers as openNode } from './node/drivers.ts';

test('a mode has its drivers, unless the framework has its own', async () => {
  const [yjs, gdocs] = [await findFramework('yjs'), await findFramework('gdocs')];
  for (const mode of MODE_NAMES) expect(await findDrivers({ framework: yjs, mode })).toEqual(expect.any(Function));
  expect(await findDrivers({ framework: yjs, mode: 'optquill' })).toBe(openAtChrome);
  expect(await findDrivers({ framework: yjs, mode: 'node' })).toBe(openNode);
  expect(await findDrivers({ framework: gdocs, mode: 'optquill' })).toBe(openAtDocs);
  await expect(findDrivers({ framework: yjs, mode: 'none' })).rejects.toThrow('there is no mode "none"');
});
