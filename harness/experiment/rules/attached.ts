/** Servers that somebody else runs: of which frameworks, how they are reached, and what they bear. */
import { FLEETS } from '../../../infra/fleets.ts';
import { isServerFault } from '../faults.ts';
import type { Path } from '../property.ts';
import { writtenSecrets } from '../servers.ts';
import { itemRule, type Rule, rule } from './rule.ts';

/** Of this machine, and of each container again. */
const LOOPBACK = /^\w+:\/\/(?:[^/@]*@)?(?:localhost|127\.[\d.]+|\[::1\])(?=[:/]|$)/i;

export function isLoopback(address: string): boolean {
  return LOOPBACK.test(address);
}

export const ATTACHED_RULES = {
  serversAreForFrameworks: itemRule(
    ['servers', ({ servers }) => servers.attached],
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

  secretsAreNamed: {
    reads: ['servers'],
    check: ({ servers }) =>
      servers.attached.flatMap((server, index) =>
        writtenSecrets(server).map(({ property, text }) => ({
          paths: [['servers', index, property]] satisfies Path[],
          text,
        })),
      ),
  } satisfies Rule,

  serversAreReached: {
    reads: ['servers', 'fleet.on'],
    check({ servers, fleet: { on } }) {
      if (FLEETS[on].sharesCores) return [];
      const loopback = `on ${on} each process has a loopback address of its own; write an address that all reach, or local`;
      const seenHere = 'it is seen from this machine alone; write metrics, or local';
      return servers.attached.flatMap(({ url, metrics, pid, container }, index) => {
        const found = [
          ...(isLoopback(url) ? [['url', loopback]] : []),
          ...(isLoopback(metrics ?? '') ? [['metrics', loopback]] : []),
          ...(pid === null ? [] : [['pid', seenHere]]),
          ...(container === null ? [] : [['container', seenHere]]),
        ] as [string, string][];
        return found.map(([property, text]) => {
          const paths: Path[] = [
            ['servers', index, property],
            ['fleet', 'on'],
          ];
          return { paths, text };
        });
      });
    },
  } satisfies Rule,

  seriesAreToldSomewhere: {
    reads: ['servers'],
    check: ({ servers }) =>
      servers.attached.flatMap(({ series, metrics }, index) => {
        if (series.length === 0 || metrics !== null) return [];
        const text = 'series come from the server’s metrics; write their address too (metrics, --metrics)';
        return [{ paths: [['servers', index, 'series']] satisfies Path[], text }];
      }),
  } satisfies Rule,

  namedOnce: itemRule(
    ['documents', ({ documents }) => documents],
    (name, { index, items, experiment: { servers } }) =>
      servers.attached.every(({ write }) => write) || items.indexOf(name) === index
        ? null
        : 'this document is written twice here; each trial needs an empty one',
    { reads: ['documents', 'servers'] },
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
