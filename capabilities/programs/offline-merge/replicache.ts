/** Its clients merge through the server only, which runs again what they did. Text is a value, typed into by a mutator. */
import type { WriteTransaction } from 'replicache';
import { judge, type Program } from '../outcome.ts';
import { keepStore, savedWith } from '../replicache/kept.ts';
import { exchange, serveEntries } from '../replicache/server.ts';
import { TEXT_MUTATORS } from '../replicache/text.ts';

const MUTATORS = {
  ...TEXT_MUTATORS,
  async add(tx: WriteTransaction, { note }: { note: string }) {
    await tx.set('notes', [...((await tx.get('notes')) as string[]), note]);
  },
};

export const program: Program = async () => {
  const server = await serveEntries({ text: 'middle', notes: [] }, MUTATORS);
  const store = keepStore();
  const [before, other] = [await server.join({ name: 'one', store: store.provider }), await server.join()];
  await before.replicache.mutate.insert({ position: 0, text: 'first ' });
  await before.replicache.mutate.add({ note: 'by one' });
  await other.replicache.mutate.insert({ position: 'middle'.length, text: ' last' });
  await other.replicache.mutate.add({ note: 'by the other' });

  // A restart, before it meets the server: all that is left is what it has in its store.
  const saved = await savedWith(store, 'by one');
  await before.replicache.close();
  const one = await server.join({ name: 'one', store: keepStore(saved).provider, isOffline: true });
  await one.replicache.mutate.insert({ position: 0, text: 'very ' });
  await exchange(one, other);
  const [ends, otherEnds] = [one, other].map(({ entries }) => ({
    text: entries.get('text'),
    notes: entries.get('notes'),
  }));
  await server.close();

  return judge([
    { holds: JSON.stringify(ends) === JSON.stringify(otherEnds), otherwise: 'replicas end apart', isEssential: true },
    {
      holds: JSON.stringify(ends!.notes) === '["by one","by the other"]',
      otherwise: `notes added offline to one value are ${JSON.stringify(ends!.notes)}`,
    },
    {
      holds: ends!.text === 'very first middle last',
      otherwise: `an insert is run again after what others did, but at the position that it was told: text typed offline gives "${ends!.text}"`,
    },
  ]);
};
