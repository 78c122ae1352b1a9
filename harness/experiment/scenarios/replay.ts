/** The experiment file of scenario `replay`: a trace applied edit by edit to one replica. */
import { block, duration, list, oneOf, property, wholeNumber, word } from '../property.ts';
import { common } from './common.ts';

/** What an engine has to tell of each edit. */
export const OBSERVED = ['updates', 'edits', 'once'] as const;

export const engines = property(list(word('the name of an engine')), {
  description: 'What holds the document; `./scriptorium list` shows them.',
  default: ['string', 'yjs'],
  flag: { form: '--engines <names>', example: 'yjs,loro' },
});

export const replay = block({
  ...common('replay'),
  engines,
  observe: property(list(oneOf(OBSERVED)), {
    description:
      'updates: each edit is a transaction of its own, and its update is taken, as a live editor needs; edits: the same without taking it; once: one transaction for all edits.',
    default: ['updates'],
  }),
  repeat: property(list(wholeNumber(1, 1000)), {
    description: 'The trace’s edits so many times over, into one document.',
    default: [1],
  }),
  trace: property(word('the name of a trace'), {
    description: 'The editing history that is replayed; `./scriptorium list` shows the traces.',
    default: 'synthetic',
    flag: { form: '--trace <name>', example: 'automerge-paper' },
  }),
  remote: property(duration({ zero: true }), {
    description:
      'At most so long are updates applied at a second replica, one by one, and again in batches; 0s: they are not.',
    default: '10s',
  }),
  limit: property(duration({ zero: false }), {
    description: 'An engine that takes longer for all edits has failed.',
    default: '60s',
  }),
});
