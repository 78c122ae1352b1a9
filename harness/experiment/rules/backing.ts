/** Stores and several servers: those that there are, and the faults that strike them. */
import { sharingOf } from '../../../editors/base/framework.ts';
import { isStoreProgram } from '../../../editors/base/stores.ts';
import { FLEETS } from '../../../infra/fleets.ts';
import { offersStore } from '../backing.ts';
import type { Experiment } from '../experiment.ts';
import { hasWrittenPassword } from '../stores.ts';
import { unreachable } from './attached.ts';
import { isPlayed } from './frameworks.ts';
import { fleetsWith, frameworkRule, itemRule, type Known, namedIn, nothingTwice, type Rule, rule } from './rule.ts';

const faultsOf = ['faults', ({ faults }: Experiment) => faults] as const;
const areSeveral = ({ servers }: Pick<Experiment, 'servers'>) => servers.counts.some((count) => count > 1);

/** Of the address of something that runs already. */
function placeRules(property: string, addressOf: (experiment: Experiment) => string | null): Record<string, Rule> {
  const hidden = rule([property], (experiment) =>
    hasWrittenPassword(addressOf(experiment) ?? '')
      ? 'a password stands there for everyone to read, and would be kept with a run; write {env:NAME} or {file:PATH} in its place'
      : null,
  );
  const reached = rule([property, 'fleet.on'], (experiment) => unreachable(addressOf(experiment), experiment.fleet.on));
  return { [`${property} hides its password`]: hidden, [`${property} is reached`]: reached };
}

