/** Writes a batch, and counts what the store was given. */
import type { Batch, Store } from '../stores/store.ts';

/** @returns the bytes of its keys and values; a deleted key counts, too */
export async function writeBatch(store: Store, batch: Batch): Promise<number> {
  if (batch.puts.length + batch.deletes.length === 0) return 0;
  await store.write(batch);
  let bytes = 0;
  for (const [key, value] of batch.puts) bytes += key.length + value.length;
  for (const key of batch.deletes) bytes += key.length;
  return bytes;
}
