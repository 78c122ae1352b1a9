/** Frameworks and modes, who is beside the users, and the parts of an experiment that a framework cannot run. */
import { presenceOf } from '../../../editors/base/framework.ts';
import { hasFilesElsewhere, noSuchFramework, takesMore } from '../../../frameworks/framework.ts';
import { hasPage, modesOf } from '../../../frameworks/modes.ts';
import { FLEETS } from '../../../infra/fleets.ts';
import { addsNothing } from '../../../infra/network/link.ts';
import { isCrowdRecorded } from '../company.ts';
import type { Experiment } from '../experiment.ts';
import { fleetsWith, frameworkRule, itemRule, type KnownFramework, namedIn, rule } from './rule.ts';

export function isPlayed(framework: KnownFramework, experiment: Experiment): boolean {
  return experiment.probes !== 'all' && isCrowdRecorded(framework, experiment);
}

const hasReaders = ({ readers }: Pick<Experiment, 'readers'>) => readers.some((count) => count > 0);

export const FRAMEWORK_RULES = {
  areHere: itemRule(['frameworks', ({ frameworks }) => frameworks], (name, { known }) => {
    const names = known.frameworks.map((framework) => framework.name);
    return names.includes(name) ? null : noSuchFramework(name, names);
  }),

  haveTheModes: itemRule(
    ['modes', ({ modes }) => modes],
    (mode, { experiment, known }) =>
      namedIn(experiment, known).map(({ name, about }) => {
        const supported = modesOf(about);
        if (supported.includes(mode)) return { text: null };
        return { text: `"${name}" does not support "${mode}"; it supports: ${supported.join(', ')}` };
      }),
    { beside: ['frameworks'] },
  ),

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

  crowdIsOfItsVersion: frameworkRule(
    ['base', 'probes'],
    (framework, experiment) => {
      if (experiment.base === null || !isPlayed(framework, experiment)) return null;
      return `the crowd of "${framework.name}" is played from a recording of this version, also to the base; write "probes: all"`;
    },
    ['base', 'probes', 'presence', 'agents', 'store.reuse', 'servers', 'frameworks'],
  ),

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

  documentsAreTaken: rule(
    ['documents', 'frameworks'],
    (experiment, known) => {
      const { documents, servers } = experiment;
      const takers = namedIn(experiment, known).filter(({ about }) => about.instrument || about.hosted !== undefined);
      if (documents.length === 0 || servers.attached.length > 0 || takers.length > 0) return null;
      return 'none of the frameworks takes a link to a document; leave it out';
    },
    ['documents', 'frameworks', 'servers'],
  ),

  documentsAreLinks: itemRule(
    ['documents', ({ documents }) => documents],
    (link, { experiment, known }) => {
      const hosted = namedIn(experiment, known).find(({ about }) => about.hosted !== undefined)?.about.hosted;
      if (hosted === undefined || experiment.servers.attached.length > 0 || hosted.isLink(link)) return null;
      return `${JSON.stringify(link)} is no link; write ${hosted.linkForm}`;
    },
    { reads: ['documents', 'frameworks', 'servers'] },
  ),

  documentsAreNamedOnce: itemRule(
    ['documents', ({ documents }) => documents],
    (name, { index, items, experiment: { servers } }) =>
      items.indexOf(name) === index || (servers.attached.length > 0 && servers.attached.every(({ write }) => write))
        ? null
        : 'this document is written twice here; each trial needs an empty one',
    { reads: ['documents', 'servers'] },
  ),

  documentsCarryTheUsers: itemRule(
    ['users', ({ users }) => users],
    (count, { experiment, known }) =>
      namedIn(experiment, known).map(({ name, about: { hosted } }) => {
        if (hosted === undefined || count <= hosted.mostUsers) return { text: null };
        return { text: `${count} users cannot edit one document of "${name}"; write ${hosted.mostUsers} at most` };
      }),
    { beside: ['frameworks'] },
  ),

  hostedHasNoCrowd: frameworkRule(['probes', 'frameworks'], ({ name, about: { hosted } }, { probes }) =>
    hosted === undefined || probes === 'all'
      ? null
      : `"${name}" is somebody else's service, and no crowd is played to it; write all, or run it in an experiment of its own`,
  ),

  hostedBeginsEmpty: frameworkRule(['start', 'frameworks'], ({ name, about: { hosted } }, { start }) =>
    hosted === undefined || (start.trace === null && start.characters === null)
      ? null
      : `the documents of "${name}" are hosted elsewhere and begin empty; leave it out`,
  ),

  hostedFitsTheFleet: frameworkRule(['fleet.on', 'frameworks'], ({ name, about: { hosted } }, { fleet: { on } }) => {
    if (hosted === undefined || FLEETS[on].isHere) return null;
    return `"${name}" has no server to start on ${on}; write ${fleetsWith('isHere')}, or run it in an experiment of its own`;
  }),

  hostedHasNoDelay: frameworkRule(['network', 'frameworks'], ({ name, about: { hosted } }, { network }) =>
    hosted === undefined || network.groups.every(({ link }) => addsNothing(link))
      ? null
      : `the server of "${name}" is hosted elsewhere, so no delay can be added on the way to it; leave the network as it is`,
  ),

  hostedIsNoBase: frameworkRule(['base', 'frameworks'], ({ name, about: { hosted } }, { base }) =>
    hosted === undefined || base === null
      ? null
      : `"${name}" is hosted elsewhere, so base and new would be the same; leave it out`,
  ),

  hostedHasNoFaults: frameworkRule(['faults', 'frameworks'], ({ name, about: { hosted } }, { faults }) =>
    hosted === undefined || faults.length === 0
      ? null
      : `"${name}" is somebody else's service: neither its server nor the way to it can be made to fail; leave it out, or run it in an experiment of its own`,
  ),

  agentsHaveAClient: frameworkRule(['agents', 'frameworks'], ({ name, about }, experiment) => {
    if (experiment.agents.every((entry) => entry === 'none')) return null;
    if (!modesOf(about).includes('node')) return `"${name}" has no client in Node for an agent; write none`;
    if (about.oneWriter)
      return `"${name}" does not merge concurrent edits, so no agent can edit beside a user; write none`;
    return null;
  }),

  readersSpeakItsProtocol: frameworkRule(['readers', 'frameworks'], ({ name, about }, experiment, known) => {
    if (!hasReaders(experiment) || about.attaches?.hasReaders) return null;
    const able = known.frameworks.filter((framework) => framework.about.attaches?.hasReaders);
    const names = able.map((framework) => framework.name).join(', ') || 'none here';
    return `it is not known how a reader of "${name}" joins; write 0, or leave it out of the frameworks; these have readers: ${names}`;
  }),

  readersComeBack: rule(['readers', 'faults'], (experiment) => {
    if (experiment.faults.length === 0 || !hasReaders(experiment)) return null;
    return 'readers are sockets, which do not come back to a server that they lost; leave the faults out, or write 0';
  }),

  slowPagesArePages: rule(['network.groups', 'modes'], ({ network, modes }) => {
    const blind = modes.filter((mode) => !hasPage(mode));
    if (blind.length === 0 || network.groups.every(({ cpuSlowdown }) => cpuSlowdown === 1)) return null;
    return `only a page in Chrome can be made slow, and ${blind.join(', ')} has none; leave cpuSlowdown out, or that mode`;
  }),
};