export const BACKING_RULES = {
  noStoreTwice: nothingTwice('stores'),

  storesAreOffered: rule(['stores', 'frameworks'], (experiment, known) => {
    const { stores, frameworks } = experiment;
    const named = namedIn(experiment, known);
    const able = known.frameworks.filter((framework) => stores.some((store) => offersStore(framework, store)));
    if (named.length < frameworks.length || named.some((framework) => able.includes(framework))) return null;
    const remedy =
      able.length === 0
        ? 'nor does any other here; write memory'
        : `these do: ${able.map(({ name }) => name).join(', ')}; or write memory`;
    return `none of the frameworks keeps documents in ${stores.join(' or ')}, so nothing would run; ${remedy}`;
  }),

  addressHasItsStore: rule(['store.url', 'stores'], ({ store: { url }, stores }) =>
    url === null || stores.some((store) => url.startsWith(store))
      ? null
      : `"${url.split(':')[0]}:" is the address of a postgres, and the stores are ${stores.join(', ')}; write "stores: postgres", or null`,
  ),

  brokerHasServers: rule(['broker', 'servers'], (experiment) =>
    experiment.broker === null || areSeveral(experiment)
      ? null
      : 'a broker connects several servers, and a cell has one; write "servers: 2" or more, or null',
  ),

  ...placeRules('store.url', ({ store }) => store.url),
  ...placeRules('broker', ({ broker }) => broker),

  reuseHasADatabase: rule(['store.reuse', 'store.url', 'broker'], ({ store: { reuse, url }, broker }) =>
    reuse && url === null && broker === null
      ? 'each trial has a new store of its own, so there is nothing to reuse; write "store.url" of a database that runs already, or false'
      : null,
  ),

  delayHasAStore: rule(['store.writeDelay', 'stores'], ({ store: { writeDelayMs }, stores }) =>
    writeDelayMs.some((delayMs) => delayMs > 0) && stores.every((store) => store === 'memory')
      ? 'documents are kept in memory alone, so no write waits; write a store beside it, or 0s'
      : null,
  ),

  attachedKeepForThemselves: rule(['stores', 'servers'], ({ stores, servers }) =>
    servers.attached.length === 0 || stores.every((store) => store === 'memory')
      ? null
      : 'a server that somebody else runs keeps documents where it does; leave "stores" out, or run that server in an experiment of its own',
  ),

  noCountTwice: nothingTwice('servers', ({ servers }) => servers.counts),

  fleetHasSeveral: rule(['servers', 'fleet.on'], (experiment) => {
    const { on } = experiment.fleet;
    if (FLEETS[on].severalServers || !areSeveral(experiment)) return null;
    return `on ${on}, machines reach each other at a few ports only, too few for several servers; write 1, or "on: ${fleetsWith('severalServers')}"`;
  }),

  hostedHaveOne: frameworkRule(['servers', 'frameworks'], ({ name, about }, experiment) =>
    about.hosted === undefined || !areSeveral(experiment)
      ? null
      : `"${name}" is somebody else's service, so its number of servers cannot be set; write 1, or run it in an experiment of its own`,
  ),

  crowdHasOne: frameworkRule(
    ['servers', 'probes'],
    (framework, experiment) =>
      areSeveral(experiment) && isPlayed(framework, experiment)
        ? `the crowd of "${framework.name}" is played from a recording, which knows of one server; write 1, or "probes: all"`
        : null,
    ['servers', 'probes', 'presence', 'agents', 'store.reuse', 'frameworks'],
  ),

  strickenIsThere: itemRule(
    faultsOf,
    (fault, { experiment: { servers, users, affinity } }) => {
      if (!('which' in fault) || fault.which === null) return null;
      const number = fault.which + 1;
      const fewest = Math.min(...servers.counts);
      if (number > fewest) {
        return `there is no server ${number} in the smallest cell, which has ${fewest}; write ${fewest} at most, or leave it out for all`;
      }
      if (affinity === 'document' && number > 1) {
        return `with "affinity: document" all users are at server 1, so nobody would notice; write 1, or "affinity: spread"`;
      }
      const fewestUsers = Math.min(...users);
      if (number <= fewestUsers) return null;
      return `none of the ${fewestUsers} users of the smallest cell is at server ${number}; write ${fewestUsers} at most`;
    },
    { at: 'which', reads: ['faults', 'servers', 'users', 'affinity'] },
  ),

  othersAreThere: itemRule(
    faultsOf,
    ({ kind }, { experiment, known }) => {
      if (kind !== 'broker-restart' && kind !== 'server-apart') return null;
      if (!experiment.servers.counts.every((count) => count > 1)) {
        return 'it strikes what is between several servers, and a cell has one; write "servers: 2" or more';
      }
      const needsBroker = kind === 'broker-restart';
      if (needsBroker && experiment.broker !== null) {
        return 'a Redis that runs already is not ended; leave "broker" out, so that each trial has its own';
      }
      const without = withoutLinks(experiment, known, needsBroker);
      if (without.length === 0) return null;
      const lack = needsBroker ? 'have no broker between them' : 'share nothing';
      return `with these stores, several servers of ${without.join(', ')} ${lack}; leave the fault out, or run it in an experiment of its own`;
    },
    { at: 'at', beside: ['servers', 'frameworks'], reads: ['faults', 'servers', 'stores', 'frameworks', 'broker'] },
  ),

  storeIsAProgram: itemRule(
    faultsOf,
    ({ kind }, { experiment }) => {
      if (kind !== 'store-restart') return null;
      if (experiment.store.url !== null) {
        return 'a database that runs already is not ended; leave "store.url" out, so that each trial has its own';
      }
      const others = experiment.stores.filter((store) => !isStoreProgram(store));
      if (others.length === 0) return null;
      return `${others.join(', ')} is no program of its own beside the server; write "stores: postgres" alone, or restart the server`;
    },
    { at: 'store', beside: ['stores', 'store.url'], reads: ['faults', 'stores', 'store.url'] },
  ),
};

/** The frameworks whose servers, with one of these stores, have nothing between them, or not by a broker. */
function withoutLinks(experiment: Experiment, known: Known, needsBroker: boolean): string[] {
  const without = namedIn(experiment, known).filter((framework) => {
    const offered = experiment.stores.filter((store) => offersStore(framework, store));
    const sharings = offered.map((store) => sharingOf(framework.about, store));
    return sharings.some((sharing) => sharing === null || (needsBroker && sharing.needsRedis !== true));
  });
  return without.map(({ name }) => name);
}
