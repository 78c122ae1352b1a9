/** The servers that a trial wants, beside their framework: from the plan to the process that starts them. */
import type { StoreName } from '../../editors/base/stores.ts';
import { FLEETS } from '../../infra/fleets.ts';
import { createDatabase, TRIAL_DATABASE } from '../../infra/stores/database.ts';
import { proveRedis } from '../../infra/stores/redis.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { lastingProcessName } from '../../results/run-folder/process-name.ts';
import { databaseAddress } from '../attached/address.ts';
import type { Experiment } from '../experiment/experiment.ts';

export interface ServersWanted {
  servers: number;
  store: StoreName;
  /** Of a database that somebody else runs, with its secrets; null: the trial starts its own. */
  storeUrl: string | null;
  /** The same of a Redis between several servers. */
  brokerUrl: string | null;
  /** True: what somebody else runs may hold something already, or be used by others. */
  isReused: boolean;
  /** The run's process, by its `lastingProcessName`; null: nothing outside of the trial is made for it. */
  owner: string | null;
  /** Each write to the store waits so long first. */
  writeDelayMs: number;
}

export const ONE_IN_MEMORY: ServersWanted = {
  servers: 1,
  store: 'memory',
  storeUrl: null,
  brokerUrl: null,
  isReused: false,
  owner: null,
  writeDelayMs: 0,
};

type Planned = Pick<PlannedTrial, 'store' | 'writeDelayMs' | 'servers'>;
interface Addresses {
  store: Pick<Experiment['store'], 'url' | 'reuse'>;
  broker: Experiment['broker'];
}

/**
 * The servers of a planned trial.
 *
 * @param given of the experiment: addresses, which may only name their secrets
 * @throws UserError (2) if a secret is not there
 */
export function wantedOf(
  { store = 'memory', writeDelayMs = 0, servers = 1 }: Planned,
  { store: { url, reuse: isReused }, broker }: Addresses,
): ServersWanted {
  // `postgres:` and `postgresql:`.
  const storeUrl = url?.startsWith(store) ? databaseAddress(url) : null;
  const brokerUrl = servers > 1 && broker !== null ? databaseAddress(broker) : null;
  const owner = storeUrl === null ? null : lastingProcessName();
  return { servers, store: store as StoreName, storeUrl, brokerUrl, isReused, owner, writeDelayMs };
}

/**
 * Proves, before a run, that what somebody else runs can stand behind its servers. Where these have a machine of their own, only they
 * may be let in there.
 *
 * @throws UserError (2, 3) as `wantedOf`, `createDatabase` and `proveRedis` do
 */
export async function proveBacking(
  plan: readonly Planned[],
  experiment: Addresses & Pick<Experiment, 'fleet'>,
): Promise<void> {
  if (!FLEETS[experiment.fleet.on].isHere) return;
  const wanted = plan.map((planned) => wantedOf(planned, experiment));
  const { storeUrl } = wanted.find((each) => each.storeUrl !== null) ?? ONE_IN_MEMORY;
  const { brokerUrl } = wanted.find((each) => each.brokerUrl !== null) ?? ONE_IN_MEMORY;
  const isReused = experiment.store.reuse;
  if (storeUrl !== null) await (await createDatabase(storeUrl, TRIAL_DATABASE, { isReused })).drop();
  if (brokerUrl !== null) await proveRedis(brokerUrl, { isReused });
}

const VARIABLE = 'SCRIPTORIUM_SERVERS';

/** The variable that tells a server's process what is wanted; none: one server, in memory. Addresses may hold secrets, so it is no argument. */
export function toProcess(wanted: ServersWanted): Record<string, string> {
  const isUsual = wanted.servers === ONE_IN_MEMORY.servers && wanted.store === ONE_IN_MEMORY.store;
  return isUsual ? {} : { [VARIABLE]: JSON.stringify(wanted) };
}

export function fromProcess({ [VARIABLE]: told }: NodeJS.ProcessEnv): ServersWanted {
  return told === undefined ? ONE_IN_MEMORY : JSON.parse(told);
}
