import * as z from 'zod';
import type { FleetAbout } from '../fleet-about.ts';
import { CONTAINERS_PER_TASK } from './plan/sizes.ts';

const USERS_PER_TASK_FORMS = `a whole number from 1 to ${CONTAINERS_PER_TASK} (a task holds no more containers)`;

export const fargate = {
  description: 'containers on AWS',
  limits: true,
  usersPerProcess: 1,
  regions: true,
  // AWS gives each task a machine of its own choice; nobody could ask for the same one again.
  sameMachine: false,
  hostedDocuments: false,
  options: {
    usersPerTask: z
      .int({ error: USERS_PER_TASK_FORMS })
      .min(1, { error: USERS_PER_TASK_FORMS })
      .max(CONTAINERS_PER_TASK, { error: USERS_PER_TASK_FORMS })
      .prefault(1)
      .meta({
        description:
          'Users, each in a container of its own, that share one task; more than 1 may use the CPU that others leave idle.',
      }),
    spot: z
      .boolean({ error: 'true or false' })
      .prefault(true)
      .meta({ description: 'Users on spare capacity, at about a third of the price, where there is some.' }),
    reachedFrom: z.ipv4({ error: 'an IPv4 address, or null' }).nullable().prefault(null).meta({
      description:
        'The address from which this machine reaches AWS, the only one that may steer the run; null: found out.',
    }),
  },
} satisfies FleetAbout;
