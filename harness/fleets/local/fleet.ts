/** Users and server as processes of this machine. */

import type { Framework } from '../../../frameworks/framework.ts';
import { MODES, type Mode } from '../../../frameworks/modes.ts';
import { readyNeeds } from '../../../frameworks/needs.ts';
import type { RunFleet } from '../../../infra/fleet.ts';
import { findChrome } from '../../../infra/local/chrome.ts';
import { localFleet } from '../../../infra/local/local-fleet.ts';
import { PROJECT_ROOT } from '../../../infra/project.ts';
import type { PlannedTrial } from '../../../results/formats/run-directory.ts';
import { UserError } from '../../../results/user-error.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { liveUsers } from '../../experiment/plan.ts';
import { CROWD_USER_MIB, type FleetKind, formatGiB, formatMachine, type Machine, usersThatFit } from '../fleet-kind.ts';
import type { RunnerOptions } from '../runner.ts';
import { openRunnerHere } from '../runner-here.ts';

export default {
  open: (options) => openRunnerHere(options, ({ frameworks }) => openLocalFleet(options, frameworks)),
  checkMachine: refuseTooMany,
  planLines: (experiment, machine) => [formatMachine(machine), ...browserLines(experiment, machine)],
} satisfies FleetKind;

/** Another checkout has no Chrome of its own, and is to be measured in the same. */
async function openLocalFleet(
  { root = PROJECT_ROOT, experiment, observer, signal }: RunnerOptions,
  frameworks: readonly Framework[],
): Promise<RunFleet> {
  await readyNeeds({ frameworks, root, say: observer.onNotice, signal });
  const isOwn = root === PROJECT_ROOT || !experiment.modes.some((mode) => MODES[mode].needsChrome);
  return localFleet(root, isOwn ? {} : { SCRIPTORIUM_CHROME: await findChrome() });
}

/** Users that memory cannot hold end in a process that the system kills, half-way through the trial. */
function refuseTooMany(trials: readonly PlannedTrial[], machine: Machine): void {
  for (const trial of trials.toSorted((a, b) => liveUsers(b) - liveUsers(a) || b.users - a.users)) {
    const mode = trial.mode as Mode;
    const live = liveUsers(trial);
    const fitting = usersThatFit(mode, machine, live === trial.users ? 'all' : live);
    if (trial.users <= fitting) continue;
    const neededMiB = memoryMiBOf(mode, { users: trial.users, live });
    const who = live === trial.users || fitting < live ? `in ${mode}` : `with ${live} of them live in ${mode}`;
    throw new UserError(
      `${trial.cell} takes about ${formatGiB(neededMiB)} of memory, and ${formatGiB(machine.availableMemoryMiB)} are available: about ${fitting} users fit ${who}; take no more than that, or a machine with more memory`,
    );
  }
}

function memoryMiBOf(mode: Mode, { users, live }: { users: number; live: number }): number {
  return live * MODES[mode].userCost.memoryMiB + (users - live) * CROWD_USER_MIB;
}

function browserLines({ modes, users: counts, probes }: Experiment, machine: Machine): string[] {
  const users = Math.max(...counts);
  const [live, ofThem] = probes === 'all' ? [users, ''] : [probes, `, ${probes} of them live`];
  return modes.flatMap((mode) => {
    const memoryMiB = memoryMiBOf(mode, { users, live });
    const lines = [`${mode} with ${users} users${ofThem}: about ${formatGiB(memoryMiB)} of memory`];
    if (memoryMiB > machine.availableMemoryMiB) {
      lines.push(`  warning: that is more than is available; take fewer users, or a machine with more memory`);
    }
    return lines;
  });
}
