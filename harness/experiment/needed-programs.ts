/** The programs that an experiment's trials start beside the servers: Postgres and Redis, as stores and between servers. */
import { sharingOf } from '../../editors/base/framework.ts';
import { isStoreProgram, type StoreName, type StoreProgramName } from '../../editors/base/stores.ts';
import { FLEETS } from '../../infra/fleets.ts';
import { findStoreProgram } from '../../infra/stores/find.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { Unavailable } from '../../results/user-error.ts';
import type { BackedFrameworks } from './backing.ts';
import type { Experiment } from './experiment.ts';

interface Planned {
  experiment: {
    store: Pick<Experiment['store'], 'url'>;
    broker: string | null;
    fleet: Pick<Experiment['fleet'], 'on'>;
  };
  plan: readonly Pick<PlannedTrial, 'framework' | 'store' | 'servers'>[];
  frameworks: BackedFrameworks;
}

/** The programs that trials start beside the servers, each with what it is for. Where each process has a container, the image has them. */
function programsBehind({ experiment, plan, frameworks }: Planned): Map<StoreProgramName, string> {
  const programs = new Map<StoreProgramName, string>();
  if (!FLEETS[experiment.fleet.on].isHere) return programs;
  for (const { framework, store: kept, servers = 1 } of plan) {
    const store = (kept ?? 'memory') as StoreName;
    const about = frameworks.get(framework)?.about ?? {};
    if (isStoreProgram(store) && experiment.store.url === null) programs.set(store, `the store of ${framework}`);
    const isBrokered = servers > 1 && sharingOf(about, store)?.needsRedis === true;
    if (isBrokered && experiment.broker === null && !programs.has('redis')) {
      programs.set('redis', `what servers of ${framework} tell each other by`);
    }
  }
  return programs;
}

/** For the plan: the programs that are here, and how to have the others. */
export function programLines(planned: Planned, find = findStoreProgram): Promise<string[]> {
  return Array.fromAsync(programsBehind(planned), async ([program, what]) => {
    const found = await find(program);
    return 'problem' in found
      ? `warning: ${program} (${what}) is not here: ${found.problem}`
      : `${program} ${found.version} is here: ${what}`;
  });
}

/** @throws UserError (3) if a program is not here that these trials start */
export async function requirePrograms(planned: Planned, find = findStoreProgram): Promise<void> {
  const missing: string[] = [];
  for (const [program, what] of programsBehind(planned)) {
    const found = await find(program);
    if ('problem' in found) missing.push(`${program} is not here (${what}): ${found.problem}`);
  }
  if (missing.length > 0) throw new Unavailable(missing.join('\n'));
}
