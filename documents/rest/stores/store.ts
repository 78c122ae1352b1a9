/** What an embedded store is here: keys with values, in the order of the keys, written in batches that are whole or not there. */

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
  /** Whether a batch is on the disk when `write` is done (fsync); else the operating system has it, and writes it when it likes. */
  durable: boolean;
}

/** What a store does at once it need not promise: waiting for a promise takes as long as some stores' writes. */
type Soon<Value> = Value | Promise<Value>;

export interface Store {
  /** All of the batch or, where the process is killed meanwhile, nothing of it. */
  write(batch: Batch): Soon<void>;
  get(key: string): Soon<Uint8Array | undefined>;
  /** In the order of the keys. */
  scan(range: KeyRange): Soon<Entry[]>;
  close(): Promise<void>;
}

/** Opens the store in a folder that is there, and makes one where it has none. */
export type OpenStore = (directory: string, options: StoreOptions) => Promise<Store>;
