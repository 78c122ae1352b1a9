import type { FleetAbout } from '../fleet-about.ts';

export const local = {
  description: 'processes on this machine',
  limits: false,
  // More users in one Chrome make its shared processes a bottleneck; fewer cost a further Chrome's memory.
  usersPerProcess: 16,
  sharesCores: true,
  regions: false,
  sameMachine: true,
  bringsFrameworks: true,
  crowds: true,
  hostedDocuments: true,
  otherVersions: true,
  options: {},
} satisfies FleetAbout;
