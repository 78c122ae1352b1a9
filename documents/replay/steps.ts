/** A concurrent trace as steps: who takes in what, and then types what. */
import type { ConcurrentTrace } from '../../traces/format.ts';
import { replay } from '../../traces/replay.ts';
import { unitCounterFor } from './edits.ts';

/** `[position, deleted, inserted]`, in UTF-16 units. */
export type StepEdit = [number, number, string];

export interface Step {
  agent: number;
  /** The transactions of others whose updates the agent takes in first, as numbers of steps, in causal order. */
  receives: number[];
  edits: StepEdit[];
}

export interface Steps {
  agents: number;
  /** One for each transaction. */
  steps: Step[];
  /** In the end each agent takes in these, so that all hold everything. */
  last: number[][];
  endContent: string;
}

/** @throws UserError (2) if the trace cannot be replayed */
export function stepsOf(trace: ConcurrentTrace): Steps {
  const agents = trace.numAgents;
  const edits: StepEdit[][] = trace.txns.map(() => []);
  const toUnits = unitCounterFor(trace);
  replay(trace, {
    typed({ document, position, deleted, inserted, transaction }) {
      const at = toUnits(document, 0, position);
      edits[transaction]!.push([at, toUnits(document, position, deleted), inserted]);
    },
  });
  /** State of each agent: how many transactions it holds of every agent. */
  const held = Array.from({ length: agents }, () => new Array<number>(agents).fill(0));
  const written: number[][] = Array.from({ length: agents }, () => []);
  const versions: number[][] = [];
  const bringTo = (agent: number, version: readonly number[]): number[] => {
    const missing = written.flatMap((transactions, other) => transactions.slice(held[agent]![other], version[other]));
    held[agent] = [...version];
    return missing.sort((a, b) => a - b);
  };
  const steps = trace.txns.map(({ agent, parents }, transaction): Step => {
    const before = held.map((_, other) => Math.max(0, ...parents.map((parent) => versions[parent]![other]!)));
    const receives = bringTo(agent, before);
    written[agent]!.push(transaction);
    held[agent]![agent]!++;
    versions.push([...held[agent]!]);
    return { agent, receives, edits: edits[transaction]! };
  });
  const all = written.map(({ length }) => length);
  return { agents, steps, last: held.map((_, agent) => bringTo(agent, all)), endContent: trace.endContent };
}
