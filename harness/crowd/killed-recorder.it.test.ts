import { mkdir, readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { findFrameworks } from '../../frameworks/discover.ts';
import { processName } from '../../results/run-folder/process-name.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { never } from '../../tests/runs.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { makePlan } from '../experiment/plan.ts';
import { processTree } from '../probes/process-tree.ts';
import { recordedCrowd } from './crowd-plan.ts';
import { loadOrRecord, RecordingFailed, readyCrowd } from './recordings.ts';

const keptIn = folderOfEachTest();

/** @param measure long enough that a recorder is under way when the signal comes */
function experimentOf(measure: string) {
  const experiment = resolveExperiment(
    {
      ...{ frameworks: 'yjs-relay', modes: 'noquill', users: 3, probes: 2, trials: 1 },
      durations: { warmUp: '0s', measure, profile: '0s' },
    },
    { frameworks: [{ name: 'yjs-relay', about: {} }] },
  );
  return { experiment, planned: makePlan(experiment)[0]! };
}

const frameworks = await findFrameworks(['yjs-relay']);

function killRecorder(signal: NodeJS.Signals): void {
  for (const pid of processTree(process.pid).filter((each) => each !== process.pid)) process.kill(pid, signal);
}

/** @param kills how many recorders are killed at their first news */
function ready({ kills, signal = 'SIGKILL', measure = '200s' }: ReadyOptions) {
  let left = kills;
  let isFirst = true;
  const say = (text: string) => {
    if (isFirst && text.endsWith(' %') && left-- > 0) killRecorder(signal);
    isFirst = text.includes('it is recorded again');
  };
  return readyCrowd({ ...experimentOf(measure), frameworks, keptIn: keptIn.path, signal: never, say });
}

interface ReadyOptions {
  kills: number;
  signal?: NodeJS.Signals;
  measure?: string;
}

describe.runIf(process.platform === 'linux')('a recorder that is killed', () => {
  test('says so, and is cleared away', async () => {
    // No process has this number: Linux's largest is 4,194,304.
    await mkdir(keptIn.in(`yjs-3-0.${processName(99999999)}-0.partial`));
    const { experiment, planned } = experimentOf('200s');
    const plan = await recordedCrowd(experiment, { planned, frameworks });
    const killed = loadOrRecord(plan!, { keptIn: keptIn.path, onProgress: () => killRecorder('SIGKILL') });
    await expect(killed).rejects.toThrow('could not be recorded: the process ended by SIGKILL');
    await expect(killed).rejects.toMatchObject({ exitCode: 3 });
    expect(await readdir(keptIn.path)).toEqual([]);
  });

  test.each(['SIGKILL', 'SIGTERM'] as const)('has a second try after %s', async (signal) => {
    expect(await ready({ kills: 1, signal })).toMatchObject({ kind: 'recorded' });
  });

  test('tells of the crowd if the second one is killed too', async () => {
    await expect(ready({ kills: 2, measure: '1000s' })).rejects.toBeInstanceOf(RecordingFailed);
    expect(await readdir(keptIn.path)).toEqual([]);
  });
});
