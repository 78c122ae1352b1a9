/** Users and server wherever workers wait for them: others' machines, of which nobody here knows anything. */
import { openWorkersFleet } from '../../../infra/workers/workers-fleet.ts';
import type { FleetKind } from '../fleet-kind.ts';
import { openRunnerHere } from '../runner-here.ts';

export default {
  open: (options) => openRunnerHere(options, (request) => openWorkersFleet({ environment: process.env, ...request })),
  planLines: () => [],
} satisfies FleetKind;
