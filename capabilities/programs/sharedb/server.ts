/** A ShareDB server in this process, with clients whose connections can be cut and joined again: for ShareDB's programs. */
import ShareDB from 'sharedb';
import type { Connection, Doc } from 'sharedb/lib/client/index.js';
import type { Stage } from '../outcome.ts';

export const COLLECTION = 'documents';
export const ID = 'one';
/** The type of JSON documents, which ShareDB brings with it. */
export const JSON_TYPE = 'http://sharejs.org/types/JSONv0';

export interface Client {
  connection: Connection;
  /** The one document, subscribed. */
  doc: Doc;
  cut(): void;
  /** Resolves once what was done meanwhile has gone and come. */
  rejoin(): Promise<void>;
}

export interface Server {
  backend: ShareDB;
  /** @param collection the document's collection */
  join(collection?: string): Promise<Client>;
  close(): Promise<void>;
}

/** It holds one document. */
export async function serveDocument(
  data: unknown,
  type = JSON_TYPE,
  options: ConstructorParameters<typeof ShareDB>[0] = {},
): Promise<Server> {
  const backend = new ShareDB(options);
  await done((callback) => backend.connect().get(COLLECTION, ID).create(data, type, callback));
  return {
    backend,
    async join(collection = COLLECTION) {
      const connection = backend.connect();
      const doc = connection.get(collection, ID);
      await done((callback) => doc.subscribe(callback));
      return {
        connection,
        doc,
        cut: () => connection.close(),
        async rejoin() {
          backend.connect(connection);
          await settled({ doc });
        },
      };
    },
    close: () => done((callback) => backend.close(callback)),
  };
}

/** Resolves once all that these did has reached the server, and all of them. */
export async function settled(...clients: Pick<Client, 'doc'>[]): Promise<void> {
  for (const { doc } of clients) await new Promise<void>((resolve) => doc.whenNothingPending(resolve));
  // Asks for all that came since.
  for (const { doc } of clients) await done((callback) => doc.fetch(callback));
}

/** A promise of what tells its end by a callback. */
export function done(start: (callback: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}

/** Two clients of a document. Until they exchange nothing goes out, so what both do is done at once; the first's goes out first. */
export async function pair<Replica>(
  data: unknown,
  bind: (client: Client) => Replica,
  type = JSON_TYPE,
): Promise<Stage<Replica> & { join(): Promise<Replica> }> {
  const server = await serveDocument(data, type);
  const [one, other] = [await server.join(), await server.join()];
  one.doc.pause();
  other.doc.pause();
  return {
    replicas: [bind(one), bind(other)],
    async exchange() {
      for (const { doc } of [one, other]) {
        doc.resume();
        await settled({ doc });
        doc.pause();
      }
      await settled(one, other);
    },
    join: async () => bind(await server.join()),
    close: () => server.close(),
  };
}
