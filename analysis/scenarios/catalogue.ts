/** All scenarios, by name. Browser-safe. */
import type { ScenarioName } from '../../results/formats/documents.ts';
import { scenario as join } from './join.ts';
import { scenario as kept } from './kept.ts';
import { scenario as memory } from './memory.ts';
import { scenario as replay } from './replay.ts';
import { scenario as rest } from './rest.ts';
import type { Scenario } from './scenario.ts';
import { scenario as state } from './state.ts';
import { scenario as storm } from './storm.ts';
import { scenario as typing } from './typing.ts';

export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  typing,
  replay,
  state,
  join,
  rest,
  storm,
  kept,
  memory,
};
