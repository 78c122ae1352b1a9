/**
 * The ids in the known issues of a framework from outside. One that is spelt wrong would excuse nothing, or everything, in silence.
 * They are no part of the form in `outside.ts`, as what has them looks frameworks up.
 */
import { UserError } from '../results/user-error.ts';
import { PROPERTIES, SAVED_STATE } from './check/properties.ts';
import { INVARIANTS } from './explore/invariants.ts';
import { EDITS, FAULTS } from './explore/world.ts';
import type { Framework } from './framework.ts';

const PROPERTY_IDS = [...PROPERTIES, SAVED_STATE].map(({ id }) => id);
const INVARIANT_IDS = INVARIANTS.map(({ id }) => id);
const KINDS: readonly string[] = [...EDITS, ...FAULTS];

/** @throws UserError (exit code 2) if a known issue names what is none */
export function refuseUnknownIds({ about, root }: Pick<Framework, 'about' | 'root'>): void {
  for (const [index, { properties, worlds }] of (about.knownIssues ?? []).entries()) {
    const refuse = (list: string, ids: readonly string[] = [], valid: readonly string[] = []) => {
      const unknown = ids.find((id) => !valid.includes(id));
      if (unknown === undefined) return;
      const where = `about.knownIssues.${index}.${list}`;
      throw new UserError(
        `the framework in ${root} cannot be used: ${where} has "${unknown}"; write some of ${valid.join(', ')}`,
      );
    };
    refuse('properties', properties, PROPERTY_IDS);
    refuse('worlds.invariants', worlds?.invariants, INVARIANT_IDS);
    refuse('worlds.after', worlds?.after, KINDS);
  }
}
