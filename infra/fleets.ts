/** The fleets: declared here by their abilities, started in `infra/<name>/`, given trials in `harness/fleets/<name>/`. */
import type { FleetAbout } from './fleet.ts';

const local = {
  description: 'processes on this machine',
  limits: false,
  // More users in one Chrome make its shared processes a bottleneck; fewer cost a further Chrome's memory.
  usersPerProcess: 16,
  isHere: true,
  regions: false,
  sameMachine: true,
  bringsFrameworks: true,
  severalServers: true,
} satisfies FleetAbout;

const workers = {
  description: 'wherever processes wait for work',
  limits: false,
  usersPerProcess: 1,
  isHere: false,
  regions: false,
  sameMachine: true,
  bringsFrameworks: false,
  severalServers: true,
} satisfies FleetAbout;

const compose = {
  ...workers,
  description: 'containers on this machine',
  limits: true,
  bringsFrameworks: true,
} satisfies FleetAbout;

const fargate = {
  ...compose,
  description: 'containers on AWS',
  regions: true,
  // AWS gives each task a machine of its own choice; nobody could ask for the same one again.
  sameMachine: false,
  // Its tasks let each other in at a few ports.
  severalServers: false,
} satisfies FleetAbout;

export const FLEETS = { local, compose, fargate, workers } satisfies Record<string, FleetAbout>;
export type FleetName = keyof typeof FLEETS;
export const FLEET_NAMES = Object.keys(FLEETS) as [FleetName, ...FleetName[]];
