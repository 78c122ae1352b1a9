/** Servers that somebody else runs: of which frameworks, how they are reached, and what they bear. */
import { FLEETS, type FleetName } from '../../../infra/fleets.ts';
import type { Experiment } from '../experiment.ts';
import { isServerFault } from '../faults.ts';
import { writtenSecrets } from '../servers.ts';
import { itemRule, rule } from './rule.ts';

/** Of this machine, and of each container again. */
const LOOPBACK = /^\w+:\/\/(?:[^/@]*@)?(?:localhost|127\.[\d.]+|\[::1\])(?=[:/]|$)/i;

/** Why processes of a fleet do not reach an address; null: they do, or there is none. */
export function unreachable(address: string | null, on: FleetName): string | null {
  if (FLEETS[on].isHere || !LOOPBACK.test(address ?? '')) return null;
  return `on ${on} each process has a loopback address of its own; write an address that all reach, or local`;
}

const attachedOf = ['servers', ({ servers }: Experiment) => servers.attached] as const;

export const ATTACHED_RULES = {
  serversAreForFrameworks: itemRule(
    attachedOf,
    ({ framework }, { index, items, experiment: { frameworks }, known }) => {
      if (!frameworks.includes(framework)) {
        return `"${framework}" is none of the experiment’s frameworks; write one of: ${frameworks.join(', ')}`;
      }
      if (items.findIndex((other) => other.framework === framework) < index) {
        return `"${framework}" has a server already; write one for each framework`;
      }
      // A name that no framework has is refused as that.
      if (!known.frameworks.some(({ name }) => name === framework)) return null;
      const able = known.frameworks.filter(({ about }) => about.attaches !== undefined).map(({ name }) => name);
      if (able.includes(framework)) return null;
      return `"${framework}" has no way to a server that somebody else runs; these have: ${able.join(', ')}; or give yours one, by "attaches" in its about`;
    },
    { at: 'framework', reads: ['frameworks', 'servers'] },
  ),

  secretsAreNamed: itemRule(attachedOf, (server) =>
    writtenSecrets(server).map(({ property, text }) => ({ at: property, text })),
  ),

  serversAreReached: itemRule(
    attachedOf,
    ({ url, metrics, pid, container }, { experiment: { fleet } }) => {
      const { on } = fleet;
      const seenHere = 'it is seen from this machine alone; write metrics, or local';
      const unseen = (seen: unknown) => (FLEETS[on].isHere || seen === null ? null : seenHere);
      return [
        { at: 'url', text: unreachable(url, on) },
        { at: 'metrics', text: unreachable(metrics, on) },
        { at: 'pid', text: unseen(pid) },
        { at: 'container', text: unseen(container) },
      ];
    },
    { beside: ['fleet.on'] },
  ),

  seriesAreToldSomewhere: itemRule(
    attachedOf,
    ({ series, metrics }) =>
      series.length === 0 || metrics !== null
        ? null
        : 'series come from the server’s metrics; write their address too (metrics, --metrics)',
    { at: 'series' },
  ),

  namedForOneVersion: rule(
    ['documents', 'base'],
    ({ documents, base, servers }) =>
      documents.length === 0 || base === null || servers.attached.length === 0
        ? null
        : 'both versions would write into the same documents; leave it out, and each trial makes a fresh one',
    ['documents', 'base', 'servers'],
  ),

  serversAreLeftAlone: rule(['faults', 'servers'], ({ faults, servers }) =>
    servers.attached.length === 0 || faults.every(({ kind }) => !isServerFault(kind))
      ? null
      : 'no fault can strike a server that somebody else runs, or what stands behind it; leave that fault out, or restart the server yourself meanwhile',
  ),
};
