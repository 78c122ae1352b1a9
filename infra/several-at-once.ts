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
  // For all of them: an error ends it, so that nobody begins another item.
  const queue = items.entries().drop(0);
  const workOn = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, workOn));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return results;
}
