/** The catalogues of all document scenarios. Browser-safe. */
import type { DocumentScenario } from '../../results/formats/scenarios.ts';
import { catalogue as join } from './join.ts';
import { catalogue as replay } from './replay.ts';
import { catalogue as rest } from './rest.ts';
import type { ScenarioCatalogue } from './scenario.ts';
import { catalogue as state } from './state.ts';

export const CATALOGUES: Readonly<Record<DocumentScenario, ScenarioCatalogue>> = { replay, state, join, rest };
