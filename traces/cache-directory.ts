/** Where this user's system keeps caches: of traces, and of what else can be fetched again. */
import envPaths from 'env-paths';

/** The directory that `SCRIPTORIUM_CACHE` names, or the system's place for caches. */
export function cacheDirectory(): string {
  return process.env.SCRIPTORIUM_CACHE || envPaths('scriptorium', { suffix: '' }).cache;
}
