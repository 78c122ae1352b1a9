/** The properties of experiment files of the document scenarios. */
import * as z from 'zod';
import type { DocumentScenario } from '../../results/formats/documents.ts';
import { KEPT_STORES } from '../../results/formats/run-directory.ts';
import { experiment, MOST_TRIALS } from './experiment.ts';
import {
  block,
  duration,
  list,
  numberAbove,
  oneOf,
  orNull,
  type Property,
  property,
  text,
  trueFalse,
  type ValueOf,
  wholeNumber,
  word,
} from './property.ts';

/** The properties that all document scenarios have. */
function common<Name extends DocumentScenario>(scenario: Name) {
  const { name, seed } = experiment.properties;
  return {
    name,
    scenario: property(oneOf([scenario]), { description: 'The scenario: what is measured.' }),
    trials: property(wholeNumber(1, MOST_TRIALS), {
      description: 'Runs of each cell, each in processes of its own; intervals need at least 3.',
      default: 5,
      flag: { form: '-n, --trials <count>', help: 'trials of each cell', example: '5' },
    }),
    seed,
  };
}

function trace(description: string) {
  const { default: byDefault, flag } = experiment.properties.trace;
  return property(word('the name of a trace'), { description, default: byDefault, flag });
}

/** A property with its default, and without a flag. */
function value<Value, Unit extends string>(kind: Property<Value, Unit>, description: string, byDefault: unknown) {
  return property(kind, { description, default: byDefault });
}

/** How long a subject may take until it has failed. */
function limit(description: string, byDefault: string) {
  return value(duration({ zero: false }), description, byDefault);
}

function counts(to: number) {
  return list(wholeNumber(1, to));
}

/** Also takes a list of one: the flag of a list sets this property too. */
function oneAlone<Value, Unit extends string>(kind: Property<Value, Unit>): Property<Value, Unit> {
  const first = (written: unknown) => (Array.isArray(written) && written.length === 1 ? written[0] : written);
  return { ...kind, written: z.preprocess(first, kind.written) };
}

/** How an engine tells of edits: by updates, edit by edit, or once at the end. */
const OBSERVED = ['updates', 'edits', 'once'] as const;

const engines = property(list(word('the name of an engine')), {
  description: 'Libraries that hold the document; `./scriptorium list` shows them.',
  default: ['string', 'yjs'],
  flag: { form: '--engines <names>', help: 'engines of a document experiment', example: 'yjs,loro' },
});

/** A trace applied edit by edit to one replica. */
export const replay = block({
  ...common('replay'),
  engines,
  observe: value(
    list(oneOf(OBSERVED)),
    'updates: each edit is a transaction of its own, and its update is read, as a live editor needs; edits: the same without reading updates; once: one transaction for all edits.',
    ['updates'],
  ),
  repeat: value(
    counts(1000),
    'How many times the trace’s edits are replayed, one after another, into one document.',
    [1],
  ),
  trace: trace('The editing history that is replayed; `./scriptorium list` shows the traces.'),
  remote: value(
    duration({ zero: true }),
    'How long at most updates are applied at a second replica, one by one, and again in batches; 0s: no second replica.',
    '10s',
  ),
  inTurns: value(
    trueFalse(),
    'true: all engines replay in one process, in turns of about a millisecond, so that a machine that changes its speed within seconds meets them alike. Times are then compared with less noise, and neither memory nor a cold load is measured.',
    false,
  ),
  limit: limit('An engine that takes longer for all edits has failed.', '60s'),
});

/** Saving and loading a document. */
export const state = block({
  ...common('state'),
  engines,
  run: value(
    orNull(text('the folder of a run', /./)),
    'A folder that `run` wrote: the states that its trials saved are measured too, each with its framework. null: only states of replays.',
    null,
  ),
  trace: trace('The editing history that the engines’ documents have.'),
  warmUps: value(wholeNumber(0, 1000), 'Loads and saves before the measured ones.', 5),
  repetitions: value(wholeNumber(1, 1000), 'Measured loads and saves of each trial.', 10),
  inTurns: value(
    trueFalse(),
    'true: the states of the run are loaded in one process, in turns, so that a machine that changes its speed within seconds meets their frameworks alike. Engines have processes of their own all the same.',
    false,
  ),
  limit: limit('A trial that takes longer has failed.', '120s'),
});

