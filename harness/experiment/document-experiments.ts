/** The properties of experiment files of the document scenarios. */
import type { DocumentScenario } from '../../results/formats/scenarios.ts';
import { experiment, MOST_TRIALS } from './experiment.ts';
import {
  block,
  duration,
  list,
  numberAbove,
  oneOf,
  orNull,
  property,
  text,
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
      flag: { form: '--trials <count>', example: '5' },
    }),
    seed,
  };
}

function trace(description: string) {
  return property(word('the name of a trace'), {
    description,
    default: 'synthetic',
    flag: { form: '--trace <name>', example: 'automerge-paper' },
  });
}

/** How an engine tells of edits: by updates, edit by edit, or once at the end. */
const OBSERVED = ['updates', 'edits', 'once'] as const;

const engines = property(list(word('the name of an engine')), {
  description: 'Libraries that hold the document; `./scriptorium list` shows them.',
  default: ['string', 'yjs'],
  flag: { form: '--engines <names>', example: 'yjs,loro' },
});

/** A trace applied edit by edit to one replica. */
export const replay = block({
  ...common('replay'),
  engines,
  observe: property(list(oneOf(OBSERVED)), {
    description:
      'updates: each edit is a transaction of its own, and its update is read, as a live editor needs; edits: the same without reading updates; once: one transaction for all edits.',
    default: ['updates'],
  }),
  repeat: property(list(wholeNumber(1, 1000)), {
    description: 'How many times the trace’s edits are replayed, one after another, into one document.',
    default: [1],
  }),
  trace: trace('The editing history that is replayed; `./scriptorium list` shows the traces.'),
  remote: property(duration({ zero: true }), {
    description:
      'How long at most updates are applied at a second replica, one by one, and again in batches; 0s: no second replica.',
    default: '10s',
  }),
  limit: property(duration({ zero: false }), {
    description: 'An engine that takes longer for all edits has failed.',
    default: '60s',
  }),
});

/** Saving and loading a document. */
export const state = block({
  ...common('state'),
  engines,
  run: property(orNull(text('the folder of a run', /./)), {
    description:
      'A folder that `run` wrote: the states that its trials saved are measured too, each with its framework. null: only states of replays.',
    default: null,
  }),
  trace: trace('The editing history that the engines’ documents have.'),
  warmUps: property(wholeNumber(0, 1000), { description: 'Loads and saves before the measured ones.', default: 5 }),
  repetitions: property(wholeNumber(1, 1000), { description: 'Measured loads and saves of each trial.', default: 10 }),
  limit: property(duration({ zero: false }), {
    description: 'A trial that takes longer has failed.',
    default: '120s',
  }),
});

/** Ways in which a newcomer gets the document. */
const JOIN_WAYS = ['deployed', 'backlog', 'snapshots', 'state'] as const;

/** How long a newcomer waits for a document. */
export const join = block({
  ...common('join'),
  frameworks: property(list(word('the name of a framework')), {
    description:
      'Collaboration frameworks under test. `./scriptorium list` shows those of the project. `yjs@13.6.20` is Yjs with that version of its package. A folder (`./mine`) or an installed npm package is a framework from outside.',
    default: ['yjs'],
    flag: { form: '--frameworks <names>', example: 'yjs,sharedb' },
  }),
  ways: property(list(oneOf(JOIN_WAYS)), {
    description:
      'The newcomer’s way to the document. deployed: the server’s own way. Three more for frameworks over the relay: backlog, every message; snapshots, the last state, saved every 100 messages, and the messages since; state, made by the server of all messages when the newcomer comes, which is also their deployed way.',
    default: ['deployed'],
  }),
  edits: property(list(wholeNumber(1, 1_000_000)), {
    description: 'How many edits the document holds before anybody joins.',
    default: [1_000, 10_000],
  }),
  documents: property(list(wholeNumber(1, 10_000)), {
    description: 'Documents on one server; newcomers join one after another, spread over all of them.',
    default: [1],
  }),
  processes: property(list(wholeNumber(1, 64)), {
    description: 'Server processes that share the documents.',
    default: [1],
  }),
  typists: property(wholeNumber(0, 100), {
    description: 'Users who type into each document while a newcomer joins.',
    default: 2,
  }),
  keysPerSecond: property(numberAbove(0, 100), {
    description: 'Keys that each of these users types per second.',
    default: 6,
  }),
  joins: property(wholeNumber(1, 1000), {
    description: 'Measured newcomers of each trial, one after another; one more comes first and does not count.',
    default: 5,
  }),
  trace: trace('The editing history that the documents have.'),
  limit: property(duration({ zero: false }), {
    description: 'A newcomer who waits longer has failed.',
    default: '60s',
  }),
});

export const STORES = ['sqlite', 'level', 'lmdb'] as const;
export const WAYS = ['rewrite', 'append', 'compact', 'decompose'] as const;

/** The cost of keeping each edit of a document in an embedded store. */
export const rest = block({
  ...common('rest'),
  stores: property(list(oneOf(STORES)), {
    description: 'Embedded stores: SQLite as Node brings it, LevelDB (classic-level), LMDB.',
    default: [...STORES],
  }),
  ways: property(list(oneOf(WAYS)), {
    description:
      'How a document is kept. rewrite: the whole state, written anew with each edit; append: a log of updates; compact: such a log, at times replaced by the state; decompose: a key for each item.',
    default: [...WAYS],
  }),
  sizes: property(list(wholeNumber(1, 1_000_000)), {
    description: 'How many edits the document holds before the measured ones.',
    // As many as the trace below allows.
    default: [1_000, 10_000, 50_000],
  }),
  durable: property(list(oneOf(['yes', 'no'])), {
    description:
      'yes: an edit is on the disk (fsync) before the next is made. no: the system writes it to the disk later, so an edit survives the process, but not the machine.',
    default: ['no'],
  }),
  edits: property(wholeNumber(1, 100_000), {
    description: 'How many edits are measured in each trial; compacting is measured over three compactions at least.',
    default: 500,
  }),
  compactEvery: property(wholeNumber(1, 100_000), {
    description: 'How many updates are appended before the state replaces the log.',
    default: 500,
  }),
  trace: trace('The editing history that the document has.'),
  limit: property(duration({ zero: false }), {
    description: 'A trial has failed if writing, or reading, takes longer.',
    default: '120s',
  }),
});

export type RestExperiment = ValueOf<typeof rest>;

export const DOCUMENT_EXPERIMENTS = { replay, state, join, rest } satisfies Record<DocumentScenario, unknown>;

/** An experiment of a document scenario as resolved: every default filled in, durations in milliseconds. */
export type DocumentExperiment = {
  [Name in DocumentScenario]: ValueOf<(typeof DOCUMENT_EXPERIMENTS)[Name]>;
}[DocumentScenario];
