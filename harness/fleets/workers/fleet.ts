/** Users and server on others' machines: each runs workers, which wait for this run's processes. */
import type { RunFleet } from '../../../infra/fleet.ts';
import { FLEETS } from '../../../infra/fleets.ts';
import { openWorkersFleet } from '../../../infra/workers/workers-fleet.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { regionsOfUsers } from '../../experiment/network.ts';
import type { FleetKind } from '../fleet-kind.ts';
import type { RunnerOptions } from '../runner.ts';
import { openRunnerHere } from '../runner-here.ts';
import { isAwaited, openAwaited } from './hand-in.ts';

const open = (options: RunnerOptions) =>
  openRunnerHere(options, async (request) => inRegions(options.experiment, await openWorkersFleet(request)));

export default {
  open: (options) => (isAwaited() ? openAwaited(options, open) : open(options)),
  planLines: () => [],
} satisfies FleetKind;

/** Gives users to workers of their region, if the plan was made for a fleet that has regions. */
function inRegions({ fleet: { on, region }, network }: Experiment, fleet: RunFleet): RunFleet {
  if (!FLEETS[on].regions) return fleet;
  let regions: string[] = [];
  return {
    ...fleet,
    ready(needs) {
      const users = needs.find(({ name }) => name === 'users')!;
      const { count, atServer = 0 } = users;
      regions = [
        ...regionsOfUsers(count - atServer, network.groups, region!),
        ...Array<string>(atServer).fill(region!),
      ];
      const byRegion = [...Map.groupBy(regions, (name) => name)].map(([group, here]) => ({
        ...users,
        group,
        count: here.length,
      }));
      return fleet.ready([...needs.filter((need) => need !== users), ...byRegion]);
    },
    launch: (job) => fleet.launch(job.role === 'users' ? { ...job, group: regions.shift() } : job),
  };
}
