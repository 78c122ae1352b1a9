/** The stores in which the framework's server keeps documents, each a cell, and the database that holds some of them. */
import { STORE_NAMES } from '../../editors/base/stores.ts';
import type { Company } from '../../results/formats/run-directory.ts';
import { block, duration, list, oneOf, orNull, property, text, trueFalse, type ValueOf } from './property.ts';
import type { Servers } from './servers.ts';

export const stores = property(list(oneOf(STORE_NAMES)), {
  description:
    'Where the framework’s server keeps documents, by the library’s own means; each store makes a cell. memory: nowhere else. A cell whose framework has no such store is left out of the plan.',
  default: ['memory'],
  flag: {
    form: '--stores <names>',
    help: 'stores of the server’s documents, a cell for each',
    example: 'memory,sqlite',
  },
});

/** Secrets stand before the host, which is printed, or behind it. */
const POSTGRES_ADDRESS = /^postgres(?:ql)?:\/\/(?:\S+@)?[^\s/@{}]+(?:[/?]\S*)?$/;
const REDIS_ADDRESS = /^redis:\/\/(?:\S+@)?[^\s/@{}]+(?:[/?]\S*)?$/;

export const store = property(
  block({
    url: property(orNull(text('an address such as postgres://me@127.0.0.1:5432/postgres', POSTGRES_ADDRESS)), {
      description:
        'The address of a Postgres that runs already; each trial has a database of its own there. `{env:NAME}` and `{file:PATH}` stand for secrets, which are kept nowhere. null: each trial starts one of its own.',
      default: null,
    }),
    reuse: property(trueFalse(), {
      description:
        'true: what runs already is used even if it has the database of an earlier trial, or if other servers share documents by it.',
      default: false,
    }),
    writeDelay: property(list(duration({ zero: true })), {
      description: 'Each write to a store waits this long first, as for a slow disk; each delay makes a cell.',
      default: ['0s'],
    }),
  }),
  { description: 'Place and pace of the stores that are not in memory.', default: {} },
);

/** Between several servers. */
export const broker = property(orNull(text('an address such as redis://127.0.0.1:6379', REDIS_ADDRESS)), {
  description:
    'The address of a Redis that runs already, by which several servers tell each other of changes; secrets as in `store.url`. null: each trial starts one of its own.',
  default: null,
});

type Behind = Pick<Company, 'store' | 'writeDelayMs' | 'servers'>;

/** As an experiment has them. */
export interface GivenBacking {
  stores: ValueOf<typeof stores>;
  store: Pick<ValueOf<typeof store>, 'writeDelayMs'>;
  servers: Pick<Servers, 'counts'>;
}

/** The combinations of an experiment: cells that differ in nothing else, in the order of its lists. */
export function backingsOf(given: GivenBacking): Behind[] {
  const delaysMs = [...new Set(given.store.writeDelayMs)];
  const kept = given.stores.flatMap((name): Behind[] => {
    // Nothing is written, so nothing waits.
    if (name === 'memory') return [{}];
    return delaysMs.map((delayMs) => ({ store: name, writeDelayMs: delayMs === 0 ? undefined : delayMs }));
  });
  return given.servers.counts.flatMap((count) =>
    kept.map((behind) => ({ ...behind, servers: count === 1 ? undefined : count })),
  );
}

/** A password, before the host or as a parameter, that stands there itself, and not the name of one. */
const WRITTEN_PASSWORD = /^[a-z]+:\/\/[^/@:]*:(?!\{(?:env|file):)[^/@]+@|[?&]password=(?!\{(?:env|file):)/i;

export function hasWrittenPassword(url: string): boolean {
  return WRITTEN_PASSWORD.test(url);
}
