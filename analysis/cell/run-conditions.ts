/** The conditions that a run was made under, as far as they must agree where figures of two runs stand together. */
import { leavesOf } from '../figures/nested.ts';

/**
 * These say which cells there are, how often and in which fresh documents, and from where the person's machine reaches a
 * remote fleet, not under which conditions anything was measured; the seed only says which random edits, and the base what
 * ran in turns with it.
 */
const FREE = [
  'name',
  'frameworks',
  'engines',
  'stores',
  'store.writeDelayMs',
  'servers.counts',
  'readers',
  'modes',
  'users',
  'trials',
  'seed',
  'documents',
  'base',
  'fleet.fargate.reachedFrom',
];

/** These make cells too, but with them the crowd beside probes is live in all cells of the run, not played. */
const FREE_WITHOUT_PROBES = ['agents', 'presence'];

/** The part of a plan that tells the conditions. */
export interface WithConditions {
  experiment: Record<string, unknown> & { name: string };
}

/** Each condition that differs, such as `durations.measureMs: 60000 / 30000`; empty if none does. */
export function differingConditions(a: WithConditions, b: WithConditions): string[] {
  const free = [a, b].some(hasProbes) ? FREE : [...FREE, ...FREE_WITHOUT_PROBES];
  const [ofA, ofB] = [conditionsOf(a, free), conditionsOf(b, free)];
  // An older version, which did not know a condition, did not do it.
  const valueIn = (conditions: ReadonlyMap<string, string>, name: string) => conditions.get(name) ?? 'false';
  return [...new Set([...ofA.keys(), ...ofB.keys()])]
    .filter((name) => valueIn(ofA, name) !== valueIn(ofB, name))
    .map((name) => `${name}: ${ofA.get(name) ?? 'not given'} / ${ofB.get(name) ?? 'not given'}`);
}

function hasProbes({ experiment: { probes = 'all' } }: WithConditions): boolean {
  return probes !== 'all';
}

function conditionsOf({ experiment }: WithConditions, free: readonly string[]): Map<string, string> {
  const leaves = leavesOf(experiment).filter(([name]) => !free.some((each) => `${name}.`.startsWith(`${each}.`)));
  return new Map(leaves.map(([name, value]) => [name, JSON.stringify(value)]));
}
