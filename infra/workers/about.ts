import type { FleetAbout } from '../fleet-about.ts';

export const workers = {
  description: 'wherever processes wait for work',
  limits: false,
  usersPerProcess: 1,
  sharesCores: false,
  regions: false,
  sameMachine: true,
  bringsFrameworks: false,
  crowds: false,
  hostedDocuments: false,
  otherVersions: false,
  options: {},
} satisfies FleetAbout;
