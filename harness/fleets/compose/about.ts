import type { FleetAbout } from '../about.ts';

export const compose = {
  description: 'containers on it',
  limits: true,
  usersPerBrowser: 1,
  regions: false,
  sameMachine: true,
  hosted: false,
} satisfies FleetAbout;
