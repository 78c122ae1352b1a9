/**
 * Does the work for each item, in their order, for so many at once. After an error no further item is begun; it is thrown once
 * none is under way.
 *
 * @returns the results, in the items' order
 */
export async function severalAtOnce<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  const workOn = async () => {
    while (next < items.length) {
      const index = next++;
      try {
        results[index] = await work(items[index]!);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, workOn));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return results;
}
