/**
 * An embedded store: keys with values, in the order of the keys, written in batches that are whole or not there. And a way of
 * keeping a document in it: the part of each edit that is written, and the text's way back.
 */

/** Keys are ASCII, so that their order is the same in JavaScript and in every store. */
export type Entry = [key: string, value: Uint8Array];

/** No key stands in both. */
export interface Batch {
  puts: readonly Entry[];
  deletes: readonly string[];
}

interface KeyRange {
  from: string;
  /** The first key that does not belong to it. */
  to: string;
  /** Of entries; absent: all. */
  limit?: number;
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

/**
 * Opens the store in an existing folder, and makes a store if the folder has none.
 *
 * @param options.durable true: a batch is on the disk when `write` is done (fsync); false: the operating system writes it when it likes
 */
export type OpenStore = (directory: string, options: { durable: boolean }) => Promise<Store>;

/** A document in memory, of which the store has what was persisted. */
export interface KeptDocument {
  /** One edit of the document in memory: `deleted` UTF-16 units at `position` go, then `inserted` comes there. */
  edit(position: number, deleted: number, inserted: string): void;
  /**
   * Makes what is to be written of the edits since the last time, and writes it in one batch.
   *
   * @returns how many bytes of keys and values the store was given
   */
  persist(): Promise<number>;
}

export interface Way {
  /**
   * Opens the document that the store holds; an empty one if the store holds none.
   *
   * @param options.compactEvery after so many updates a log is replaced by the state
   */
  open(store: Store, options: { compactEvery: number }): Promise<KeptDocument>;
  /** The whole text, from the store alone. */
  readAll(store: Store): Promise<string>;
  /** Reads a part without the rest; absent if the way cannot do that. */
  paragraphs?: ParagraphReader;
}

interface ParagraphReader {
  /** The beginning of a paragraph, in the form that a link to it keeps. */
  anchorAt(store: Store, position: number): Promise<string>;
  /** From the anchor to the end of its line. */
  read(store: Store, anchor: string): Promise<string>;
}

/** Writes a batch. @returns the bytes of its keys and values; a deleted key counts, too */
export async function writeBatch(store: Store, batch: Batch): Promise<number> {
  if (batch.puts.length + batch.deletes.length === 0) return 0;
  await store.write(batch);
  let bytes = 0;
  for (const [key, value] of batch.puts) bytes += key.length + value.length;
  for (const key of batch.deletes) bytes += key.length;
  return bytes;
}
