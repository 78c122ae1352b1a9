/** Text in Replicache: a value, and a mutator that types into it. */
import type { WriteTransaction } from 'replicache';

const KEY = 'text';

export const TEXT_MUTATORS = {
  async insert(tx: WriteTransaction, { position, text }: { position: number; text: string }) {
    await tx.set(KEY, typedInto(((await tx.get(KEY)) ?? '') as string, position, text));
  },
};

export function typedInto(before: string, position: number, text: string): string {
  return before.slice(0, position) + text + before.slice(position);
}
