/** Finds what a fleet does by its name: `<name>/fleet.ts` beside this file. */

import type { FleetName } from '../../infra/fleets.ts';
import type { FleetKind } from './fleet-kind.ts';

export async function loadFleet(name: FleetName): Promise<FleetKind> {
  const { default: kind } = (await import(`./${name}/fleet.ts`)) as { default: FleetKind };
  return kind;
}
