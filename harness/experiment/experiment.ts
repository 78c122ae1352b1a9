/**
 * The declaration of an experiment: every property once, with its description, default, valid forms and flag. From it come
 * the file's schema and its JSON Schema, the type that the code has, flags and the table of options; and the forms that
 * travel to a coordinator elsewhere and to users.
 *
 * An option is added here, in what uses it, in template.yaml and in a test; `npm run schema` brings the JSON Schema up to date.
 */
import { MIN_TRIALS } from '../../analysis/statistics/interval.ts';
import { SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import { MODE_NAMES, MODES } from '../../frameworks/modes.ts';
import { agents, readers } from './company.ts';
import { faults } from './faults.ts';
import { fleet } from './fleet.ts';
import { network } from './network.ts';
import {
  block,
  duration,
  list,
  numberAbove,
  odds,
  oneOf,
  orNull,
  type Property,
  property,
  text,
  trueFalse,
  trueFalseOr,
  type ValueOf,
  wholeNumber,
  word,
  wordOrCount,
} from './property.ts';
import { affinity, servers } from './servers.ts';
import { broker, store, stores } from './stores.ts';

/** A seed that every generator in the project accepts: 32 bits, unsigned. */
const MAX_SEED = 2 ** 32 - 1;

/** Of each cell; and of all cells together, see experiment-rules.ts. */
export const MOST_TRIALS = 10_000;

/** One alone has nobody to agree with. */
export const LEAST_PROBES = 2;

/** How long a phase of a trial takes. @param zero true if there may be none of it */
function phase(zero: boolean, description: string, byDefault: string, flag: NonNullable<Property['flag']>) {
  return property(duration({ zero }), { description, default: byDefault, flag });
}

const durations = property(
  block({
    warmUp: phase(true, 'Typing before the measured window.', '300s', {
      form: '--warm-up <time>',
      help: 'typing before the measured window',
      example: '10s',
    }),
    measure: phase(false, 'The measured window, which the summary reports.', '60s', {
      form: '--measure <time>',
      help: 'length of the measured window',
      example: '60s',
    }),
    profile: phase(
      true,
      'Typing after the measured window. CPU profiles start 3s into it, or halfway if it is shorter than 6s. 0s: no profiles.',
      '10s',
      { form: '--profile <time>', help: 'typing under CPU profiles, after the window', example: '0s' },
    ),
    settle: phase(false, 'How long replicas may take to converge after typing stops.', '60s', {
      form: '--settle <time>',
      help: 'longest wait for equal documents',
      example: '30s',
    }),
  }),
  { description: 'How long each phase of a trial takes.', default: {} },
);

const formatOdds = property(
  block({
    inline: property(odds(), { description: 'Bold or italic switched at the cursor.', default: 0.005 }),
    range: property(odds(), { description: 'Bold or italic for 1 to 50 characters near the cursor.', default: 0.0025 }),
    block: property(odds(), {
      description: 'A header or list format for the line at the cursor, by its toolbar button.',
      default: 0.0025,
    }),
  }),
  { description: 'Odds that an edit is a format of each kind; their sum is at most 1.', default: {} },
);

/** How users type; part of each user's assignment. */
export const typing = property(
  block({
    keysPerSecond: property(numberAbove(0, 1000), {
      description: 'Edits that each writer is due to perform per second; with the rhythm human, while it types.',
      default: 6,
    }),
    sigilPeriod: property(duration({ zero: false }), {
      description: 'How often each writer types a sigil, a marker that latency is measured on.',
      default: '10s',
    }),
    rhythm: property(oneOf(['jittered', 'regular', 'poisson', 'human']), {
      description:
        'When keys fall due. jittered: each at a random moment of its own interval; regular: users staggered evenly, as in the Collabs paper; poisson: after random gaps, for stress; human: in bursts, with pauses, absences, jumps of the cursor and rare pastes.',
      default: 'jittered',
      flag: { form: '--rhythm <name>', help: 'pace of keys (jittered, regular, poisson, human)', example: 'human' },
    }),
    longestEdit: property(orNull(wholeNumber(1)), {
      description:
        'The most characters that one edit pastes or deletes; the rest of a larger edit is left out. null: as in the trace.',
      default: 200,
    }),
    changeSigils: property(trueFalse(), {
      description:
        'true: of three sigils, one is deleted and one made bold or italic when it is a sigilPeriod old, and the time until others see that is measured too.',
      default: true,
    }),
    cursorMoves: property(odds(), {
      description:
        'Of users who show a cursor (presence): how often they move it between two keys, for each edit: to a place nearby, and back. 0.4: as in automerge-perf’s recording of a paper.',
      default: 0,
    }),
    formatOdds,
  }),
  { description: 'How users type.', default: {} },
);
export type Typing = ValueOf<typeof typing>;

const start = property(
  block({
    trace: property(orNull(word('the name of a trace')), {
      description: 'The trace whose final text the document begins with. null: generated prose, or an empty document.',
      default: null,
    }),
    characters: property(orNull(wholeNumber(1, 10_000_000)), {
      description:
        'Length of that text, in characters. null: all of the trace’s text; without a trace, an empty document.',
      default: null,
    }),
  }),
  {
    description: 'The document’s text before anyone types: user 0 puts it in, the same in each trial.',
    default: {},
  },
);

const batching = property(
  block({
    receive: property(duration({ zero: true }), {
      description: 'Messages that arrive within this time are applied as one change; 0s: each message at once.',
      default: '50ms',
    }),
    receiveRhythm: property(oneOf(['ticks', 'trailing']), {
      description:
        'The end of a received batch. ticks: at regular ticks, each user at a phase of its own; trailing: `receive` after its first message, as in the Collabs paper.',
      default: 'ticks',
    }),
    send: property(duration({ zero: true }), {
      description: 'Edits of a user within this time are sent as one message, if sender batching applies.',
      default: '1s',
    }),
    sendFromUsers: property(wordOrCount(['always', 'never']), {
      description: 'Sender batching applies from this many users on; or always, or never.',
      default: 64,
    }),
    sendModes: property(list(oneOf(MODE_NAMES)), {
      description: 'Sender batching applies in these modes; in the others each edit is sent by itself.',
      default: [...MODE_NAMES],
    }),
  }),
  { description: 'How clients batch messages that they send and receive.', default: {} },
);

/** Limits of one process; null: the fleet’s default, see `limitsOf` in plan.ts. */
function resources(of: string) {
  return property(
    block({
      cpus: property(orNull(numberAbove(0)), {
        description: `Cores that ${of} may use; null: the fleet’s default.`,
        default: null,
      }),
      memoryMiB: property(orNull(wholeNumber(1)), {
        description: `Memory that ${of} may use, in MiB; null: the fleet’s default.`,
        default: null,
      }),
    }),
    { description: `Limits for ${of}, if the fleet can impose them.`, default: {} },
  );
}

const NAME_FORMS = 'letters, digits, "-", "_" or ".", at most 64, the first a letter or digit';

export const experiment = block(
  {
    name: property(text(NAME_FORMS, /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/), {
      description: 'Names the experiment, and the folder under results/ that holds its runs.',
      default: 'experiment',
    }),
    frameworks: property(list(word('the name of a framework')), {
      description:
        'Collaboration frameworks under test. `./scriptorium list` shows those of the project. `yjs@13.6.20` is Yjs with that version of its package. A folder (`./mine`) or an installed npm package is a framework from outside.',
      default: ['yjs'],
      flag: { form: '--frameworks <names>', help: 'libraries to measure', example: 'yjs,sharedb' },
    }),
    modes: property(list(oneOf(MODE_NAMES)), {
      description: `The editor of each user. ${MODE_NAMES.map((mode) => `${mode}: ${MODES[mode].description}.`).join(' ')}`,
      default: ['optquill'],
      flag: { form: '--modes <names>', help: 'editors of the users', example: 'optquill,noquill' },
    }),
    users: property(list(wholeNumber(1, SIGIL_NUMBERS, ' (a marker has two base-36 digits for its user)')), {
      description: 'User counts; each makes a cell with each framework and mode.',
      default: [2],
      flag: { form: '--users <counts>', help: 'user counts, a cell for each', example: '2,4,8' },
    }),
    presence: property(trueFalseOr('both'), {
      description:
        'true: users see one another’s cursors and names, by the framework’s own means. both: each cell exists twice, without and with, and runs in turns.',
      default: false,
    }),
    agents,
    readers,
    probes: property(wordOrCount(['all'], { from: LEAST_PROBES, why: ' (one alone has no latency to another)' }), {
      description:
        'How many users, from user 0 on, are live in the mode and measured. The others are a crowd: played from a recording, or live without a browser where the framework needs that. all: there is no crowd.',
      default: 'all',
      flag: { form: '--probes <count>', help: 'live users; the others are a played crowd', example: '2' },
    }),
    trials: property(wholeNumber(1, MOST_TRIALS), {
      description: `Runs of each cell. The trial is the independent unit: intervals need at least ${MIN_TRIALS}.`,
      default: 3,
      flag: { form: '-n, --trials <count>', help: 'trials of each cell', example: '5' },
    }),
    base: property(orNull(word('a commit as git names it, or a folder that holds the project')), {
      description:
        'Another version of the project, which runs in turns with this one and is compared with it: a commit as git names it, or a folder, seen from the file’s. null: none.',
      default: null,
      flag: { form: '--against <ref>', help: 'another version of this project, in turns', example: 'v1.0.0' },
    }),
    stores,
    store,
    servers,
    affinity,
    broker,
    documents: property(list(word('the link or name of a document'), { empty: true }), {
      description:
        'For frameworks that somebody else hosts (gdocs): links of empty documents that anyone with the link may edit, one for each of their trials. For `servers` that make no documents on demand: names of empty ones, one for each trial there.',
      default: [],
    }),
    writers: property(wordOrCount(['all']), {
      description: 'How many of the users type; the others watch.',
      default: 'all',
    }),
    trace: property(word('the name of a trace'), {
      description: 'The editing history that users replay; `./scriptorium list` shows the traces.',
      default: 'synthetic',
      flag: { form: '--trace <name>', help: 'recorded typing to replay', example: 'automerge-paper' },
    }),
    start,
    seed: property(wholeNumber(0, MAX_SEED), {
      description: 'Source of all randomness: the same seed gives the same typing.',
      default: 1,
      flag: { form: '--seed <number>', help: 'source of all randomness', example: '7' },
    }),
    durations,
    typing,
    batching,
    resources: property(block({ server: resources('the server'), user: resources('each user') }), {
      description: 'Limits on cores and memory.',
      default: {},
    }),
    fleet,
    network,
    faults,
    limits: property(
      block({
        clockError: property(duration({ zero: false }), {
          description: 'A trial whose clocks agree less closely than this is invalid.',
          default: '5ms',
        }),
      }),
      { description: 'Limits beyond which a trial is invalid.', default: {} },
    ),
  },
  'a block of properties such as "users: [2, 4]"',
);

/** An experiment as resolved: every default filled in, durations in milliseconds. See experiment-file.ts. */
export type Experiment = ValueOf<typeof experiment>;
