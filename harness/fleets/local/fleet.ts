/** Users and server as processes of this machine. */
import { LocalFleet } from '../../../infra/local/local-fleet.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { formatGiB, formatMachine, type Machine } from '../../machine/capacity.ts';
import { MODES } from '../../modes.ts';
import { PROJECT_ROOT } from '../../project.ts';
import type { FleetKind } from '../fleet-kind.ts';
import { openRunnerHere } from '../runner-here.ts';

export default {
  open: (options) => openRunnerHere(options, async () => new LocalFleet(PROJECT_ROOT)),
  planLines: (experiment, machine) => [formatMachine(machine), ...browserLines(experiment, machine)],
} satisfies FleetKind;

function browserLines({ modes, users }: Experiment, machine: Machine): string[] {
  const mostUsers = Math.max(...users);
  return modes.flatMap((mode) => {
    const cost = MODES[mode].userCost;
    const memoryMiB = mostUsers * cost.memoryMiB;
    const carried = machine.cores * cost.usersPerCore;
    const lines = [`${mode} with ${mostUsers} users: about ${formatGiB(memoryMiB)} of memory`];
    if (memoryMiB > machine.availableMemoryMiB) {
      lines.push(`  warning: that is more than is available; take fewer users, or a machine with more memory`);
    }
    if (mostUsers > carried) {
      const seen = `${mostUsers} users on ${machine.cores} cores`;
      lines.push(`  warning: ${seen} are more than about ${carried}, where typing starts to wait for the machine`);
    }
    return lines;
  });
}
