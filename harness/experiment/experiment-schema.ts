/**
 * What an experiment file may say: every property with its description, default and valid forms.
 * The JSON Schema that editors use is generated from this (`npm run schema`).
 * An `error` text here completes the sentence "… is not valid: write …".
 */
import * as z from 'zod';
import { SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import { CONTAINERS_PER_TASK } from '../../infra/fargate/plan/sizes.ts';
import { BANDWIDTH_PATTERN, parseBandwidth } from './bandwidth.ts';
import { DURATION_PATTERN, parseDuration } from './duration.ts';
import { type Experiment, FLEETS, MODES } from './experiment.ts';
import type { NetworkGroup } from './groups.ts';

/** A seed that every generator in the project accepts: 32 bits, unsigned. */
const MAX_SEED = 2 ** 32 - 1;

function wholeNumber(from: number, to?: number, why = '') {
  const error = `a whole number from ${from} ${to === undefined ? 'on' : `to ${to}`}${why}`;
  const atLeast = z.int({ error }).min(from, { error });
  return to === undefined ? atLeast : atLeast.max(to, { error });
}

function number(options: { above: number } | { from: number; to: number }) {
  if ('above' in options) {
    const error = `a number above ${options.above}`;
    return z.number({ error }).gt(options.above, { error });
  }
  const error = `a number from ${options.from} to ${options.to}`;
  return z.number({ error }).min(options.from, { error }).max(options.to, { error });
}

function duration(options: { zero: boolean }) {
  const forms = `a duration such as 500ms, 10s or 5m${options.zero ? '' : ', longer than 0'}`;
  const error = (issue: { input?: unknown }) =>
    /^\d+$/.test(String(issue.input))
      ? `it with its unit: ${issue.input}ms, ${issue.input}s or ${issue.input}m`
      : forms;
  return z
    .string({ error })
    .regex(DURATION_PATTERN, { error })
    .refine((text) => options.zero || parseDuration(text) !== 0, { error })
    .transform((text) => parseDuration(text) ?? Number.NaN);
}

function bandwidth() {
  const error = 'a bandwidth such as 256kbit/s, 20Mbit/s or 1Gbit/s, above 0, or null for no limit';
  return z
    .string({ error })
    .regex(BANDWIDTH_PATTERN, { error })
    .refine((text) => parseBandwidth(text) !== 0, { error })
    .transform((text) => parseBandwidth(text) ?? Number.NaN)
    .nullable();
}

/** A list; one value alone stands for a list of one. */
function list<T extends z.ZodType>(item: T) {
  const error = 'a list of at least one value';
  return z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(item, { error }).min(1, { error }));
}

function block<T extends z.ZodRawShape>(shape: T, description: string) {
  return z
    .strictObject(shape, { error: 'a block of properties, or leave it out' })
    .prefault({} as never)
    .meta({ description });
}

const word = (error: string) => z.string({ error }).min(1, { error });

function resources(of: string) {
  return block(
    {
      cpus: number({ above: 0 })
        .nullable()
        .prefault(null)
        .meta({ description: `Cores that ${of} may use; null: as the fleet has it.` }),
      memoryMiB: wholeNumber(1)
        .nullable()
        .prefault(null)
        .meta({ description: `Memory that ${of} may use, in MiB; null: as the fleet has it.` }),
    },
    `Limits for ${of}, where the fleet can impose them.`,
  );
}

const networkGroup = z
  .strictObject(
    {
      name: word('a name for the group').meta({ description: 'For messages and the plan.' }),
      share: number({ above: 0 }).meta({ description: 'Its part of the users; the shares add up to 1.' }),
      oneWayDelay: duration({ zero: true }).meta({
        description: 'Delay put between each of these users and the server, each way.',
      }),
      jitter: duration({ zero: true }).prefault('0ms').meta({
        description: 'Each message is delayed by up to this much more or less; the order stays.',
      }),
      bandwidth: bandwidth()
        .prefault(null)
        .meta({ description: 'What passes to and from each of these users at most, each way; null: no limit.' }),
      region: word('the name of a place, or null').nullable().prefault(null).meta({
        description:
          'Where a fleet with several places runs these users, at the real distance instead of the delay and jitter here; null: with the server.',
      }),
    },
    { error: 'a block of properties such as { name: near, share: 1, oneWayDelay: 30ms }' },
  )
  .meta({ description: 'Users that are equally far from the server.' });

function awsRegion() {
  const error = 'the name of an AWS region, such as us-east-1, or null';
  return z
    .string({ error })
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, { error })
    .nullable()
    .prefault(null);
}

