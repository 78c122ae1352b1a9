/** Problems that no single property shows: combinations that cannot run, or would measure nothing. */
import { companiesOf } from './company.ts';
import { type Experiment, MOST_TRIALS } from './experiment.ts';
import type { Path } from './property.ts';
import { ATTACHED_RULES } from './rules/attached.ts';
import { BACKING_RULES } from './rules/backing.ts';
import { FRAMEWORK_RULES } from './rules/frameworks.ts';
import { NETWORK_AND_FAULT_RULES } from './rules/network-and-faults.ts';
import { type Known, type Problem, type Rule, rule } from './rules/rule.ts';
import { TYPING_RULES } from './rules/typing.ts';

/** Folders of results/ that are no experiment's: formats of records, others' figures, and what this project measured. */
const TAKEN_NAMES = ['formats', 'published', 'measured'];

const nameIsFree = rule(['name'], ({ name }) => {
  // Some file systems do not tell large letters from small ones.
  if (!TAKEN_NAMES.includes(name.toLowerCase())) return null;
  return `"${name}" is the name of a folder of results/ that is not for runs; write another`;
});

const planIsBounded = rule(
  ['trials', 'users'],
  (experiment) => {
    const { frameworks, modes, users, trials } = experiment;
    const companies = companiesOf(experiment).length;
    const planned = frameworks.length * modes.length * users.length * companies * trials;
    if (planned <= MOST_TRIALS) return null;
    const more = companies === 1 ? '' : ` × ${companies} for presence, agents, readers, stores and servers`;
    return `frameworks × modes × users${more} × trials is ${planned}; plan ${MOST_TRIALS} trials at most`;
  },
  ['frameworks', 'modes', 'users', 'presence', 'agents', 'readers', 'stores', 'servers', 'trials'],
);

const RULES: readonly Rule[] = [
  nameIsFree,
  planIsBounded,
  ...[FRAMEWORK_RULES, ATTACHED_RULES, TYPING_RULES, NETWORK_AND_FAULT_RULES, BACKING_RULES].flatMap((rules) =>
    Object.values<Rule>(rules),
  ),
];

/**
 * Finds the combinations that cannot run.
 *
 * @param experiment the file's content, with wrong properties replaced by their defaults
 * @param wrong      those properties: rules that read them are skipped
 */
export function checkRules(experiment: Experiment, known: Known, wrong: readonly Path[]): Problem[] {
  const wrongNames = wrong.map((path) => path.join('.'));
  return RULES.filter(({ reads }) =>
    reads.every((name) => !wrongNames.some((each) => within(each, name) || within(name, each))),
  ).flatMap(({ check }) => check(experiment, known));
}

/** True if `inner` is `outer` or a property inside it; the empty name is the whole file. */
function within(inner: string, outer: string): boolean {
  return outer === '' || inner === outer || inner.startsWith(`${outer}.`);
}
