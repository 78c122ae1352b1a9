/** The fleet of an experiment: properties that all fleets share, and those that each declares as its own. */
import type * as z from 'zod';
import type { FleetOption } from '../../infra/fleet.ts';
import { FLEET_NAMES, FLEETS, type FleetName } from '../../infra/fleets.ts';
import {
  type BlockValue,
  block,
  oneOf,
  orNull,
  type Property,
  plain,
  property,
  text,
  wholeNumber,
} from './property.ts';

type Options<Name extends FleetName> = (typeof FLEETS)[Name]['options'];
type OwnProperties<O> = {
  [Name in keyof O]: O[Name] extends { schema: infer Schema extends z.ZodType }
    ? Property<z.output<Schema>, ''>
    : never;
};
/** By their names, the blocks of those fleets that declare any options. */
type OwnBlocks = {
  [Name in FleetName as keyof Options<Name> extends never ? never : Name]: Property<
    BlockValue<OwnProperties<Options<Name>>>,
    ''
  >;
};

function ownBlocks(): OwnBlocks {
  const blocks = FLEET_NAMES.flatMap((name) => {
    const options = Object.entries<FleetOption>(FLEETS[name].options);
    if (options.length === 0) return [];
    const own = options.map(([option, { forms, schema, ...says }]) => [option, property(plain(forms, schema), says)]);
    const says = { description: `Properties of the ${name} fleet.`, default: {} };
    return [[name, property(block(Object.fromEntries(own)), says)]];
  });
  return Object.fromEntries(blocks);
}

const places = FLEET_NAMES.map((name) => `${name}: ${FLEETS[name].description}`).join(', ');
const shared = FLEET_NAMES.filter((name) => FLEETS[name].usersPerProcess > 1)
  .map((name) => `${FLEETS[name].usersPerProcess} on ${name}`)
  .join(', ');
const withRegions = FLEET_NAMES.filter((name) => FLEETS[name].regions).join(', ');

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
    ...ownBlocks(),
  }),
  { description: 'Where the processes run.', default: {} },
);
