/** The document scenarios: how each is measured. Loaded when it is needed: each brings its own libraries. */

import type { DocumentExperiment } from '../harness/experiment/document-experiments.ts';
import type { DocumentScenario } from '../results/formats/scenarios.ts';
import type { ScenarioKind } from './scenario.ts';

/** Of an experiment of that scenario. */
export async function loadScenario<Name extends DocumentScenario>(
  name: Name,
): Promise<ScenarioKind<Extract<DocumentExperiment, { scenario: Name }>>> {
  const { scenario } = (await import(`./${name}/scenario.ts`)) as {
    scenario: ScenarioKind<Extract<DocumentExperiment, { scenario: Name }>>;
  };
  return scenario;
}
