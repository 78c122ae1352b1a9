/** What stands in for the users of a trial who are no probes; recorded now, where it must be and no recording is kept. */
import { crowdOf } from '../../editors/base/framework.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { findFramework } from '../frameworks/discover.ts';
import type { TrialCrowd } from '../trial/trial-crowd.ts';
import { planCrowd } from './crowd-plan.ts';
import { loadOrRecord, recordingFolder } from './recordings.ts';

/** How often progress is told, of the whole. */
const PROGRESS_STEP = 0.25;

/**
 * @param options.say gets a line now and then while the crowd is being recorded
 * @throws UserError (2) where the recording that is kept is damaged; Error where the crowd cannot be simulated
 */
export async function readyCrowd(options: {
  experiment: Experiment;
  planned: PlannedTrial;
  say: (text: string) => void;
  signal: AbortSignal;
}): Promise<TrialCrowd | undefined> {
  const { experiment, planned, say, signal } = options;
  const { framework, users, probes } = planned;
  if (probes === undefined) return undefined;
  const { about } = await findFramework(framework);
  if (crowdOf(about)?.kind !== 'recorded') return { kind: 'live' };
  const plan = await planCrowd({ experiment, planned, about, probes });
  let told = 0;
  await loadOrRecord(plan, {
    signal,
    onProgress(typedMs, typingMs) {
      if (typedMs / typingMs < told) return;
      say(
        `recording the crowd of ${users - probes} users of ${framework}: ${Math.floor((100 * typedMs) / typingMs)} %`,
      );
      told += PROGRESS_STEP;
    },
  });
  return { kind: 'recorded', recording: recordingFolder(plan.key) };
}

/** Which crowd each framework of an experiment has, for the plan; nothing where all users are live. */
export async function crowdLines({ probes, frameworks, users }: Experiment): Promise<string[]> {
  if (probes === 'all') return [];
  const sizes = users.map((count) => count - probes).join(', ');
  const kinds = await Promise.all(
    frameworks.map(async (framework) => {
      const crowd = crowdOf((await findFramework(framework)).about);
      const how = crowd?.kind === 'recorded' ? 'played from a recording' : 'live, headless users';
      return `  ${framework}: ${how}. ${crowd?.why ?? ''}`;
    }),
  );
  return [`probes: ${probes} users of each trial are live; the crowd: ${sizes} users`, ...kinds];
}
