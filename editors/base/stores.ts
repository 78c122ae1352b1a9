/** The stores in which a framework's server may keep its documents. Browser-safe. */

/** `memory`: nowhere but there; `files`: a folder of files of the library's own. */
export const STORE_NAMES = ['memory', 'sqlite', 'leveldb', 'postgres', 'redis', 'files'] as const;
export type StoreName = (typeof STORE_NAMES)[number];

/** A store outside the server's memory. */
export type KeptStore = Exclude<StoreName, 'memory'>;

/** Stores that are programs of their own, which a server reaches by an address. */
export const STORE_PROGRAMS = ['postgres', 'redis'] as const;
export type StoreProgramName = (typeof STORE_PROGRAMS)[number];

export function isStoreProgram(name: StoreName): name is StoreProgramName {
  return (STORE_PROGRAMS as readonly StoreName[]).includes(name);
}
