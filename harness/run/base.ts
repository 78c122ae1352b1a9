/** The base that a run is made against: another checkout of the project, ready to run. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { sourceFingerprint } from '../../infra/source-fingerprint.ts';
import { isAlive } from '../../results/run-folder/is-alive.ts';
import { UserError } from '../../results/user-error.ts';
import { refuseOtherProtocol } from './same-protocol.ts';

/** What `against.json` tells of one side. */
export interface Checkout {
  /** As a person named it; null for the project that runs. */
  named: string | null;
  /** Null where it is no git repository. */
  commit: string | null;
  /** Whether there are changes that the commit does not tell of; null as `commit`. */
  changed: boolean | null;
  /** Fingerprint of what runs, whatever git knows of it. */
  sources: string;
}

export interface Base {
  root: string;
  checkout: Checkout;
  /** Removes what was made for it. Safe to call twice. */
  release(): Promise<void>;
}

/** Named after its process, so that a later one can tell whether it is still needed. */
const PREFIX = 'scriptorium-base-';
const LOCK = 'package-lock.json';
/** An installation takes a minute on a slow line; one that takes this long hangs. */
const INSTALL_LIMIT_MS = 10 * 60_000;

const run = promisify(execFile);

/**
 * @param named a folder that holds the project, which is taken as it is; else what git knows a commit by
 * @param root  the project that runs
 * @throws UserError (2) where it is neither, or cannot be steered from here, (3) where its packages are missing
 */
export async function openBase(
  named: string,
  options: { root: string; say: (text: string) => void; signal: AbortSignal },
): Promise<Base> {
  const folder = resolve(named);
  if (existsSync(join(folder, 'cli/main.ts'))) return openFolder(named, folder, options.root);
  await removeOrphans(options.root);
  const commit = await commitOf(named, options.root);
  const parent = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const root = join(parent, 'project');
  const release = () => removeWorktree(options.root, parent);
  try {
    await git(options.root, '-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--detach', root, commit);
    await refuseOtherProtocol(options.root, root, named);
    await bringPackages(root, { ...options, named });
  } catch (error) {
    await release();
    throw error;
  }
  return { root, checkout: { named, commit, changed: false, sources: await sourceFingerprint(root) }, release };
}

/** What is known of a folder, by git where it can tell. */
export async function checkoutOf(root: string, named: string | null): Promise<Checkout> {
  const sources = await sourceFingerprint(root);
  try {
    const commit = await git(root, 'rev-parse', 'HEAD');
    return { named, commit, changed: (await git(root, 'status', '--porcelain')) !== '', sources };
  } catch {
    return { named, commit: null, changed: null, sources };
  }
}

async function openFolder(named: string, folder: string, ownRoot: string): Promise<Base> {
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) {
    throw new UserError(`the base ${named} has no packages; make them there with: ./scriptorium --help`, {
      exitCode: 3,
    });
  }
  await refuseOtherProtocol(ownRoot, folder, named);
  return { root: folder, checkout: await checkoutOf(folder, named), release: async () => {} };
}

async function commitOf(named: string, root: string): Promise<string> {
  try {
    return await git(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${named}^{commit}`);
  } catch (cause) {
    const isRepository = existsSync(join(root, '.git'));
    const why = isRepository ? 'git knows no such commit, branch or tag' : 'this project is no git repository';
    throw new UserError(
      `--against "${named}": no folder of that name holds the project (there is no cli/main.ts in it), and ${why}; name a folder, or a commit that git log shows`,
      { exitCode: 2, cause },
    );
  }
}

/** The packages of this project, where the base asks for the same; else what the base's own launcher installs. */
async function bringPackages(
  root: string,
  options: { root: string; say: (text: string) => void; signal: AbortSignal; named: string },
): Promise<void> {
  const [own, wanted] = await Promise.all([options.root, root].map((each) => readFile(join(each, LOCK), 'utf8')));
  if (own === wanted) {
    await symlink(join(options.root, 'node_modules'), join(root, 'node_modules'));
    return;
  }
  options.say(`Installing the packages of ${options.named}, which differ from these`);
  const { signal } = options;
  try {
    await run(join(root, 'scriptorium'), ['--help'], { signal, timeout: INSTALL_LIMIT_MS });
  } catch (cause) {
    signal.throwIfAborted();
    const { stderr, message } = cause as { stderr?: string; message: string };
    const why = stderr?.trim().split('\n').at(-1) || message;
    throw new UserError(`the packages of ${options.named} could not be installed: ${why}`, { exitCode: 3, cause });
  }
}

async function removeWorktree(ownRoot: string, parent: string): Promise<void> {
  const root = join(parent, 'project');
  // Where git did not come to know it, there is only the folder.
  if (existsSync(root)) await git(ownRoot, 'worktree', 'remove', '--force', root).catch(() => {});
  await rm(parent, { recursive: true, force: true, maxRetries: 3 });
}

/** A run that was killed could not remove its base. */
async function removeOrphans(ownRoot: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isNaN(owner) || isAlive(owner)) continue;
    await removeWorktree(ownRoot, join(tmpdir(), name)).catch((error) => {
      // Another account's, on a machine that people share: theirs to remove.
      if (!['EACCES', 'EPERM'].includes(error.code)) throw error;
    });
  }
}

async function git(root: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', root, ...args]);
  return stdout.trim();
}
