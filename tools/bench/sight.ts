/**
 * The cost of others' edits at a user whom the crowd sees, beside the cost at one whom it never sees, as a recorded crowd does. On
 * the virtual clock, with the framework's own halves: what a library's clock or graph of events makes of that is all that differs.
 */
import { join } from 'node:path';
import { admitAll } from '../../frameworks/admit.ts';
import { usable } from '../../frameworks/framework.ts';
import { planCrowd } from '../../harness/crowd/crowd-plan.ts';
import { loadOrRecord, recordingFolder } from '../../harness/crowd/recordings.ts';
import { resolveExperiment } from '../../harness/experiment/experiment-file.ts';
import { makePlan } from '../../harness/experiment/plan.ts';
import { CalledProcess } from '../../infra/process/calls.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { alignTable } from '../../results/text-table.ts';
import { figure } from './rounds.ts';
import { KEYS_PER_SECOND } from './run-cell.ts';
import type { Sight, SightCalls } from './sight-main.ts';

const PROBES = 2;

export interface SightBench {
  frameworks: readonly string[];
  users: number;
  /** As in an experiment file. */
  rhythm: string;
  measure: string;
  /** How many seeds. */
  pairs: number;
}

/** @returns a table: what taking in others' edits costs a user in the second half of the time, seen and unseen */
export async function benchSight(options: SightBench): Promise<string> {
  const rows: string[][] = [];
  for (const framework of options.frameworks) {
    for (let seed = 1; seed <= options.pairs; seed++) {
      const { seen, unseen } = await measureSight(framework, seed, options);
      const ratio = unseen.cpuPercent / seen.cpuPercent;
      const costs = [seen, unseen].flatMap(({ cpuPercent, perTimeMs }) => [
        figure(cpuPercent, 2),
        figure(perTimeMs, 2),
      ]);
      rows.push([framework, String(options.users), String(seed), ...costs, figure(ratio, 2)]);
      console.error(rows.at(-1)!.join('  '));
    }
  }
  return alignTable([HEADINGS, ...rows]);
}

const HEADINGS = [
  'framework',
  'users',
  'seed',
  'seen, % of a core',
  'ms each',
  'unseen, % of a core',
  'ms each',
  'unseen ÷ seen',
];

/** @throws Error as a crowd's recording does */
export async function measureSight(
  framework: string,
  seed: number,
  { users, rhythm, measure, keptIn }: Pick<SightBench, 'users' | 'rhythm' | 'measure'> & { keptIn?: string },
): Promise<Sight> {
  const [found] = (await admitAll([framework], { from: PROJECT_ROOT })).map(usable);
  const experiment = resolveExperiment(
    {
      frameworks: framework,
      modes: ['noquill'],
      users,
      seed,
      typing: { keysPerSecond: KEYS_PER_SECOND, rhythm },
      batching: { sendFromUsers: 'never' },
      durations: { warmUp: '0s', measure, profile: '0s' },
    },
    { frameworks: [found!] },
  );
  const planned = makePlan(experiment)[0]!;
  const all = await planCrowd({ experiment, planned, framework: found!, probes: 0 });
  const blind = await planCrowd({ experiment, planned, framework: found!, probes: PROBES });
  await loadOrRecord(blind, { keptIn });
  // A process of its own, whose clock is virtual from then on.
  const world = new CalledProcess<SightCalls>({ entry: join(import.meta.dirname, 'sight-main.ts') });
  const order = { plan: all, recording: recordingFolder(blind.key, keptIn) };
  return world.call('measure', order).finally(() => world.end());
}
