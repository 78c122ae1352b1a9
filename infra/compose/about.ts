import type { FleetAbout } from '../fleet-about.ts';

export const compose = {
  description: 'containers on this machine',
  limits: true,
  usersPerProcess: 1,
  sharesCores: false,
  regions: false,
  sameMachine: true,
  bringsFrameworks: true,
  crowds: false,
  hostedDocuments: false,
  otherVersions: false,
  options: {},
} satisfies FleetAbout;
