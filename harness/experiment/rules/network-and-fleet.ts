/** Groups of users, and the fleet of their processes. */
import { FLEET_NAMES, FLEETS } from '../../../infra/fleets.ts';
import { formatDuration } from '../duration.ts';
import { type Rule, rule } from './rule.ts';

/** Shares add up to 1 within this, so that a third may be written as 0.333. */
const SHARE_TOLERANCE = 0.002;

const sharesAddUp = rule(['network.groups'], ({ network: { groups } }) => {
  const sum = groups.reduce((total, { share }) => total + share, 0);
  if (Math.abs(sum - 1) <= SHARE_TOLERANCE) return null;
  return `the shares of the groups add up to ${Number(sum.toFixed(4))}; write shares that add up to 1`;
});

const groupsHaveTheirOwnNames: Rule = {
  reads: ['network.groups'],
  check: ({ network: { groups } }) =>
    groups.flatMap(({ name }, index) => {
      if (groups.findIndex((each) => each.name === name) === index) return [];
      const text = `"${name}" names another group already; write a name of its own`;
      return [{ paths: [['network', 'groups', index, 'name']], text }];
    }),
};

const nothingArrivesBeforeItIsSent: Rule = {
  reads: ['network.groups'],
  check: ({ network: { groups } }) =>
    groups.flatMap(({ link: { oneWayDelayMs, jitterMs } }, index) => {
      if (jitterMs <= oneWayDelayMs) return [];
      const text =
        `${formatDuration(jitterMs)} either way is more than the delay of ${formatDuration(oneWayDelayMs)}, so messages ` +
        `would arrive before they were sent; write ${formatDuration(oneWayDelayMs)} or less`;
      return [{ paths: [['network', 'groups', index, 'jitter']], text }];
    }),
};

const serverHasARegion = rule(['fleet.region', 'fleet.on'], ({ fleet: { on, region } }) => {
  if (!FLEETS[on].regions || region !== null) return null;
  return `the server needs a region on ${on}; write "fleet.region", or give --region, such as us-east-1`;
});

const containersHaveOneUser = rule(['fleet.usersPerBrowser', 'fleet'], ({ fleet: { on, usersPerBrowser } }) => {
  if (!FLEETS[on].limits || usersPerBrowser === null || usersPerBrowser === 1) return null;
  return `on ${on} each user has a container of its own, so ${usersPerBrowser} cannot share a browser; leave it out, or write 1`;
});

const baseRunsThere = rule(['base', 'fleet.on'], ({ base, fleet: { on } }) => {
  if (base === null || FLEETS[on].otherVersions) return null;
  const able = FLEET_NAMES.filter((name) => FLEETS[name].otherVersions).join(' or ');
  return `another version cannot run in turns with this one on ${on}; write "fleet: {on: ${able}}", or run each by itself and compare the two runs`;
});

export const NETWORK_AND_FLEET_RULES: readonly Rule[] = [
  sharesAddUp,
  groupsHaveTheirOwnNames,
  nothingArrivesBeforeItIsSent,
  serverHasARegion,
  containersHaveOneUser,
  baseRunsThere,
];
