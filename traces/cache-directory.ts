/** The folder of this user's caches: of traces, and of all else that can be fetched again. */
import envPaths from 'env-paths';

/** The directory that `SCRIPTORIUM_CACHE` names, or the system's place for caches. */
export function cacheDirectory(): string {
  return process.env.SCRIPTORIUM_CACHE || envPaths('scriptorium', { suffix: '' }).cache;
}
