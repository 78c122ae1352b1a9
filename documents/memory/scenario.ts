/** Scenario `memory`: what open documents and idle connections take of a server's memory, and what is given back. */
import { scenarioOfServers } from '../live-server.ts';
import { combinations } from '../scenario.ts';
import { type MemoryCell, type MemoryExperiment, measureMemory } from './memory-trial.ts';

/** For the plan, as seen on two cores: what each of these takes. */
const COSTS_MS = { trial: 12_000, document: 10, edit: 0.1, connection: 20 };

export const scenario = scenarioOfServers<MemoryExperiment, MemoryCell>('memory', {
  cells: ({ edits, documents }, { frameworks }) => combinations({ framework: frameworks.keys(), edits, documents }),
  estimateMs: ({ connections, closedForMs }, { edits, documents }) =>
    COSTS_MS.trial +
    documents * (COSTS_MS.document + edits * COSTS_MS.edit) +
    connections * COSTS_MS.connection +
    closedForMs,
  measure: measureMemory,
});
