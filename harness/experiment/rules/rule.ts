/** A rule finds a combination of properties that cannot run, or would measure nothing. */
import type { FrameworkAbout } from '../../../editors/base/framework.ts';
import type { Framework } from '../../../frameworks/framework.ts';
import type { FleetAbout } from '../../../infra/fleet.ts';
import { FLEET_NAMES, FLEETS } from '../../../infra/fleets.ts';
import type { Experiment } from '../experiment.ts';
import type { Path } from '../property.ts';

/** Something that keeps an experiment from running. */
export interface Problem {
  /** The properties that it concerns; it is shown at the first of them that was written. */
  paths: Path[];
  /** The problem, the value seen, and what to write; completes "<property>: …". */
  text: string;
  /** True if a value is wrong by itself, so that the problem is shown at the value instead of its key. */
  isOfValue?: boolean;
}

/** The part of a framework that rules read. */
export interface KnownFramework {
  name: string;
  about: Partial<FrameworkAbout>;
  /** Absent: `project`. */
  kind?: Framework['kind'];
}

/** Names that experiments may use. */
export interface Known {
  frameworks: readonly KnownFramework[];
  /** The names of traces; null if they are not looked at. */
  traces: readonly string[] | null;
}

export interface Rule {
  /** Properties that it reads; the rule is skipped if one of them is wrong by itself. */
  reads: readonly string[];
  check(experiment: Experiment, known: Known): Problem[];
}

/** The experiment's frameworks; one that does not exist is none of them, and is refused as that. */
export function namedIn({ frameworks }: Experiment, known: Known): KnownFramework[] {
  return known.frameworks.filter(({ name }) => frameworks.includes(name));
}

/**
 * A rule that finds one problem at most.
 *
 * @param places the properties that it concerns, such as `typing.sigilPeriod`; it is shown at the first that was written
 * @param why    the problem and what to write; null: none
 * @param reads  properties that it reads, if these are not the places
 */
export function rule(
  places: readonly string[],
  why: (experiment: Experiment, known: Known) => string | null,
  reads: readonly string[] = places,
): Rule {
  const paths = places.map((place) => place.split('.'));
  return {
    reads,
    check(experiment, known) {
      const text = why(experiment, known);
      return text === null ? [] : [{ paths, text }];
    },
  };
}

/** As `rule`, for each framework of the experiment by itself. */
export function frameworkRule(
  places: readonly string[],
  why: (framework: KnownFramework, experiment: Experiment, known: Known) => string | null,
  reads: readonly string[] = [...places, 'frameworks'],
): Rule {
  return {
    reads,
    check: (experiment, known) =>
      namedIn(experiment, known).flatMap((framework) =>
        rule(places, () => why(framework, experiment, known)).check(experiment, known),
      ),
  };
}

/** A problem of an item; null: none. `at`: the property of the item at which it is shown, if that is not the rule's. */
interface ItemProblem {
  at?: string;
  text: string | null;
}

/**
 * As `rule`, for each item of a list by itself; it is shown at the item.
 *
 * @param list  the list's name and its items
 * @param why   the problem of an item, and what to write, or several; null: none
 * @param about `at`: the property of the item at which it is shown; `beside`: other properties that it concerns;
 *              `reads`: properties that it reads, if these are not the list and those beside
 */
export function itemRule<Item>(
  [name, itemsOf]: readonly [name: string, itemsOf: (experiment: Experiment) => readonly Item[]],
  why: (
    item: Item,
    context: { index: number; items: readonly Item[]; experiment: Experiment; known: Known },
  ) => string | null | readonly ItemProblem[],
  about: { at?: string; beside?: readonly string[]; reads?: readonly string[] } = {},
): Rule {
  const { beside = [], reads = [name, ...beside] } = about;
  return {
    reads,
    check(experiment, known) {
      const items = itemsOf(experiment);
      return items.flatMap((item, index) => {
        const told = why(item, { index, items, experiment, known });
        const found: readonly ItemProblem[] = told === null || typeof told === 'string' ? [{ text: told }] : told;
        return found.flatMap(({ at = about.at, text }) => {
          const place = [...name.split('.'), index, ...(at === undefined ? [] : [at])];
          return text === null ? [] : [{ paths: [place, ...beside.map((path) => path.split('.'))], text }];
        });
      });
    },
  };
}

/** The fleets with an ability, as what to write. */
export function fleetsWith(ability: keyof FleetAbout): string {
  return FLEET_NAMES.filter((name) => FLEETS[name][ability]).join(' or ');
}

/** A rule that no value of a list is written twice. @param listed the list's values, if these are not the property's */
export function nothingTwice<Name extends keyof Experiment>(
  property: Name,
  listed = (experiment: Experiment) => experiment[property] as readonly unknown[],
): Rule {
  return itemRule([property, listed], (value, { items, index }) =>
    items.indexOf(value) === index ? null : `${JSON.stringify(value)} is written twice here; write it once`,
  );
}
