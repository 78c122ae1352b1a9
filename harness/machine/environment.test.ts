import { expect, test } from 'vitest';
import { findFrameworks } from '../../frameworks/discover.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { describeEnvironment } from './environment.ts';

test('tells of each framework of the experiment which version it is, and how charts draw it', async () => {
  const known = { frameworks: ['yjs', 'loopback'].map((name) => ({ name, about: {} })) };
  const experiment = resolveExperiment({ frameworks: ['yjs', 'loopback'], fleet: { on: 'compose' } }, known);
  const { frameworks, packages, ...place } = await describeEnvironment(experiment, {
    frameworks: await findFrameworks(experiment.frameworks),
    chrome: 'Chromium 1',
  });
  expect(place).toMatchObject({ chrome: 'Chromium 1', fleet: 'compose', limits: { optquill: expect.anything() } });
  expect(Object.keys(frameworks)).toEqual(['yjs', 'loopback']);
  expect(frameworks.yjs).toEqual({
    version: packages.yjs,
    tier: 'deployed',
    colour: { light: expect.stringMatching(/^#[0-9a-f]{6}$/), dark: expect.stringMatching(/^#[0-9a-f]{6}$/) },
  });
  expect(frameworks.loopback).toMatchObject({ tier: 'library', baseline: true });
  await expect(findFrameworks(['nope'])).rejects.toThrow('there is no framework "nope"');
});
