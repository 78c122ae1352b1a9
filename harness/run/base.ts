/** The base of a run with `--against`: another checkout of the project, ready to run, with the same protocol. */
import { existsSync } from 'node:fs';
import { glob, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findFrameworks } from '../../frameworks/discover.ts';
import type { Frameworks } from '../../frameworks/framework.ts';
import { type Code, codeOf } from '../../infra/code.ts';
import { runTool } from '../../infra/process/child.ts';
import { PROJECT_ROOT, sourceFingerprint } from '../../infra/project.ts';
import { commitNamed, openWorktree } from '../../infra/worktree.ts';
import { messageOf, Unavailable, UserError } from '../../results/user-error.ts';
import { PROTOCOL_VERSION } from '../trial/protocol-version.ts';

/** One half's checkout, as `against.json` tells it. */
export interface Checkout extends Code {
  /** As a person named it; null for the project that runs. */
  named: string | null;
}

export interface Base {
  root: string;
  checkout: Checkout;
  /** Removes what was made for it. Safe to call twice. */
  release(): Promise<void>;
}

const LOCK = 'package-lock.json';
/** An installation takes a minute on a slow line; one that takes this long hangs. */
const INSTALL_LIMIT_MS = 10 * 60_000;

/** @throws UserError (2) if it is neither a folder that holds the project, nor a commit that git knows */
export async function checkBase(named: string, root: string = PROJECT_ROOT): Promise<void> {
  if (!(await isCheckout(resolve(named)))) await commitOf(named, root);
}

/**
 * @param named a folder that holds the project, which is taken as it is; else what git knows a commit by
 * @param root  the project that runs
 * @throws UserError (2) if it is neither, or cannot be steered from here, (3) if its packages are missing
 */
export async function openBase(
  named: string,
  options: { root: string; say: (text: string) => void; signal: AbortSignal },
): Promise<Base> {
  const folder = resolve(named);
  if (await isCheckout(folder)) return openFolder(named, folder);
  const commit = await commitOf(named, options.root);
  const { root, release } = await openWorktree(options.root, commit);
  try {
    await refuseOtherProtocol(root, named);
    await bringPackages(root, { ...options, named });
  } catch (error) {
    await release();
    throw error;
  }
  return { root, checkout: { named, commit, changed: false, sources: await sourceFingerprint(root) }, release };
}

/** The frameworks of an experiment as the base has them. @throws UserError (2, 3) if it lacks one */
export async function frameworksIn(
  { root, checkout }: Base,
  { frameworks }: { frameworks: readonly string[] },
): Promise<Frameworks> {
  return findFrameworks(frameworks, root).catch((error: UserError) => {
    throw new UserError(`in the base ${checkout.named}: ${error.message}`, { exitCode: error.exitCode, cause: error });
  });
}

/** True if the folder holds the project, in any version. */
async function isCheckout(folder: string): Promise<boolean> {
  const read = (root: string) => readFile(join(root, 'package.json'), 'utf8').then((text) => JSON.parse(text).name);
  return (await read(folder).catch(() => null)) === (await read(PROJECT_ROOT));
}

async function openFolder(named: string, folder: string): Promise<Base> {
  await refuseOtherProtocol(folder, named);
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) {
    throw new Unavailable(`the base ${named} has no packages; make them there with: ./scriptorium list`);
  }
  return { root: folder, checkout: { named, ...(await codeOf(folder)) }, release: async () => {} };
}

async function commitOf(named: string, root: string): Promise<string> {
  try {
    return await commitNamed(root, named);
  } catch (cause) {
    const isRepository = existsSync(join(root, '.git'));
    const why = isRepository ? 'git knows no such commit, branch or tag' : 'this project is no git repository';
    throw new UserError(
      `--against "${named}": no folder of that name holds the project (there is no package.json of it), and ${why}; name a folder, or a commit that git log shows`,
      { cause },
    );
  }
}

const PROTOCOL_FILE = 'harness/trial/protocol-version.ts';
/** Read as text: nothing of a base runs in this process. */
const PROTOCOL_VERSION_LINE = /PROTOCOL_VERSION = (\d+)/;

/** @throws UserError (2) if this project's coordinator cannot steer the base's processes, or read what they record */
async function refuseOtherProtocol(root: string, named: string): Promise<void> {
  const text = await readFile(join(root, PROTOCOL_FILE), 'utf8').catch(() => '');
  const version = PROTOCOL_VERSION_LINE.exec(text)?.[1] ?? null;
  if (Number(version) === PROTOCOL_VERSION) return;
  const theirs = version === null ? 'no version, as it is older than version 1' : `version ${version}`;
  throw new UserError(
    `--against "${named}": it cannot run in turns with this version, because their protocols differ (there: ${theirs}; here: version ${PROTOCOL_VERSION}). Run each version by itself, then set the two runs side by side: ./scriptorium compare BASE NEW`,
  );
}

/** Sources of the measurement itself, beside its subject. */
const MEASURING = [
  'harness/{users,server,probes,crowd,audience}/**/*.ts',
  'editors/base/**/*.{ts,html}',
  'infra/{clock.ts,network/**/*.ts}',
];

/** Files whose change may change figures though no framework has changed. */
export async function differingMeasures(root: string, other: string): Promise<string[]> {
  const [ours, theirs] = await Promise.all([measuresOf(root), measuresOf(other)]);
  const names = [...new Set([...ours.keys(), ...theirs.keys()])].sort();
  return names.filter((name) => ours.get(name) !== theirs.get(name));
}

async function measuresOf(root: string): Promise<Map<string, string>> {
  const names = await Array.fromAsync(glob(MEASURING, { cwd: root }));
  const sources = names.filter((name) => !/\.(test|bench)\.ts$/.test(name));
  return new Map(
    await Promise.all(sources.map(async (name) => [name, await readFile(join(root, name), 'utf8')] as const)),
  );
}

/** This project's packages if the base asks for the same; else those that the base's own launcher installs. */
async function bringPackages(
  root: string,
  options: { root: string; say: (text: string) => void; signal: AbortSignal; named: string },
): Promise<void> {
  const readLock = (folder: string) => readFile(join(folder, LOCK), 'utf8');
  if ((await readLock(options.root)) === (await readLock(root))) {
    await symlink(join(options.root, 'node_modules'), join(root, 'node_modules'));
    return;
  }
  options.say(`Installing the packages of ${options.named}, which differ from these`);
  const { signal } = options;
  try {
    await runTool([join(root, 'scriptorium'), 'install', '--all'], { signal, limitMs: INSTALL_LIMIT_MS });
  } catch (cause) {
    signal.throwIfAborted();
    const why = messageOf(cause).split('\n').at(-1);
    throw new Unavailable(`the packages of ${options.named} could not be installed: ${why}`, { cause });
  }
}
