/** Whose messages they are that leave this process, where its users' clients share one WebSocket class. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { countTraffic, type SentKeeper } from '../../../editors/base/page/traffic.ts';

const whose = new AsyncLocalStorage<SentKeeper>();
let isWatching = false;

/** Runs what a user's client does; the sockets that it opens then, and whenever that has consequences, are kept by this. */
export function keeping<T>(keeper: SentKeeper, work: () => T): T {
  if (!isWatching) countTraffic(globalThis, () => whose.getStore() ?? null);
  isWatching = true;
  return whose.run(keeper, work);
}
