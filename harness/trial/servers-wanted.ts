/** The servers that a trial wants, beside their framework: from the plan to the process that starts them. */
import type { StoreName } from '../../editors/base/stores.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { databaseAddress } from '../attached/address.ts';

export interface ServersWanted {
  servers: number;
  store: StoreName;
  /** Of a database that somebody else runs, with its secrets; null: the trial starts its own. */
  storeUrl: string | null;
  /** True: that database may hold something already. */
  isReused: boolean;
  /** Each write to the store waits so long first. */
  writeDelayMs: number;
}

export const ONE_IN_MEMORY: ServersWanted = {
  servers: 1,
  store: 'memory',
  storeUrl: null,
  isReused: false,
  writeDelayMs: 0,
};

/**
 * The servers of a planned trial.
 *
 * @param given of the experiment: the address, which may only name its secrets, and the others for all stores outside memory
 * @throws UserError (2) if a secret is not there
 */
export function wantedOf(
  { store = 'memory', servers = 1 }: Pick<PlannedTrial, 'store' | 'servers'>,
  given: { url: string | null; reuse: boolean; writeDelayMs: number },
): ServersWanted {
  const { url, reuse: isReused, writeDelayMs } = given;
  // `postgres:` and `postgresql:`, `redis:` and `rediss:`.
  const storeUrl = url?.startsWith(store) ? databaseAddress(url) : null;
  return { servers, store: store as StoreName, storeUrl, isReused, writeDelayMs };
}

/** The option of `harness/server/main.ts`; absent: one server, in memory. */
export const WANTED_OPTION = 'wanted';
const STORE_URL_VARIABLE = 'SCRIPTORIUM_STORE_URL';

/** The arguments and variables that tell a server's process what is wanted. An address may hold secrets, so it is none of the arguments. */
export function toProcess(wanted: ServersWanted): { arguments: string[]; environment: Record<string, string> } {
  const { storeUrl, ...rest } = wanted;
  const isUsual = wanted.servers === ONE_IN_MEMORY.servers && wanted.store === ONE_IN_MEMORY.store;
  return {
    arguments: isUsual ? [] : [`--${WANTED_OPTION}`, JSON.stringify(rest)],
    environment: storeUrl === null ? {} : { [STORE_URL_VARIABLE]: storeUrl },
  };
}

/** @param option the value of `WANTED_OPTION` */
export function fromProcess(option: string | undefined, environment: NodeJS.ProcessEnv): ServersWanted {
  if (option === undefined) return ONE_IN_MEMORY;
  return { ...JSON.parse(option), storeUrl: environment[STORE_URL_VARIABLE] ?? null };
}
