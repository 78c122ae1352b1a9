/** The experiment file of scenario `state`: saving and loading a document. */
import { block, duration, orNull, property, text, wholeNumber, word } from '../property.ts';
import { common } from './common.ts';
import { engines } from './replay.ts';

export const state = block({
  ...common('state'),
  engines,
  run: property(orNull(text('the folder of a run', /./)), {
    description:
      'A folder that `run` wrote: the states that its trials saved are measured, too, by the frameworks that they are of. null: only those of replays.',
    default: null,
  }),
  trace: property(word('the name of a trace'), {
    description: 'The editing history that the engines’ documents have.',
    default: 'synthetic',
    flag: { form: '--trace <name>', example: 'automerge-paper' },
  }),
  warmUps: property(wholeNumber(0, 1000), { description: 'Loads and saves before the measured ones.', default: 5 }),
  repetitions: property(wholeNumber(1, 1000), { description: 'Measured loads and saves of each trial.', default: 10 }),
  limit: property(duration({ zero: false }), {
    description: 'A trial that takes longer has failed.',
    default: '120s',
  }),
});
