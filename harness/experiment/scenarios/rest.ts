/** The experiment file of scenario `rest`: what it costs to keep each edit of a document in an embedded store. */
import { block, duration, list, oneOf, property, type ValueOf, wholeNumber, word } from '../property.ts';
import { common } from './common.ts';

export const STORES = ['sqlite', 'level', 'lmdb'] as const;
export const WAYS = ['rewrite', 'append', 'compact', 'decompose'] as const;

export const rest = block({
  ...common('rest'),
  stores: property(list(oneOf(STORES)), {
    description: 'Embedded stores: SQLite as Node brings it, LevelDB (classic-level), LMDB.',
    default: [...STORES],
  }),
  ways: property(list(oneOf(WAYS)), {
    description:
      'How a document is kept. rewrite: its whole state, anew with each edit; append: a log of updates; compact: that, and the state in place of the log at times; decompose: a key for each item.',
    default: [...WAYS],
  }),
  sizes: property(list(wholeNumber(1, 1_000_000)), {
    description: 'How many edits the document holds before the measured ones.',
    // As many as the trace below allows.
    default: [1_000, 10_000, 50_000],
  }),
  durable: property(list(oneOf(['yes', 'no'])), {
    description:
      'yes: an edit is on the disk (fsync) before the next is made; no: the system has it and writes it when it likes, so it outlives the process, but not the machine.',
    default: ['no'],
  }),
  edits: property(wholeNumber(1, 100_000), {
    description: 'How many edits are measured in each trial; compacting is measured over three compactions at least.',
    default: 500,
  }),
  compactEvery: property(wholeNumber(1, 100_000), {
    description: 'After so many appended updates the log is replaced by the state.',
    default: 500,
  }),
  trace: property(word('the name of a trace'), {
    description: 'The editing history that the document has.',
    default: 'synthetic',
    flag: { form: '--trace <name>', example: 'automerge-paper' },
  }),
  limit: property(duration({ zero: false }), {
    description: 'A trial whose writing or whose reading takes longer has failed.',
    default: '120s',
  }),
});

export type RestExperiment = ValueOf<typeof rest>;
