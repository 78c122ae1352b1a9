/** A database for a trial in a Postgres that runs already. */
import { messageOf, Unavailable, UserError } from '../../results/user-error.ts';

/** The part of node-postgres that is used here. */
interface Client {
  connect(): Promise<void>;
  query(text: string, values?: readonly unknown[]): Promise<{ rowCount: number | null }>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): void;
}
interface Driver {
  default: { Client: new (options: { connectionString: string; connectionTimeoutMillis: number }) => Client };
}

/** Without types. It comes with the frameworks that keep documents there, and only then. */
const DRIVER: string = 'pg';
const CONNECT_LIMIT_MS = 10_000;
/** Where one logs in that names no database. */
const USUAL_DATABASE = '/postgres';
/** The name of each trial's: only one trial at a time goes to a Postgres that somebody else runs. */
export const TRIAL_DATABASE = 'scriptorium';

export interface TrialDatabase {
  url: string;
  /** Removes the database, with all that it holds and whoever is connected, unless it was there before. */
  drop(): Promise<void>;
}

/**
 * Makes a database.
 *
 * @param url              of a Postgres, with the name and password of an account that may make databases
 * @param options.isReused true: it may be there already, with what it holds
 * @throws UserError (2) if the address is none, or the database is there and is not to be reused; (3) if the Postgres does not
 *         answer, or refuses
 */
export async function createDatabase(
  url: string,
  name: string,
  { isReused = false }: { isReused?: boolean } = {},
): Promise<TrialDatabase> {
  const address = URL.parse(url);
  if (address === null || !/^postgres(ql)?:$/.test(address.protocol)) {
    throw new UserError('store.url is no address of a Postgres; write it as postgres://NAME:PASSWORD@HOST:5432');
  }
  const quoted = `"${name.replaceAll('"', '""')}"`;
  const wasThere = await loggedIn(address, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    // An account that may use a database may not always make one.
    if (rowCount === 0) await client.query(`CREATE DATABASE ${quoted}`);
    return rowCount !== 0;
  });
  if (wasThere && !isReused) {
    throw new UserError(
      `the Postgres at ${address.host} has a database "${name}" already, perhaps of another run; drop it, or reuse it with what it holds (store.reuse)`,
    );
  }
  const database = new URL(address);
  database.pathname = `/${name}`;
  return {
    url: database.href,
    async drop() {
      if (wasThere) return;
      await loggedIn(address, (client) => client.query(`DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`));
    },
  };
}

async function loggedIn<Value>(address: URL, work: (client: Client) => Promise<Value>): Promise<Value> {
  const { default: pg } = (await import(DRIVER)) as Driver;
  const login = new URL(address);
  if (login.pathname.length <= 1) login.pathname = USUAL_DATABASE;
  const client = new pg.Client({ connectionString: login.href, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  // A connection that breaks fails what is asked over it.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } catch (cause) {
    throw new Unavailable(
      `the Postgres at ${address.host} refuses, or does not answer: ${messageOf(cause)}; see that it runs, and that store.url names an account that may make databases`,
      { cause },
    );
  } finally {
    await client.end().catch(() => {});
  }
}
