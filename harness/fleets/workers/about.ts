import type { FleetAbout } from '../about.ts';

export const workers = {
  description: 'wherever processes wait for work',
  limits: false,
  usersPerBrowser: 1,
  regions: false,
  sameMachine: true,
  hosted: false,
} satisfies FleetAbout;