/** Ways in which a newcomer gets the document. */
const JOIN_WAYS = ['deployed', 'backlog', 'snapshots', 'state'] as const;

/** How long a newcomer waits for a document. */
export const join = block({
  ...common('join'),
  frameworks: experiment.properties.frameworks,
  ways: value(
    list(oneOf(JOIN_WAYS)),
    'The newcomer’s way to the document. deployed: the server’s own way. Three more for frameworks over the relay: backlog, every message; snapshots, the last state, saved every 100 messages, and the messages since; state, made by the server of all messages when the newcomer comes, which is also their deployed way.',
    ['deployed'],
  ),
  edits: value(counts(1_000_000), 'How many edits the document holds before anybody joins.', [1_000, 10_000]),
  documents: value(
    counts(10_000),
    'Documents on one server; newcomers join one after another, spread over all of them.',
    [1],
  ),
  processes: value(counts(64), 'Server processes that share the documents.', [1]),
  typists: value(wholeNumber(0, 100), 'Users who type into each document while a newcomer joins.', 2),
  keysPerSecond: value(numberAbove(0, 100), 'Keys that each of these users types per second.', 6),
  joins: value(
    wholeNumber(1, 1000),
    'Measured newcomers of each trial, one after another; one more comes first and does not count.',
    5,
  ),
  trace: trace('The editing history that the documents have.'),
  limit: limit('A newcomer who waits longer has failed.', '60s'),
});

export const STORES = ['sqlite', 'level', 'lmdb'] as const;
export const WAYS = ['rewrite', 'append', 'compact', 'decompose'] as const;

/** The cost of keeping each edit of a document in an embedded store. */
export const rest = block({
  ...common('rest'),
  stores: value(list(oneOf(STORES)), 'Embedded stores: SQLite as Node brings it, LevelDB (classic-level), LMDB.', [
    ...STORES,
  ]),
  ways: value(
    list(oneOf(WAYS)),
    'How a document is kept. rewrite: the whole state, written again with each edit; append: a log of updates; compact: such a log, at times replaced by the state; decompose: a key for each item.',
    [...WAYS],
  ),
  sizes: value(
    counts(1_000_000),
    'How many edits the document holds before the measured ones.', // As many as the trace below allows.
    [1_000, 10_000, 50_000],
  ),
  durable: value(
    list(oneOf(['yes', 'no'])),
    'yes: an edit is on the disk (fsync) before the next is made. no: the system writes it to the disk later, so an edit survives the process, but not the machine.',
    ['no'],
  ),
  edits: value(
    wholeNumber(1, 100_000),
    'How many edits are measured in each trial; compacting is measured over three compactions at least.',
    500,
  ),
  compactEvery: value(wholeNumber(1, 100_000), 'How many updates are appended before the state replaces the log.', 500),
  trace: trace('The editing history that the document has.'),
  limit: limit('A trial has failed if writing, or reading, takes longer.', '120s'),
});

export type RestExperiment = ValueOf<typeof rest>;

/** How users come all at once. */
const STORM_WAYS = ['restart', 'drop', 'open'] as const;
/** Two keys of each user are characters of their own, of which Unicode leaves 6,400 for private use. */
const MOST_STORMING = 3000;

