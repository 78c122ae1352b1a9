/** A database for a trial in a Postgres that runs already. */
import { lastingProcessName, PROCESS_NAME, standingOf } from '../../results/run-folder/process-name.ts';
import { messageOf, Unavailable, UserError } from '../../results/user-error.ts';

/** The part of node-postgres that is used here. */
interface Client {
  connect(): Promise<void>;
  query(text: string, values?: readonly unknown[]): Promise<{ rows: { comment: string | null }[] }>;
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
/** The comment on a database that a run made, before the name of the run's process: nobody else's database has it. */
const MADE_BY = 'made by a run of Scriptorium: process ';
const COMMENT = new RegExp(`^${MADE_BY}${PROCESS_NAME}$`);

export interface TrialDatabase {
  url: string;
  /** Removes the database, with all that it holds and whoever is connected, unless it was there before. */
  drop(): Promise<void>;
}

/**
 * Makes a database. One of this name that a run left, which is over or is the owner itself, is dropped first; no other is.
 *
 * @param url              of a Postgres, with the name and password of an account that may make databases
 * @param options.isReused true: it may be there already, with what it holds
 * @param options.owner    the process of the run, by its `lastingProcessName`; this one unless given
 * @throws UserError (2) if the address is none, or the database is there and is not to be reused; (3) if the Postgres does not
 *         answer, or refuses
 */
export async function createDatabase(
  url: string,
  name: string,
  { isReused = false, owner = lastingProcessName() }: { isReused?: boolean; owner?: string } = {},
): Promise<TrialDatabase> {
  const address = URL.parse(url);
  if (address === null || !/^postgres(ql)?:$/.test(address.protocol)) {
    throw new UserError('store.url is no address of a Postgres; write it as postgres://NAME:PASSWORD@HOST:5432');
  }
  const quoted = `"${name.replaceAll('"', '""')}"`;
  const dropIt = `DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`;
  const wasThere = await loggedIn(address, async (client) => {
    const described = "SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = $1";
    const { rows } = await client.query(described, [name]);
    // An account that may use a database may not always make one.
    if (rows.length > 0 && isReused) return true;
    for (const { comment } of rows) {
      const holder = holderOf(comment, owner);
      if (holder !== null) {
        throw new UserError(`the Postgres at ${address.host} has a database "${name}" already, ${holder}`);
      }
      await client.query(dropIt);
    }
    await client.query(`CREATE DATABASE ${quoted}`);
    await client.query(`COMMENT ON DATABASE ${quoted} IS '${MADE_BY}${owner}'`);
    return false;
  });
  const database = new URL(address);
  database.pathname = `/${name}`;
  return {
    url: database.href,
    async drop() {
      if (!wasThere) await loggedIn(address, (client) => client.query(dropIt));
    },
  };
}

/** Null if a run left the database, and needs it no more; else, in a sentence, its holder and what to do. */
function holderOf(comment: string | null, owner: string): string | null {
  const maker = COMMENT.exec(comment ?? '')?.groups;
  if (maker === undefined) return 'perhaps of another run; drop it, or reuse it with what it holds (store.reuse)';
  const standing = comment === MADE_BY + owner ? 'gone' : standingOf(maker);
  if (standing === 'gone') return null;
  const run = `of another run, process ${maker.pid}`;
  return standing === 'alive'
    ? `${run}; wait until it has ended`
    : `${run} of another machine or container; wait until it has ended, and drop the database if it is still there then`;
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
    if (cause instanceof UserError) throw cause;
    throw new Unavailable(
      `the Postgres at ${address.host} refuses, or does not answer: ${messageOf(cause)}; see that it runs, and that store.url names an account that may make databases`,
      { cause },
    );
  } finally {
    await client.end().catch(() => {});
  }
}
