import type { FleetAbout } from '../about.ts';

export const fargate = {
  description: 'containers on AWS',
  limits: true,
  usersPerBrowser: 1,
  regions: true,
  // AWS gives each task a machine of its own choice; nobody could ask for the same one again.
  sameMachine: false,
  hosted: false,
} satisfies FleetAbout;
