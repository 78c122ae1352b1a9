import { expect, test } from 'vitest';
import { findFramework } from '../../frameworks/discover.ts';
import { MODE_NAMES } from '../../frameworks/modes.ts';
import { openDrivers as openAtChrome } from './chrome/drivers.ts';
import { openDrivers as openAtDocs } from './docs/drivers.ts';
import { copiesOf, findDrivers } from './editor-driver.ts';
import { openDrivers as openNode } from './node/drivers.ts';

test('a mode has its drivers, unless the framework has its own', async () => {
  const [yjs, gdocs] = [await findFramework('yjs'), await findFramework('gdocs')];
  for (const mode of MODE_NAMES) expect(await findDrivers({ framework: yjs, mode })).toEqual(expect.any(Function));
  expect(await findDrivers({ framework: yjs, mode: 'optquill' })).toBe(openAtChrome);
  expect(await findDrivers({ framework: yjs, mode: 'node' })).toBe(openNode);
  expect(await findDrivers({ framework: gdocs, mode: 'optquill' })).toBe(openAtDocs);
  await expect(findDrivers({ framework: yjs, mode: 'none' })).rejects.toThrow('there is no mode "none"');
});

const source = { savedDigest: async () => 'saved', lateDigest: async () => 'late' };

test('somebody joins only where it is asked for', async () => {
  expect(await copiesOf(source, { withNewcomer: false })).toEqual({
    savedDigest: 'saved',
    lateDigest: null,
    lateProblem: null,
  });
  expect(await copiesOf(source, { withNewcomer: true })).toMatchObject({ lateDigest: 'late', lateProblem: null });
});

test('why nobody can join is told in a line, also where joining never ends', async () => {
  const refused = {
    ...source,
    lateDigest: () => Promise.reject(new Error('Error: refused\n    at join (client.js:1)')),
  };
  expect(await copiesOf(refused, { withNewcomer: true })).toMatchObject({ lateDigest: null, lateProblem: 'refused' });
  const endless = { ...source, lateDigest: () => new Promise<never>(() => {}) };
  expect(await copiesOf(endless, { withNewcomer: true, newcomerLimitMs: 20 })).toMatchObject({
    lateDigest: null,
    lateProblem: 'it took more than 0.02 s',
  });
});

test('a saved state that does not load is an error of the user’s', async () => {
  const broken = { ...source, savedDigest: () => Promise.reject(new Error('unexpected end')) };
  await expect(copiesOf(broken, { withNewcomer: false })).rejects.toThrow(
    'its saved state does not load: unexpected end',
  );
});
