/** The experiment file of scenario `join`: how long a newcomer waits for a document. */
import { block, duration, list, numberAbove, oneOf, property, wholeNumber, word } from '../property.ts';
import { common } from './common.ts';

/** What a newcomer gets. */
export const WAYS = ['deployed', 'backlog', 'snapshots', 'state'] as const;

export const join = block({
  ...common('join'),
  frameworks: property(list(word('the name of a framework')), {
    description:
      'Collaboration frameworks under test. `./scriptorium list` shows those of the project; `yjs@13.6.20` is one with another version of its package, and a folder (`./mine`) or an installed npm package is one from outside.',
    default: ['yjs'],
    flag: { form: '--frameworks <names>', example: 'yjs,sharedb' },
  }),
  ways: property(list(oneOf(WAYS)), {
    description:
      'What a newcomer gets. deployed: what its server gives as it is; and of frameworks over the relay, backlog: every message; snapshots: the last saved state, made after every 100 messages, and the rest; state: one that the server makes of all of them when the newcomer comes, which is what they deploy.',
    default: ['deployed'],
  }),
  edits: property(list(wholeNumber(1, 1_000_000)), {
    description: 'How many edits the document holds before anybody joins.',
    default: [1_000, 10_000],
  }),
  documents: property(list(wholeNumber(1, 10_000)), {
    description: 'On one server; newcomers join one after another, spread over all of them.',
    default: [1],
  }),
  processes: property(list(wholeNumber(1, 64)), {
    description: 'Worker processes that the documents are spread over.',
    default: [1],
  }),
  typists: property(wholeNumber(0, 100), {
    description: 'Users who type into each document while a newcomer joins.',
    default: 2,
  }),
  keysPerSecond: property(numberAbove(0, 100), {
    description: 'Keys that each of them types per second.',
    default: 6,
  }),
  joins: property(wholeNumber(1, 1000), {
    description: 'Newcomers of each trial, one after another, beside one that does not count.',
    default: 5,
  }),
  trace: property(word('the name of a trace'), {
    description: 'The editing history that the documents have.',
    default: 'synthetic',
    flag: { form: '--trace <name>', example: 'automerge-paper' },
  }),
  limit: property(duration({ zero: false }), {
    description: 'A newcomer who waits longer has failed.',
    default: '60s',
  }),
});
