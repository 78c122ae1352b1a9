import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFrameworks } from '../../frameworks/discover.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { makePlan } from '../experiment/plan.ts';
import { readyCrowd } from './ready-crowd.ts';
import { keptRecordings } from './recordings.ts';

let keptIn: string;
beforeEach(async () => {
  keptIn = await mkdtemp(join(tmpdir(), 'ready-crowd-'));
});
afterEach(() => rm(keptIn, { recursive: true }));

const experiment = resolveExperiment(
  {
    name: 'crowds',
    frameworks: ['yjs-relay', 'sharedb'],
    modes: ['optquill', 'noquill'],
    users: [3, 4],
    probes: 2,
    trials: 1,
    durations: { warmUp: '0s', measure: '2s', profile: '0s' },
    typing: { sigilPeriod: '2s' },
  },
  { frameworks: ['yjs-relay', 'sharedb'].map((name) => ({ name, about: {} })) },
);
const signal = new AbortController().signal;
const frameworks = await findFrameworks(experiment.frameworks);

test('while a recording is made, so are those of the next trials, one for all modes', async () => {
  const trials = makePlan(experiment);
  const recorded = trials.filter(({ framework }) => framework === 'yjs-relay');
  const said: string[] = [];
  const options = { experiment, frameworks, keptIn, signal, say: (text: string) => said.push(text) };
  const crowd = await readyCrowd({ ...options, planned: recorded[0]!, upcoming: trials });
  expect(crowd).toMatchObject({ kind: 'recorded' });
  expect(recorded).toHaveLength(4);
  expect(await keptRecordings({ keptIn })).toHaveLength(2);
  expect(said.join('\n')).toContain('recording the crowd of 1 users of yjs-relay');
});

test('a live crowd, or none, needs no recording', async () => {
  const options = { experiment, frameworks, keptIn, signal, say: () => {} };
  const planned = makePlan(experiment).find(({ framework }) => framework === 'sharedb')!;
  expect(await readyCrowd({ ...options, planned })).toEqual({ kind: 'live' });
  expect(await readyCrowd({ ...options, planned: { ...planned, probes: undefined } })).toBeUndefined();
  expect(await readdir(keptIn)).toEqual([]);
});
