import { expect, test } from 'vitest';
import { describeEnvironment } from './environment.ts';

test('tells of each framework of the experiment which version it is, and how charts draw it', async () => {
  const place = { fleet: 'local', limits: null, chrome: 'Chromium 1' };
  const { frameworks, packages, chrome } = await describeEnvironment({ ...place, frameworks: ['yjs', 'loopback'] });
  expect(chrome).toBe('Chromium 1');
  expect(Object.keys(frameworks)).toEqual(['yjs', 'loopback']);
  expect(frameworks.yjs).toEqual({
    version: packages.yjs,
    tier: 'deployed',
    colour: { light: expect.stringMatching(/^#[0-9a-f]{6}$/), dark: expect.stringMatching(/^#[0-9a-f]{6}$/) },
  });
  await expect(describeEnvironment({ ...place, frameworks: ['nope'] })).rejects.toThrow('no framework is named "nope"');
});
