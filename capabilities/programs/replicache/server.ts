/**
 * A server in this process that Replicache's clients push to and pull from, over HTTP on this machine, and such clients: for
 * Replicache's programs. As its documentation has it, the server runs the same mutators as the clients, in one order.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Json, type Mutators, Replicache, type StoreProvider } from 'replicache';
import type { Stage } from '../outcome.ts';
import { expectThat } from '../outcome.ts';

const HOST = '127.0.0.1';
/** The longest that a timer waits. */
const NEVER_MS = 2 ** 31 - 1;

export interface Client<Own extends Mutators> {
  replicache: Replicache<Own>;
  /** Begins when all earlier steps are done, so that a program can queue its steps at once. */
  later(step: () => Promise<unknown>): void;
  /** Resolves when they all are. */
  done(): Promise<unknown>;
  /** Its entries by their keys, when it last exchanged. */
  entries: ReadonlyMap<string, Json>;
}

export interface Server<Own extends Mutators> {
  /** All that clients sent it. */
  received: string[];
  join(options?: JoinOptions): Promise<Client<Own>>;
  close(): Promise<void>;
}

interface JoinOptions {
  /** The user's name; clients of one name share their stores. */
  name?: string;
  /** The client's store; by default in memory. */
  store?: 'mem' | StoreProvider;
  /** The prefix of the keys that the client gets; the empty text gives it all. */
  part?: string;
  /** It does not meet the server yet. */
  isOffline?: boolean;
}

interface Push {
  clientGroupID: string;
  mutations: { clientID: string; id: number; name: string; args: Json }[];
}

/** Asks no other machine anything, whatever the library would like. */
const { fetch } = globalThis;
globalThis.fetch = async (asked, options) => {
  const { hostname } = new URL(asked instanceof Request ? asked.url : asked);
  if (hostname !== HOST) throw new Error(`${hostname} is not ${HOST}`);
  return fetch(asked, options);
};

/** Without addresses it has no server. Nothing goes out, and nothing comes, before a program says so. */
export function openClient<Own extends Mutators>(options: {
  name: string;
  mutators: Own;
  kvStore: 'mem' | StoreProvider;
  pushURL?: string;
  pullURL?: string;
}): Replicache<Own> {
  return new Replicache({
    pushURL: '',
    pullURL: '',
    ...options,
    pushDelay: NEVER_MS,
    pullInterval: null,
    logLevel: 'error',
  });
}

/** @param begin the server's first entries, by keys */
export async function serveEntries<Own extends Mutators>(
  begin: Record<string, Json>,
  mutators: Own,
): Promise<Server<Own>> {
  const entries = new Map(Object.entries(begin));
  const received: string[] = [];
  const answers: Record<string, (body: Push, part: string) => unknown> = answersOf(entries, mutators);
  const http = createServer(async (request: IncomingMessage, response) => {
    const { pathname, searchParams } = new URL(request.url!, `http://${HOST}`);
    const body = (await json(request)) as Push;
    received.push(JSON.stringify(body));
    response.end(JSON.stringify(await answers[pathname]!(body, searchParams.get('part') ?? '')));
  });
  http.listen(0, HOST);
  await once(http, 'listening');
  const address = `http://${HOST}:${(http.address() as AddressInfo).port}`;
  const clients: Replicache<Own>[] = [];
  return {
    received,
    async join({ name = `user ${clients.length}`, store = 'mem', part = '', isOffline = false } = {}) {
      const urls = { pushURL: `${address}/push`, pullURL: `${address}/pull?part=${part}` };
      const replicache = openClient({ name, mutators, kvStore: store, ...urls });
      clients.push(replicache);
      const client = bind(replicache);
      if (!isOffline) await exchange(client);
      return client;
    },
    async close() {
      for (const each of clients) await each.close();
      http.closeAllConnections();
      http.close();
    },
  };
}

/** Each client is given all that it may see anew each time. @see https://doc.replicache.dev/strategies/reset */
function answersOf(entries: Map<string, Json>, mutators: Mutators) {
  const transaction = {
    get: async (key: string) => entries.get(key),
    set: async (key: string, value: Json) => void entries.set(key, value),
    del: async (key: string) => entries.delete(key),
  };
  /** By groups of clients, then by clients. */
  const lastMutations = new Map<string, Record<string, number>>();
  let cookie = 0;
  return {
    async '/push'({ clientGroupID, mutations }: Push) {
      const last = lastMutations.get(clientGroupID) ?? {};
      lastMutations.set(clientGroupID, last);
      for (const { clientID, id, name, args } of mutations) {
        if (id <= (last[clientID] ?? 0)) continue;
        await mutators[name]!(transaction, args);
        last[clientID] = id;
      }
      return {};
    },
    '/pull': ({ clientGroupID }: Push, part: string) => ({
      cookie: ++cookie,
      lastMutationIDChanges: lastMutations.get(clientGroupID) ?? {},
      patch: [
        { op: 'clear' },
        ...[...entries].filter(([key]) => key.startsWith(part)).map(([key, value]) => ({ op: 'put', key, value })),
      ],
    }),
  };
}

function bind<Own extends Mutators>(replicache: Replicache<Own>): Client<Own> {
  let steps: Promise<unknown> = Promise.resolve();
  return {
    replicache,
    later(step) {
      steps = steps.then(step);
    },
    done: () => steps,
    entries: new Map(),
  };
}

/** The first client's changes reach the server first; then all have all. */
export async function exchange<Own extends Mutators>(...clients: Client<Own>[]): Promise<void> {
  for (const { replicache, done } of clients) {
    await done();
    await replicache.push({ now: true });
  }
  for (const client of clients) {
    await client.replicache.pull({ now: true });
    expectThat(client.replicache.online, 'a client reaches its server');
    client.entries = await entriesOf(client.replicache);
  }
}

/** All that a client has, by its keys. */
export async function entriesOf<Own extends Mutators>(replicache: Replicache<Own>): Promise<ReadonlyMap<string, Json>> {
  return new Map(await replicache.query((tx) => tx.scan().entries().toArray()));
}

/**
 * Two clients of a server.
 *
 * @param isReversed true if the second client's changes reach the server first
 */
export async function pair<Own extends Mutators, Replica>(
  begin: Record<string, Json>,
  mutators: Own,
  bind: (client: Client<Own>) => Replica,
  isReversed = false,
): Promise<Stage<Replica> & { join(): Promise<Replica> }> {
  const server = await serveEntries(begin, mutators);
  const [one, other] = [await server.join(), await server.join()];
  return {
    replicas: [bind(one), bind(other)],
    exchange: () => (isReversed ? exchange(other, one) : exchange(one, other)),
    join: async () => bind(await server.join()),
    close: () => server.close(),
  };
}
