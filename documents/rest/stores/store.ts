/** An embedded store: keys with values, in the order of the keys, written in batches that are whole or not there. */

/** Keys are ASCII, so that their order is the same in JavaScript and in every store. */
export type Entry = [key: string, value: Uint8Array];

/** No key stands in both. */
export interface Batch {
  puts: readonly Entry[];
  deletes: readonly string[];
}

export interface KeyRange {
  from: string;
  /** The first key that does not belong to it. */
  to: string;
  /** Of entries; absent: all. */
  limit?: number;
}

export interface StoreOptions {
  /** True: a batch is on the disk when `write` is done (fsync). False: the operating system writes the batch when it likes. */
  durable: boolean;
}

/** A value, without a promise if the store has it at once: waiting for a promise takes as long as some stores' writes. */
type Soon<Value> = Value | Promise<Value>;

export interface Store {
  /** Writes all of the batch, or nothing of it if the process is killed meanwhile. */
  write(batch: Batch): Soon<void>;
  get(key: string): Soon<Uint8Array | undefined>;
  /** In the order of the keys. */
  scan(range: KeyRange): Soon<Entry[]>;
  close(): Promise<void>;
}

/** Opens the store in an existing folder, and makes a store if the folder has none. */
export type OpenStore = (directory: string, options: StoreOptions) => Promise<Store>;
