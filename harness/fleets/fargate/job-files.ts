/** The files with which the coordinator's command line begins, on its task. */
import type { CalledJob } from '../../../infra/workers/called-worker.ts';
import { PLAN_FILE, type PlannedTrial } from '../../../results/formats/run-directory.ts';
import { storedTraces } from '../../../traces/cache.ts';
import { readTraceBytes } from '../../../traces/format.ts';
import { resolveTrace } from '../../../traces/store.ts';
import { SYNTHETIC_NAME } from '../../../traces/synthetic.ts';
import { secretsOf } from '../../attached/address.ts';
import { documentsFor } from '../../attached/attach.ts';
import type { Experiment } from '../../experiment/experiment.ts';

/** In the folder of the coordinator's job, which is removed with it; it goes there over a sealed channel. */
export const SECRETS_FILE = 'secrets.json';

/**
 * The plan for the coordinator's command line, the secrets that it names, and its trace, unless every machine makes that.
 *
 * @param trials.toRun those of the run's plan that are missing, which are all that the coordinator knows
 */
export async function filesFor(
  experiment: Experiment,
  trials: { plan: readonly PlannedTrial[]; toRun: readonly PlannedTrial[] },
): Promise<CalledJob['files']> {
  const { attached } = experiment.servers;
  const { url } = experiment.store;
  const files = [
    { path: PLAN_FILE, content: Buffer.from(JSON.stringify(planOf(experiment, trials))) },
    { path: SECRETS_FILE, content: Buffer.from(JSON.stringify(secretsOf(attached, url === null ? [] : [url]))) },
  ];
  if (experiment.trace === SYNTHETIC_NAME) return files;
  // Says how to get it if it is not here, and proves that it is whole if it is.
  await resolveTrace(experiment.trace);
  const { name, sha256, path } = (await storedTraces()).find((stored) => stored.name === experiment.trace)!;
  return [...files, { path: `cache/traces/${name}.${sha256}.trace`, content: Buffer.from(await readTraceBytes(path)) }];
}

/** Each trial keeps the document that was named for it, although those before it have run. */
function planOf(experiment: Experiment, { plan, toRun }: Parameters<typeof filesFor>[1]) {
  const documents = documentsFor(experiment, { plan, trials: toRun });
  return {
    schemaVersion: 1,
    startedAt: new Date().toISOString(),
    experiment: { ...experiment, documents },
    trials: toRun,
  };
}
