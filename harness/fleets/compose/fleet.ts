/** Users and server as containers of this machine. */

import { withLayer } from '../../../frameworks/image/layer.ts';
import { openComposeFleet } from '../../../infra/compose/compose-fleet.ts';
import { sumOf } from '../../../infra/compose/sizes.ts';
import { companiesOf } from '../../experiment/company.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { needsOf } from '../../experiment/plan.ts';
import { type FleetKind, formatGiB, formatMachine, type Machine } from '../fleet-kind.ts';
import { openRunnerHere } from '../runner-here.ts';

export default {
  open: (options) =>
    openRunnerHere(options, ({ frameworks, ...request }) =>
      withLayer(frameworks, (layer) => openComposeFleet({ layer, ...request })),
    ),
  planLines: (experiment, machine) => [formatMachine(machine), ...containerLines(experiment, machine)],
} satisfies FleetKind;

/** Containers take what their users need, but may take what their limits say. */
function containerLines(experiment: Experiment, machine: Machine): string[] {
  const users = Math.max(...experiment.users);
  const framework = experiment.frameworks[0]!;
  return experiment.modes.flatMap((mode) => {
    const sums = companiesOf(experiment).map((company) =>
      sumOf(needsOf(experiment, { framework, mode, users, ...company })),
    );
    const { containers, cores, memoryMiB } = sums.reduce((most, sum) =>
      sum.containers > most.containers ? sum : most,
    );
    const limits = `limits of ${Number(cores.toFixed(1))} cores and ${formatGiB(memoryMiB)} of memory in all`;
    const lines = [`${mode} with ${users} users: ${containers} containers, ${limits}`];
    if (memoryMiB > machine.availableMemoryMiB) {
      lines.push('  warning: that is more memory than is available; where they use it, some will be killed');
    }
    if (cores > machine.cores) {
      lines.push(
        '  warning: that is more cores than there are; where they use them, it is the machine that is measured',
      );
    }
    return lines;
  });
}
