/** LevelDB through `classic-level`, with its defaults; it compacts its files in threads of its own. */
import { ClassicLevel } from 'classic-level';
import type { OpenStore } from './store.ts';

export const open: OpenStore = async (directory, { durable }) => {
  const level = new ClassicLevel<string, Uint8Array>(directory, { keyEncoding: 'utf8', valueEncoding: 'view' });
  await level.open();
  return {
    write: ({ puts, deletes }) =>
      level.batch(
        [
          ...deletes.map((key) => ({ type: 'del' as const, key })),
          ...puts.map(([key, value]) => ({ type: 'put' as const, key, value })),
        ],
        { sync: durable },
      ),
    get: (key) => level.get(key),
    scan: ({ from, to, limit = Number.POSITIVE_INFINITY }) => level.iterator({ gte: from, lt: to, limit }).all(),
    close: () => level.close(),
  };
};
