/** The stores and servers behind the cells of an experiment: which a framework has, and the packages that they take. */
import { type FrameworkAbout, sharingOf } from '../../editors/base/framework.ts';
import type { Experiment } from './experiment.ts';
import { formatDuration } from './units.ts';

/** The part of frameworks that is read here, by their names. */
export type BackedFrameworks = ReadonlyMap<string, { about: Pick<FrameworkAbout, 'stores' | 'severalServers'> }>;

/** True if the framework's server can keep documents there; of one that is not described, nothing is known to the contrary. */
export function offersStore(
  framework: { about: Pick<FrameworkAbout, 'stores'> } | undefined,
  store = 'memory',
): boolean {
  return store === 'memory' || framework === undefined || Object.hasOwn(framework.about.stores ?? {}, store);
}

/** For the plan. */
export function backingLines({ stores, store, servers, affinity, broker }: Experiment): string[] {
  const lines: string[] = [];
  if (stores.some((name) => name !== 'memory')) {
    const place = store.url === null ? '' : `; the database at ${store.url}`;
    const isSlowed = store.writeDelayMs.some((delayMs) => delayMs > 0);
    const pace = isSlowed
      ? `; each write waits ${store.writeDelayMs.map((delayMs) => formatDuration(delayMs)).join(', ')}`
      : '';
    lines.push(`stores: ${stores.join(', ')}${place}${pace}`);
  }
  if (servers.counts.some((count) => count > 1)) {
    const way = affinity === 'spread' ? 'users go to them in turns' : 'all users go to the first';
    const place = broker === null ? '' : `; the Redis at ${broker}`;
    lines.push(`servers: ${servers.counts.join(', ')}; ${way}${place}`);
  }
  return lines;
}

/** Notes for plan and run: cells that are left out since a framework has no such store, and servers that share nothing. */
export function backingNotes(experiment: Experiment, frameworks: BackedFrameworks): string[] {
  return experiment.frameworks.flatMap((name) => {
    const about = frameworks.get(name)?.about;
    return about === undefined ? [] : [...notOffered(name, about, experiment), ...notShared(name, about, experiment)];
  });
}

type About = Pick<FrameworkAbout, 'stores' | 'severalServers'>;

function notOffered(name: string, { stores: own = {} }: About, { stores }: Pick<Experiment, 'stores'>): string[] {
  const lacking = stores.filter((store) => store !== 'memory' && !Object.hasOwn(own, store));
  if (lacking.length === 0) return [];
  const offered = ['memory', ...Object.keys(own)].join(', ');
  return [
    `note: not offered: ${name} has no store ${lacking.join(' or ')}, so these cells are left out; it has ${offered}`,
  ];
}

function notShared(name: string, about: About, { stores, servers }: Pick<Experiment, 'stores' | 'servers'>): string[] {
  if (servers.counts.every((count) => count === 1)) return [];
  const planned = stores.filter((store) => store === 'memory' || Object.hasOwn(about.stores ?? {}, store));
  const apart = planned.filter((store) => sharingOf(about, store) === null);
  if (apart.length === 0) return [];
  const { needsStore } = about.severalServers ?? {};
  const why =
    needsStore === undefined
      ? `${name} has no way for several servers to share a document`
      : `several servers of ${name} share a document by its store ${needsStore} alone, so not with ${apart.join(', ')}`;
  return [`note: ${why}: each server has one of its own, and users of different servers never meet`];
}

/** npm packages that these stores and servers take beside the frameworks' own. */
export function packagesBehind(
  { frameworks: names, stores, servers }: Pick<Experiment, 'frameworks' | 'stores' | 'servers'>,
  frameworks: BackedFrameworks,
): string[] {
  const isShared = servers.counts.some((count) => count > 1);
  const packages = names.flatMap((name) => {
    const { stores: own = {}, severalServers } = frameworks.get(name)?.about ?? {};
    const ofStores = stores.flatMap((store) => (store === 'memory' ? [] : (own[store]?.packages ?? [])));
    return [...ofStores, ...(isShared ? (severalServers?.packages ?? []) : [])];
  });
  return [...new Set(packages)];
}