const NAME_FORMS = 'letters, digits, "-", "_" or ".", at most 64, the first a letter or digit';
const SEND_FROM_FORMS = 'always, never, or a whole number from 1 on';
const WRITERS_FORMS = 'all, or a whole number from 1 on';
const FLEET_FORMS = `one of: ${FLEETS.join(', ')}`;
const MODE_FORMS = `one of: ${MODES.join(', ')}`;

/** The file's properties as written; `toExperiment` gives them the names and units that the code uses. */
export const experimentSchema = z.strictObject(
  {
    name: z
      .string({ error: NAME_FORMS })
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, { error: NAME_FORMS })
      .prefault('experiment')
      .meta({ description: 'Names the experiment, and the folder under results/ that holds its runs.' }),
    frameworks: list(word('the name of a framework'))
      .prefault(['yjs'])
      .meta({ description: 'Collaboration frameworks under test; `./scriptorium list` shows them.' }),
    modes: list(z.enum(MODES, { error: MODE_FORMS }))
      .prefault(['optquill'])
      .meta({
        description: 'What each user edits in: optquill is Quill in Chrome, noquill an editor that renders nothing.',
      }),
    users: list(wholeNumber(1, SIGIL_NUMBERS, ' (sigils number users with two base-36 characters)'))
      .prefault([2])
      .meta({ description: 'User counts; each makes a cell with each framework and mode.' }),
    trials: wholeNumber(1)
      .prefault(3)
      .meta({ description: 'Runs of each cell. The trial is the independent unit: intervals need at least 2.' }),
    documents: z
      .preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(word('the link of a document')))
      .prefault([])
      .meta({
        description:
          'For frameworks that another hosts (gdocs): links of empty documents that anyone with the link may edit, one for each of their trials.',
      }),
    writers: z
      .union([z.literal('all', { error: WRITERS_FORMS }), wholeNumber(1)], { error: WRITERS_FORMS })
      .prefault('all')
      .meta({ description: 'How many of the users type; the others watch.' }),
    trace: word('the name of a trace')
      .prefault('synthetic')
      .meta({ description: 'The editing history that users replay; `./scriptorium list` shows the traces.' }),
    seed: wholeNumber(0, MAX_SEED)
      .prefault(1)
      .meta({ description: 'Where all randomness comes from: the same seed gives the same typing.' }),
    durations: block(
      {
        warmUp: duration({ zero: true }).prefault('300s').meta({ description: 'Typing before the measured window.' }),
        measure: duration({ zero: false })
          .prefault('60s')
          .meta({ description: 'The measured window, which the summary reports.' }),
        profile: duration({ zero: true })
          .prefault('10s')
          .meta({ description: 'Typing after the measured window, while CPU profiles are taken; 0s: none.' }),
        settle: duration({ zero: false })
          .prefault('60s')
          .meta({ description: 'At most so long may replicas take to agree once typing has stopped.' }),
      },
      'How long each phase of a trial takes.',
    ),
    typing: block(
      {
        keysPerSecond: number({ above: 0 })
          .prefault(6)
          .meta({ description: 'Edits that each writer is due to perform per second.' }),
        sigilPeriod: duration({ zero: false })
          .prefault('10s')
          .meta({ description: 'Each writer types a sigil, on which latency is measured, this often.' }),
        formatOdds: block(
          {
            inline: number({ from: 0, to: 1 })
              .prefault(0.005)
              .meta({ description: 'Bold or italic switched at the cursor.' }),
            range: number({ from: 0, to: 1 })
              .prefault(0.0025)
              .meta({ description: 'Bold or italic for 1 to 50 characters near the cursor.' }),
            block: number({ from: 0, to: 1 })
              .prefault(0.0025)
              .meta({ description: 'A header or list format for the line at the cursor, by its toolbar button.' }),
          },
          'Odds that an edit is a format of each kind; their sum is at most 1.',
        ),
      },
      'How users type.',
    ),
    batching: block(
      {
        receive: duration({ zero: true })
          .prefault('50ms')
          .meta({ description: 'What arrives within this time is applied as one change; 0s: each message at once.' }),
        send: duration({ zero: true }).prefault('1s').meta({
          description: 'What a user edits within this time is sent as one message, where sender batching applies.',
        }),
        sendFromUsers: z
          .union([z.enum(['always', 'never'], { error: SEND_FROM_FORMS }), wholeNumber(1)], { error: SEND_FROM_FORMS })
          .prefault(64)
          .meta({ description: 'Sender batching applies from this many users on; or always, or never.' }),
      },
      'How clients gather what they send and receive.',
    ),
    resources: block({ server: resources('the server'), user: resources('each user') }, 'Limits on cores and memory.'),
    fleet: block(
      {
        on: z.enum(FLEETS, { error: FLEET_FORMS }).prefault('local').meta({
          description:
            'Where users and server run; local: processes on this machine, compose: containers on it, fargate: containers on AWS, workers: wherever processes wait for work.',
        }),
        usersPerBrowser: wholeNumber(1).nullable().prefault(null).meta({
          description:
            'Users that share one Chrome, each in a browser context of its own; null: 16 on local, 1 elsewhere.',
        }),
        region: awsRegion().meta({
          description: 'The AWS region of the server, such as us-east-1; needed on fargate, elsewhere without effect.',
        }),
        fargate: block(
          {
            usersPerTask: wholeNumber(1, CONTAINERS_PER_TASK, ' (a task holds no more containers)').prefault(1).meta({
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
          'What only the fargate fleet needs.',
        ),
      },
      'Where the processes run.',
    ),
    network: block(
      {
        oneWayDelay: duration({ zero: true })
          .prefault('0ms')
          .meta({ description: 'Delay put between each user and the server, each way, where there are no groups.' }),
        groups: z
          .preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(networkGroup))
          .prefault([])
          .meta({ description: 'Groups of users at different distances; each gets its share of the users.' }),
      },
      'What the network between users and server adds.',
    ),
    limits: block(
      {
        clockError: duration({ zero: false })
          .prefault('5ms')
          .meta({ description: 'A trial whose clocks agree less closely than this is invalid.' }),
      },
      'What makes a trial invalid.',
    ),
  },
  { error: 'a block of properties such as "users: [2, 4]"' },
);

