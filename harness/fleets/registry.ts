/** The fleets, one line each. `<name>/about.ts` says what a fleet can do, `<name>/fleet.ts` does it: see load.ts. */
import type { FleetAbout } from './about.ts';
import { compose } from './compose/about.ts';
import { fargate } from './fargate/about.ts';
import { local } from './local/about.ts';
import { workers } from './workers/about.ts';

const REGISTRY = { local, compose, fargate, workers };

export type FleetName = keyof typeof REGISTRY;
export const FLEETS: Record<FleetName, FleetAbout> = REGISTRY;
export const FLEET_NAMES = Object.keys(REGISTRY) as [FleetName, ...FleetName[]];
