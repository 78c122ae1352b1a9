/** Agents, readers and slow pages: where they can be, and of which frameworks. */
import { hasPage, modesOf } from '../../../frameworks/modes.ts';
import type { Experiment } from '../experiment.ts';
import { frameworkRule, rule } from './rule.ts';

const hasAgents = ({ agents }: Pick<Experiment, 'agents'>) => agents.some((entry) => entry !== 'none');
const hasReaders = ({ readers }: Pick<Experiment, 'readers'>) => readers.some((count) => count > 0);

export const COMPANY_RULES = {
  agentsHaveAClient: frameworkRule(['agents', 'frameworks'], ({ name, about }, experiment) => {
    if (!hasAgents(experiment)) return null;
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
