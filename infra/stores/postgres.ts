/** Postgres over a folder of its own: durable as it comes, reached by a password of the trial. */
import { chmod, chown, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { Unavailable } from '../../results/user-error.ts';
import { createToken } from '../channel/token.ts';
import { runCommand } from '../process/child.ts';
import { type Kind, LOOPBACK } from './kind.ts';

const USER = 'scriptorium';
/** It is there after `initdb`. */
const DATABASE = 'postgres';

/** `initdb` takes a second or two. */
const PREPARATION_LIMIT_MS = 20_000;

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: LOOPBACK,
  unix_socket_directories: '',
  // Shared memory of a killed one would stay on the machine; files go with the folder.
  dynamic_shared_memory_type: 'mmap',
  // Its defaults, which `initdb` would make smaller with the segments: then it would write pages more often.
  min_wal_size: '80MB',
  max_wal_size: '1GB',
};

/** It is in the folder of the data from its start to its end in order. */
const STATUS_FILE = 'postmaster.pid';
/** The places of its lines: key and id of a segment of shared memory; and how far the start is. */
const [SEGMENT_LINE, STATUS_LINE] = [6, 7];

/**
 * @param options.folder empty
 * @throws UserError (3) if no account may run it there; Error with the last words of `initdb`
 */
export async function preparePostgres(options: {
  program: string;
  folder: string;
  signal?: AbortSignal;
}): Promise<Kind> {
  const { program, folder, signal } = options;
  const account = await accountFor(folder);
  const data = join(folder, 'data');
  const password = createToken();
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) await chown(passwordFile, account.uid, account.gid);
  const known = ['--username', USER, '--auth', 'scram-sha-256', '--pwfile', passwordFile];
  const form = ['--encoding', 'UTF8', '--no-locale', '--wal-segsize', '1'];
  await runCommand([join(dirname(program), 'initdb'), '--pgdata', data, ...known, ...form, '--no-sync'], {
    account,
    folder,
    signal,
    limitMs: PREPARATION_LIMIT_MS,
  });
  await rm(passwordFile);

  const statusLines = async () => (await readFile(join(data, STATUS_FILE), 'utf8').catch(() => '')).split('\n');
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return {
    command: (port) => ({ command: [program, '-D', data, '-p', String(port), ...settings], account }),
    async isReady(_port, pid) {
      // It says so there, first, and itself.
      const lines = await statusLines();
      return lines[0] === String(pid) && lines[STATUS_LINE]?.trim() === 'ready';
    },
    url: (port) => `postgres://${USER}:${password}@${LOOPBACK}:${port}/${DATABASE}`,
    // "Fast": SIGTERM would wait until all clients have gone.
    endSignal: 'SIGINT',
    async remains() {
      // Nothing but Postgres uses it, to see whether another one has the same data; the next start over them would remove it, too.
      const [, segment] = (await statusLines())[SEGMENT_LINE]?.trim().split(/ +/) ?? [];
      return segment === undefined ? null : ['ipcrm', '-m', segment];
    },
  };
}

interface Account {
  uid: number;
  gid: number;
}

/** Another account than root, as which Postgres refuses to run; the folder is handed over to it. Undefined: this one will do. */
async function accountFor(folder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const account = await accountNamed(name);
    if (account === null) continue;
    await letIn(folder, { ...account, name });
    return account;
  }
  throw new Unavailable(
    'Postgres does not run as root, and there is no account "postgres" or "nobody" for it; add one, or run as another account',
  );
}

async function accountNamed(name: string): Promise<Account | null> {
  try {
    const [uid, gid] = await Promise.all([runCommand(['id', '-u', name]), runCommand(['id', '-g', name])]);
    return { uid: Number(uid), gid: Number(gid) };
  } catch {
    return null;
  }
}

const ENTER_AS_OWNER = 0o100;
const ENTER_AS_GROUP = 0o010;
const ENTER = 0o001;

/** Folders around it that are temporary, whose names nobody can guess (a fleet's is that of its processes, too), are opened for passing through, but not for looking into. */
async function letIn(folder: string, { uid, gid, name }: Account & { name: string }): Promise<void> {
  await chown(folder, uid, gid);
  await chmod(folder, 0o700);
  for (let around = dirname(folder); around !== dirname(around); around = dirname(around)) {
    const { mode, ...owner } = await stat(around);
    const needed = owner.uid === uid ? ENTER_AS_OWNER : owner.gid === gid ? ENTER_AS_GROUP : ENTER;
    if ((mode & needed) !== 0) continue;
    const isOurs = basename(around).startsWith('scriptorium-') || around.startsWith(tmpdir() + sep);
    if (!isOurs) {
      throw new Unavailable(
        `Postgres does not run as root, and the account "${name}" cannot enter ${around}; set TMPDIR to a folder that it can enter, such as /tmp`,
      );
    }
    await chmod(around, mode | needed);
  }
}
