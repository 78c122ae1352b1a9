/** The fleets, one line each: `<name>/about.ts` says what a fleet can do, and harness/fleets/<name>/ runs trials on it. */
import { compose } from './compose/about.ts';
import { fargate } from './fargate/about.ts';
import type { FleetAbout } from './fleet-about.ts';
import { local } from './local/about.ts';
import { workers } from './workers/about.ts';

export const FLEETS = { local, compose, fargate, workers } satisfies Record<string, FleetAbout>;
export type FleetName = keyof typeof FLEETS;
export const FLEET_NAMES = Object.keys(FLEETS) as [FleetName, ...FleetName[]];
