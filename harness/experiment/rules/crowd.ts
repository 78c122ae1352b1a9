/** Probes and the crowd around them. */
import { FLEET_NAMES, FLEETS } from '../../../infra/fleets.ts';
import type { Rule } from './rule.ts';

/** One alone has nobody to agree with, and no latency to another. */
export const LEAST_PROBES = 2;

const probesAreEnough: Rule = {
  reads: ['probes'],
  check({ probes }) {
    if (probes === 'all' || probes >= LEAST_PROBES) return [];
    const text = `${probes} probe has nobody to agree with; write ${LEAST_PROBES} at least, or all`;
    return [{ paths: [['probes']], text }];
  },
};

const probesLeaveACrowd: Rule = {
  reads: ['probes', 'users'],
  check({ probes, users }) {
    const fewest = Math.min(...users);
    if (probes === 'all' || probes < LEAST_PROBES || probes < fewest) return [];
    const remedy =
      fewest > LEAST_PROBES ? `write ${fewest - 1} at most, or all` : `write all, or larger counts of users`;
    const text = `${probes} probes of the ${fewest} users of the smallest cell leave no crowd; ${remedy}`;
    return [{ paths: [['probes'], ['users']], text }];
  },
};

const frameworksHaveACrowd: Rule = {
  reads: ['probes', 'frameworks'],
  check: ({ probes, frameworks }, known) =>
    known.frameworks
      .filter(({ name, about }) => probes !== 'all' && frameworks.includes(name) && about.hosted !== undefined)
      .map(({ name }) => ({
        paths: [['probes'], ['frameworks']],
        text: `"${name}" is another's service, and nobody plays a crowd to it; write all, or run it in an experiment of its own`,
      })),
};

const fleetHasACrowd: Rule = {
  reads: ['probes', 'fleet.on'],
  check({ probes, fleet: { on } }) {
    if (probes === 'all' || FLEETS[on].crowds) return [];
    const able = FLEET_NAMES.filter((each) => FLEETS[each].crowds).join(' or ');
    const text = `no crowd is played on ${on} yet, so all users are live there; write all, or "on: ${able}"`;
    return [{ paths: [['probes'], ['fleet', 'on']], text }];
  },
};

export const CROWD_RULES: readonly Rule[] = [probesAreEnough, probesLeaveACrowd, frameworksHaveACrowd, fleetHasACrowd];
