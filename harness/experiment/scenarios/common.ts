/** What the experiment files of all document scenarios have. */
import type { DocumentScenario } from '../../../results/formats/scenarios.ts';
import { experiment, MOST_TRIALS } from '../experiment.ts';
import { oneOf, property, wholeNumber } from '../property.ts';

export function common<Name extends DocumentScenario>(scenario: Name) {
  const { name, seed } = experiment.properties;
  return {
    name,
    scenario: property(oneOf([scenario]), { description: 'What is measured.' }),
    trials: property(wholeNumber(1, MOST_TRIALS), {
      description: 'Runs of each cell, each in processes of its own; intervals need at least 3.',
      default: 5,
      flag: { form: '--trials <count>', example: '5' },
    }),
    seed,
  };
}
