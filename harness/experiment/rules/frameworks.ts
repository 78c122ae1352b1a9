/** Frameworks, modes, users, and what they can do together. */

import { hasFilesElsewhere, takesMore } from '../../../frameworks/framework.ts';
import { modesOf } from '../../../frameworks/modes.ts';
import { FLEET_NAMES, FLEETS } from '../../../infra/fleets.ts';
import { nearest } from '../nearest.ts';
import type { Rule } from './rule.ts';

const frameworksAreHere: Rule = {
  reads: ['frameworks'],
  check: ({ frameworks }, known) =>
    frameworks.flatMap((name, index) => {
      const names = known.frameworks.map((each) => each.name);
      if (names.includes(name)) return [];
      const meant = nearest(name, names);
      const hint = meant === null ? '' : ` (did you mean "${meant}"?)`;
      const text = `there is no framework "${name}"${hint}; write one of: ${names.join(', ') || 'none is installed'}`;
      return [{ paths: [['frameworks', index]], text }];
    }),
};

const frameworksHaveTheModes: Rule = {
  reads: ['frameworks', 'modes'],
  check: ({ frameworks, modes }, known) =>
    known.frameworks
      .filter(({ name }) => frameworks.includes(name))
      .flatMap(({ name, about }) =>
        modes.flatMap((mode, index) => {
          const supported = modesOf(about);
          if (supported.includes(mode)) return [];
          const text = `"${name}" does not support "${mode}"; it supports: ${supported.join(', ')}`;
          return [{ paths: [['modes', index], ['frameworks']], text }];
        }),
      ),
};

const nothingStandsTwice: Rule[] = (['frameworks', 'modes', 'users'] as const).map((property) => ({
  reads: [property],
  check: (experiment) =>
    experiment[property].flatMap((value, index, all: unknown[]) =>
      all.indexOf(value) === index
        ? []
        : [{ paths: [[property, index]], text: `${JSON.stringify(value)} stands here twice; write it once` }],
    ),
}));

const writersAreUsers: Rule = {
  reads: ['writers', 'users'],
  check({ writers, users }) {
    const fewest = Math.min(...users);
    if (writers === 'all' || writers <= fewest) return [];
    const text = `${writers} writers are more than the ${fewest} users of the smallest cell; write ${fewest} at most, or all`;
    return [{ paths: [['writers'], ['users']], text }];
  },
};

const severalWritersAreMerged: Rule = {
  reads: ['writers', 'users', 'frameworks'],
  check({ writers, users, frameworks }, known) {
    const most = writers === 'all' ? Math.max(...users) : writers;
    return known.frameworks
      .filter(({ name, about }) => frameworks.includes(name) && about.oneWriter && most > 1)
      .map(({ name }) => ({
        paths: [['writers'], ['frameworks']],
        text: `"${name}" does not merge concurrent edits, so ${most} writers cannot use it; write "writers: 1"`,
      }));
  },
};

const fleetBringsThem: Rule = {
  reads: ['frameworks', 'fleet.on'],
  check({ frameworks, fleet: { on } }, known) {
    if (FLEETS[on].bringsFrameworks) return [];
    const able = FLEET_NAMES.filter((name) => FLEETS[name].bringsFrameworks).join(' or ');
    return known.frameworks
      .filter((each) => frameworks.includes(each.name) && takesMore(each))
      .map(({ name, about }) => {
        const what = about.needs === undefined ? 'files that are not in this project' : `Python ${about.needs.python}`;
        return {
          paths: [['fleet', 'on'], ['frameworks']],
          text: `"${name}" takes ${what}, and on ${on} there is nothing but the project; write ${able}, or leave "${name}" out`,
        };
      });
  },
};

const baseHasTheFiles: Rule = {
  reads: ['frameworks', 'base'],
  check({ frameworks, base }, known) {
    if (base === null) return [];
    return known.frameworks
      .filter((each) => frameworks.includes(each.name) && hasFilesElsewhere(each))
      .map(({ name }) => ({
        paths: [['base'], ['frameworks']],
        text: `"${name}" has files that are not in the project, so base and new would be the same; leave it out, or compare versions of a package in one run, as docs/versions.md says`,
      }));
  },
};

export const FRAMEWORK_RULES: readonly Rule[] = [
  frameworksAreHere,
  frameworksHaveTheModes,
  ...nothingStandsTwice,
  writersAreUsers,
  severalWritersAreMerged,
  fleetBringsThem,
  baseHasTheFiles,
];
