/** The experiment files of all document scenarios. */
import type { DocumentScenario } from '../../../results/formats/scenarios.ts';
import type { ValueOf } from '../property.ts';
import { join } from './join.ts';
import { replay } from './replay.ts';
import { rest } from './rest.ts';
import { state } from './state.ts';

export const DOCUMENT_EXPERIMENTS = { replay, state, join, rest } satisfies Record<DocumentScenario, unknown>;

/** An experiment of a document scenario as resolved: every default filled in, durations in milliseconds. */
export type DocumentExperiment = {
  [Name in DocumentScenario]: ValueOf<(typeof DOCUMENT_EXPERIMENTS)[Name]>;
}[DocumentScenario];