/** Many users of one document lose its server and come back at once, or open it at once for the first time. */
export const storm = block({
  ...common('storm'),
  frameworks: experiment.properties.frameworks,
  ways: value(
    list(oneOf(STORM_WAYS)),
    'restart: the server is killed, and starts again after `downFor` with nothing in memory, so that users bring the document back. drop: the server keeps the document, but cuts every connection and takes none for `downFor`, as when what stands before it is deployed. open: the server has the document, and everyone opens it for the first time.',
    ['restart', 'drop', 'open'],
  ),
  edits: value(counts(1_000_000), 'How many edits the document holds before that.', [10_000]),
  users: property(list(wholeNumber(2, MOST_STORMING)), {
    description:
      'How many users come at once, all in Node; with open, the author of the document is there beside them.',
    default: [10, 50],
    flag: experiment.properties.users.flag,
  }),
  live: value(
    orNull(wholeNumber(2, MOST_STORMING)),
    'So many users at most have the framework’s client. The others are sockets, which say what a client says to open the document or to come back with it, and type nothing. null: all have clients.',
    null,
  ),
  unsent: value(
    wholeNumber(0, 1000),
    'Keys that each user types while there is no connection. Once back, or in, each types one more.',
    5,
  ),
  downFor: value(duration({ zero: false }), 'How long the server takes no connections.', '2s'),
  trace: trace('The editing history that the document has.'),
  limit: limit('Users who take longer are not back.', '60s'),
});

/** More processes of users than these leave a small machine no time. */
const MOST_IN_PROCESSES = 16;

/** Users type, and at one moment the server, its store or the power is struck. */
export const kept = block({
  ...common('kept'),
  frameworks: experiment.properties.frameworks,
  stores: property(list(oneOf(KEPT_STORES)), {
    description:
      'Where the server keeps documents, by the library’s own means; what a framework does not offer is left out.',
    default: [...KEPT_STORES],
    flag: experiment.properties.stores.flag,
  }),
  struck: value(
    list(oneOf(['server', 'store', 'both', 'power'])),
    'What is struck. server: it is killed (SIGKILL). store, both: the store’s program, alone or with the server; of stores that are programs of their own. power: both, and the store’s files are as they were at their last sync.',
    ['server'],
  ),
  left: value(
    list(oneOf(['none', 'one', 'all'])),
    'Whose clients outlive that, and come back a second after somebody else has joined: the others are killed with it.',
    ['none'],
  ),
  edits: value(list(wholeNumber(0, 1_000_000)), 'How many edits the document holds before these users come.', [0]),
  users: value(
    oneAlone(wholeNumber(2, MOST_IN_PROCESSES)),
    'How many users type, each in a process of its own, in Node.',
    3,
  ),
  wordsPerSecond: value(
    numberAbove(0, 100),
    'Words that each user types per second. Each is one edit, and nobody types it twice.',
    6,
  ),
  killFrom: value(
    duration({ zero: false }),
    'The kill comes at a random moment, so long after typing began at least. A library that has not written by the kill loses all.',
    '10s',
  ),
  killTo: value(
    duration({ zero: false }),
    'So long after it at most. Kills are fair to a library that writes at intervals if they are spread over a whole interval; these are, for one of 10 s.',
    '20s',
  ),
  oneWayDelay: value(
    duration({ zero: true }),
    'How long what users and server send each other takes each way. Without any, hardly an edit is on its way when something is struck.',
    '50ms',
  ),
  downFor: value(duration({ zero: false }), 'How long what was struck is down.', '1s'),
  settle: limit('How long a newcomer waits for a document, and users who come back until all have the same.', '10s'),
  trace: trace('The editing history that the document has.'),
});

/** The memory that open documents and idle connections take of a server, and what is given back. */
export const memory = block({
  ...common('memory'),
  frameworks: experiment.properties.frameworks,
  edits: value(counts(1_000_000), 'How many edits each document holds.', [1000]),
  documents: value(counts(10_000), 'Documents that are open at once, each by the user who wrote it.', [10, 100]),
  connections: value(
    wholeNumber(0, 10_000),
    'Further users of the first document, who have it open and do nothing.',
    50,
  ),
  closedFor: value(duration({ zero: false }), 'How long the server is watched once everyone has left.', '60s'),
  trace: trace('The editing history that the documents have.'),
  limit: limit('A trial has failed if filling the documents takes longer.', '300s'),
});

export const DOCUMENT_EXPERIMENTS = { replay, state, join, rest, storm, kept, memory } satisfies Record<
  DocumentScenario,
  unknown
>;

/** An experiment of a document scenario as resolved: every default filled in, durations in milliseconds. */
export type DocumentExperiment = {
  [Name in DocumentScenario]: ValueOf<(typeof DOCUMENT_EXPERIMENTS)[Name]>;
}[DocumentScenario];
