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

const experiment = resolveExperiment(
  {
    ...{ frameworks: 'yjs-relay', modes: 'noquill', users: 3, probes: 2, trials: 1 },
    // A recorder is under way when the signal comes.
    durations: { warmUp: '0s', measure: '200s', profile: '0s' },
  },
  { frameworks: [{ name: 'yjs-relay', about: {} }] },
);
const frameworks = await findFrameworks(experiment.frameworks);
const planned = makePlan(experiment)[0]!;

function killRecorder(signal: NodeJS.Signals): void {
  for (const pid of processTree(process.pid).filter((each) => each !== process.pid)) process.kill(pid, signal);
}

/** @param kills how many recorders are killed at their first news */
function ready(kills: number, signal: NodeJS.Signals = 'SIGKILL') {
  let killed = 0;
  const say = (text: string) => {
    if (text.endsWith(': 0 %') && killed++ < kills) killRecorder(signal);
  };
  return readyCrowd({ experiment, frameworks, keptIn: keptIn.path, signal: never, say, planned });
}

describe.runIf(process.platform === 'linux')('a recorder that is killed', () => {
  test('says so, and is cleared away', async () => {
    // No process has this number: Linux's largest is 4,194,304.
    await mkdir(keptIn.in(`yjs-3-0.${processName(99999999)}-0.partial`));
    const plan = await recordedCrowd(experiment, { planned, frameworks });
    const killed = loadOrRecord(plan!, { keptIn: keptIn.path, onProgress: () => killRecorder('SIGKILL') });
    await expect(killed).rejects.toThrow('could not be recorded: the process ended by SIGKILL');
    await expect(killed).rejects.toMatchObject({ exitCode: 3 });
    expect(await readdir(keptIn.path)).toEqual([]);
  });

  test.each(['SIGKILL', 'SIGTERM'] as const)('has a second try after %s', async (signal) => {
    expect(await ready(1, signal)).toMatchObject({ kind: 'recorded' });
  });

  test('tells of the crowd if the second one is killed too', async () => {
    await expect(ready(2)).rejects.toBeInstanceOf(RecordingFailed);
    expect(await readdir(keptIn.path)).toEqual([]);
  });
});
