/** The user's cache. Alone in its file: every process that finds a framework looks here for packages, and has no need of traces. */
import envPaths from 'env-paths';

/** The directory that `SCRIPTORIUM_CACHE` names, or the system's place for caches. */
export function cacheDirectory(): string {
  return process.env.SCRIPTORIUM_CACHE || envPaths('scriptorium', { suffix: '' }).cache;
}
