/** Frameworks and modes, and the parts of an experiment that a framework cannot run. */
import { presenceOf } from '../../../editors/base/framework.ts';
import { hasFilesElsewhere, noSuchFramework, takesMore } from '../../../frameworks/framework.ts';
import { modesOf } from '../../../frameworks/modes.ts';
import { FLEETS } from '../../../infra/fleets.ts';
import { addsNothing } from '../../../infra/network/link.ts';
import { isCrowdRecorded } from '../company.ts';
import type { Experiment } from '../experiment.ts';
import type { Path } from '../property.ts';
import { fleetsWith, frameworkRule, itemRule, type KnownFramework, type Rule } from './rule.ts';

export function isPlayed(framework: KnownFramework, experiment: Experiment): boolean {
  return experiment.probes !== 'all' && isCrowdRecorded(framework, experiment);
}

/** A rule about what cannot be had of a framework that another hosts. */
function hostedRule(
  places: readonly string[],
  why: (...said: Parameters<Parameters<typeof frameworkRule>[1]>) => string | null,
) {
  return frameworkRule(places, (framework, experiment, known) =>
    framework.about.hosted === undefined ? null : why(framework, experiment, known),
  );
}

export const FRAMEWORK_RULES = {
  areHere: itemRule(['frameworks', ({ frameworks }) => frameworks], (name, { known }) => {
    const names = known.frameworks.map((framework) => framework.name);
    return names.includes(name) ? null : noSuchFramework(name, names);
  }),

  haveTheModes: {
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
  } satisfies Rule,

  mergeWriters: frameworkRule(
    ['writers', 'frameworks'],
    ({ name, about }, { writers, users }) => {
      const most = writers === 'all' ? Math.max(...users) : writers;
      if (!about.oneWriter || most <= 1) return null;
      return `"${name}" does not merge concurrent edits, so ${most} writers cannot use it; write "writers: 1"`;
    },
    ['writers', 'users', 'frameworks'],
  ),

  fitTheFleet: frameworkRule(['fleet.on', 'frameworks'], (framework, { fleet: { on } }) => {
    const { name, about } = framework;
    if (FLEETS[on].bringsFrameworks || !takesMore(framework)) return null;
    const what = about.needs === undefined ? 'files that are not in this project' : `Python ${about.needs.python}`;
    return `"${name}" needs ${what}, but the ${on} fleet has only the project’s own; write ${fleetsWith('bringsFrameworks')}, or leave "${name}" out`;
  }),

  differInBase: frameworkRule(['base', 'frameworks'], (framework, { base }) => {
    if (base === null || !hasFilesElsewhere(framework)) return null;
    return `"${framework.name}" has files that are not in the project, so base and new would be the same; leave it out, or compare versions of a package in one run, as docs/analysis.md says`;
  }),

  havePresence: frameworkRule(['presence', 'frameworks'], ({ name, about }, { presence }, known) => {
    const { lacking } = presenceOf(about);
    if (presence === false || lacking === undefined) return null;
    const able = known.frameworks.filter((framework) => presenceOf(framework.about).by !== undefined);
    const names = able.map((framework) => framework.name).join(', ') || 'none here';
    return `"${name}" has none: ${lacking} Write false, or leave it out of the frameworks; these have it: ${names}`;
  }),

  crowdComesBack: frameworkRule(
    ['faults', 'probes'],
    (framework, experiment) => {
      if (experiment.faults.length === 0 || !isPlayed(framework, experiment)) return null;
      return `the crowd of "${framework.name}" is played from a recording, and cannot come back to a server that it lost; leave the faults out, or write "probes: all"`;
    },
    ['faults', 'probes', 'presence', 'agents', 'store.reuse', 'servers', 'frameworks'],
  ),

  documentsAreFreshLinks: {
    reads: ['frameworks', 'documents', 'servers'],
    check({ frameworks, documents, servers }, known) {
      const named = known.frameworks.filter(({ name }) => frameworks.includes(name));
      if (documents.length === 0 || servers.attached.length > 0 || named.some(({ about }) => about.instrument))
        return [];
      const hosted = named.find(({ about }) => about.hosted !== undefined)?.about.hosted;
      if (hosted === undefined) {
        const text = 'none of the frameworks takes a link to a document; leave it out';
        return [{ paths: [['documents'], ['frameworks']], text }];
      }
      return documents.flatMap((link, index, all) => {
        const paths: Path[] = [['documents', index]];
        if (!hosted.isLink(link))
          return [{ paths, text: `${JSON.stringify(link)} is no link; write ${hosted.linkForm}` }];
        if (all.indexOf(link) === index) return [];
        return [{ paths, text: 'this document is written twice here; each trial needs a fresh one' }];
      });
    },
  } satisfies Rule,

  documentsCarryTheUsers: {
    reads: ['frameworks', 'users'],
    check: ({ frameworks, users }, known) =>
      known.frameworks.flatMap(({ name, about: { hosted } }) =>
        users.flatMap((count, index) => {
          if (hosted === undefined || !frameworks.includes(name) || count <= hosted.mostUsers) return [];
          const text = `${count} users cannot edit one document of "${name}"; write ${hosted.mostUsers} at most`;
          return [{ paths: [['users', index], ['frameworks']], text }];
        }),
      ),
  } satisfies Rule,

  hostedHasNoCrowd: hostedRule(['probes', 'frameworks'], ({ name }, { probes }) =>
    probes === 'all'
      ? null
      : `"${name}" is somebody else's service, and no crowd is played to it; write all, or run it in an experiment of its own`,
  ),

  hostedBeginsEmpty: hostedRule(['start', 'frameworks'], ({ name }, { start: { trace, characters } }) =>
    trace === null && characters === null
      ? null
      : `the documents of "${name}" are hosted elsewhere and begin empty; leave it out`,
  ),

  hostedFitsTheFleet: hostedRule(['fleet.on', 'frameworks'], ({ name }, { fleet: { on } }) => {
    if (FLEETS[on].hostedDocuments) return null;
    return `"${name}" has no server to start on ${on}; write ${fleetsWith('hostedDocuments')}, or run it in an experiment of its own`;
  }),

  hostedHasNoDelay: hostedRule(['network', 'frameworks'], ({ name }, { network }) =>
    network.groups.every(({ link }) => addsNothing(link))
      ? null
      : `the server of "${name}" is hosted elsewhere, so no delay can be added on the way to it; leave the network as it is`,
  ),

  hostedIsNoBase: hostedRule(['base', 'frameworks'], ({ name }, { base }) =>
    base === null ? null : `"${name}" is hosted elsewhere, so base and new would be the same; leave it out`,
  ),

  hostedHasNoFaults: hostedRule(['faults', 'frameworks'], ({ name }, { faults }) =>
    faults.length === 0
      ? null
      : `"${name}" is somebody else's service: neither its server nor the way to it can be made to fail; leave it out, or run it in an experiment of its own`,
  ),
};