/** An experiment file after validation: durations in milliseconds, still under the file's names. */
export type ExperimentFile = z.output<typeof experimentSchema>;

/** Without groups, everyone is in one. */
function toGroups({ oneWayDelay, groups }: ExperimentFile['network']): NetworkGroup[] {
  const all = { name: 'all', share: 1, oneWayDelay, jitter: 0, bandwidth: null, region: null };
  return (groups.length === 0 ? [all] : groups).map(({ name, share, region, ...link }) => ({
    name,
    share,
    region,
    link: { oneWayDelayMs: link.oneWayDelay, jitterMs: link.jitter, bandwidthBytesPerSecond: link.bandwidth },
  }));
}

/** Gives the file's properties the names that the code uses, with their units. */
export function toExperiment(file: ExperimentFile): Experiment {
  const { durations, typing, batching, network, limits, ...same } = file;
  return {
    ...same,
    durations: {
      warmUpMs: durations.warmUp,
      measureMs: durations.measure,
      profileMs: durations.profile,
      settleMs: durations.settle,
    },
    typing: {
      keysPerSecond: typing.keysPerSecond,
      sigilPeriodMs: typing.sigilPeriod,
      formatOdds: typing.formatOdds,
    },
    batching: {
      receiveMs: batching.receive,
      sendMs: batching.send,
      sendFromUsers: batching.sendFromUsers,
    },
    network: { groups: toGroups(network) },
    limits: { clockErrorMs: limits.clockError },
  };
}

/** The names of the properties that a block may hold; a number in its path is a place in a list. */
export function propertiesAt(path: readonly (string | number)[]): string[] {
  let node = experimentJsonSchema() as JsonSchemaNode;
  // A list's schema begins with that of its items: see below.
  for (const key of path) node = (typeof key === 'number' ? node.anyOf?.[0] : node.properties?.[key]) ?? {};
  return Object.keys(node.properties ?? {});
}

interface JsonSchemaNode {
  properties?: Record<string, JsonSchemaNode>;
  anyOf?: JsonSchemaNode[];
}

/** The JSON Schema of the file as people write it. */
export function experimentJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(experimentSchema, {
    io: 'input',
    // What the YAML language server understands best.
    target: 'draft-07',
    override: ({ jsonSchema }) => {
      // Every whole number's bound in JavaScript says nothing about experiments.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (typeof jsonSchema.items !== 'object' || Array.isArray(jsonSchema.items)) return;
      // One value alone stands for a list of one.
      const { type, items, minItems } = jsonSchema;
      jsonSchema.anyOf = [items, { type, items, minItems }];
      for (const key of ['type', 'items', 'minItems'] as const) delete jsonSchema[key];
    },
  });
  return { title: 'Scriptorium experiment', ...schema };
}
