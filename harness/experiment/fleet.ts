/** The fleet of an experiment: properties that all fleets share, and those of the one that has its own. */
import * as z from 'zod';
import { CONTAINERS_PER_TASK } from '../../infra/fargate/plan/deployment.ts';
import { FLEET_NAMES, FLEETS } from '../../infra/fleets.ts';
import { block, oneOf, orNull, plain, property, text, trueFalse, wholeNumber } from './property.ts';

const places = FLEET_NAMES.map((name) => `${name}: ${FLEETS[name].description}`).join(', ');
const shared = FLEET_NAMES.filter((name) => FLEETS[name].usersPerProcess > 1)
  .map((name) => `${FLEETS[name].usersPerProcess} on ${name}`)
  .join(', ');
const withRegions = FLEET_NAMES.filter((name) => FLEETS[name].regions).join(', ');

const ADDRESS = 'an IPv4 address, or null';

const fargate = block({
  usersPerTask: property(wholeNumber(1, CONTAINERS_PER_TASK, ' (a task holds no more containers)'), {
    description:
      'Users, each in a container of its own, that share one task; more than 1 may use the CPU that others leave idle.',
    default: 1,
  }),
  spot: property(trueFalse(), {
    description: 'Users on spare capacity, at about a third of the price, where there is some.',
    default: true,
  }),
  reachedFrom: property(orNull(plain(ADDRESS, z.ipv4({ error: ADDRESS }))), {
    description:
      'The address from which this machine reaches AWS, the only one that may steer the run; null: found out.',
    default: null,
  }),
});

export const fleet = property(
  block({
    on: property(oneOf(FLEET_NAMES), {
      description: `Where users and server run; ${places}.`,
      default: 'local',
      flag: { form: '--on <fleet>', help: 'place of users and server', example: 'compose' },
    }),
    usersPerBrowser: property(orNull(wholeNumber(1)), {
      description: `Users that share one process, and so one Chrome, each in a browser context of its own. null: ${shared}, 1 elsewhere; in modes without a browser, the local fleet has one process per core.`,
      default: null,
    }),
    region: property(orNull(text('the name of an AWS region, such as us-east-1, or null', /^[a-z]{2}(-[a-z]+)+-\d$/)), {
      description: `The AWS region of the server, such as us-east-1; needed on ${withRegions}, elsewhere without effect.`,
      default: null,
      flag: { form: '--region <name>', help: 'AWS region of the server', example: 'us-east-1' },
    }),
    fargate: property(fargate, { description: 'Properties of the fargate fleet.', default: {} }),
  }),
  { description: 'Where the processes run.', default: {} },
);
