/** Frameworks that another hosts: their documents, and what they cannot have. */

import { FLEET_NAMES, FLEETS } from '../../../infra/fleets.ts';
import { addsNothing } from '../../../infra/network/link.ts';
import type { Experiment } from '../experiment.ts';
import type { Path } from '../property.ts';
import type { Known, Rule } from './rule.ts';

/** The frameworks of the experiment that are another's service. */
function hostedIn({ frameworks }: Experiment, known: Known) {
  return known.frameworks.flatMap(({ name, about: { hosted } }) =>
    hosted !== undefined && frameworks.includes(name) ? [{ name, ...hosted }] : [],
  );
}

const documentsAreFreshLinks: Rule = {
  reads: ['frameworks', 'documents'],
  check(experiment, known) {
    const { documents } = experiment;
    const [hosted] = hostedIn(experiment, known);
    const instruments = known.frameworks.filter(({ about }) => about.instrument);
    if (documents.length === 0 || instruments.some(({ name }) => experiment.frameworks.includes(name))) return [];
    if (hosted === undefined) {
      const text = 'none of the frameworks takes a link to a document; leave it out';
      return [{ paths: [['documents'], ['frameworks']], text }];
    }
    return documents.flatMap((link, index, all) => {
      const paths: Path[] = [['documents', index]];
      if (!hosted.isLink(link))
        return [{ paths, text: `${JSON.stringify(link)} is no link; write ${hosted.linkForm}` }];
      if (all.indexOf(link) === index) return [];
      return [{ paths, text: 'this document stands here twice; each trial needs a fresh one' }];
    });
  },
};

const documentsCarryTheUsers: Rule = {
  reads: ['frameworks', 'users'],
  check: (experiment, known) =>
    hostedIn(experiment, known).flatMap(({ name, mostUsers }) =>
      experiment.users.flatMap((users, index) => {
        if (users <= mostUsers) return [];
        const text = `${users} users cannot edit one document of "${name}"; write ${mostUsers} at most`;
        return [{ paths: [['users', index], ['frameworks']], text }];
      }),
    ),
};

const fleetStartsNoServer: Rule = {
  reads: ['frameworks', 'fleet.on'],
  check: (experiment, known) =>
    hostedIn(experiment, known)
      .filter(() => !FLEETS[experiment.fleet.on].hostedDocuments)
      .map(({ name }) => ({
        paths: [['fleet', 'on'], ['frameworks']],
        text: `"${name}" has no server to start on ${experiment.fleet.on}; write ${FLEET_NAMES.filter((each) => FLEETS[each].hostedDocuments).join(' or ')}, or run it in an experiment of its own`,
      })),
};

const networkIsAnothers: Rule = {
  reads: ['frameworks', 'network'],
  check(experiment, known) {
    if (experiment.network.groups.every(({ link }) => addsNothing(link))) return [];
    return hostedIn(experiment, known).map(({ name }) => ({
      paths: [['network'], ['frameworks']],
      text: `nothing can be put between users and the server of "${name}", which is another's; leave the network as it is`,
    }));
  },
};

const baseIsAnother: Rule = {
  reads: ['base', 'frameworks'],
  check(experiment, known) {
    if (experiment.base === null) return [];
    return hostedIn(experiment, known).map(({ name }) => ({
      paths: [['base'], ['frameworks']],
      text: `"${name}" is hosted by another, so base and new would be the same; leave it out`,
    }));
  },
};

export const HOSTED_RULES: readonly Rule[] = [
  documentsAreFreshLinks,
  documentsCarryTheUsers,
  fleetStartsNoServer,
  networkIsAnothers,
  baseIsAnother,
];
