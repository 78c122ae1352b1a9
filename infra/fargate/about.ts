import * as z from 'zod';
import type { FleetAbout } from '../fleet.ts';
import { CONTAINERS_PER_TASK } from './plan/deployment.ts';

const FORMS = {
  usersPerTask: `a whole number from 1 to ${CONTAINERS_PER_TASK} (a task holds no more containers)`,
  spot: 'true or false',
  reachedFrom: 'an IPv4 address, or null',
};

export const fargate = {
  description: 'containers on AWS',
  limits: true,
  usersPerProcess: 1,
  sharesCores: false,
  regions: true,
  // AWS gives each task a machine of its own choice; nobody could ask for the same one again.
  sameMachine: false,
  bringsFrameworks: true,
  crowds: false,
  // Its tasks let each other in at a few ports.
  severalServers: false,
  hostedDocuments: false,
  otherVersions: false,
  options: {
    usersPerTask: {
      description:
        'Users, each in a container of its own, that share one task; more than 1 may use the CPU that others leave idle.',
      forms: FORMS.usersPerTask,
      schema: z
        .int({ error: FORMS.usersPerTask })
        .min(1, { error: FORMS.usersPerTask })
        .max(CONTAINERS_PER_TASK, { error: FORMS.usersPerTask }),
      default: 1,
    },
    spot: {
      description: 'Users on spare capacity, at about a third of the price, where there is some.',
      forms: FORMS.spot,
      schema: z.boolean({ error: FORMS.spot }),
      default: true,
    },
    reachedFrom: {
      description:
        'The address from which this machine reaches AWS, the only one that may steer the run; null: found out.',
      forms: FORMS.reachedFrom,
      schema: z.ipv4({ error: FORMS.reachedFrom }).nullable(),
      default: null,
    },
  },
} satisfies FleetAbout;
