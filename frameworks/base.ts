/**
 * The base of a change: the same framework at another commit of its repository, or around another version of its package. A run
 * measures both, each under a name of its own.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { runTool } from '../infra/process/child.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../infra/process/made-once.ts';
import { commitNamed, git, openWorktree } from '../infra/worktree.ts';
import { messageOf, UserError } from '../results/user-error.ts';
import { admitAll, isPath, letInFolder } from './admit.ts';
import { baseOf } from './discover.ts';
import type { Framework } from './framework.ts';
import { latestVersion, npmInstall } from './packages/ready-packages.ts';

/** A base that is the newest version of the package in the registry. */
const PUBLISHED = 'published';
const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
/** Building a library takes minutes; a build that takes this long hangs. */
const BUILD_LIMIT_MS = 30 * 60_000;
/** A dependency that npm takes from this machine, not from a registry. */
const LOCAL = /^(file|link|workspace|portal):/;

interface BaseOptions {
  /** The change, as it stands in an experiment: a folder, a package, `NAME` or `NAME@VERSION` of the project. */
  framework: string;
  /** `published`, a version such as 1.2.3, or what git knows a commit by. */
  base: string;
  /** A command line that builds the library of a folder, run in the top folder of each checkout; null: nothing is to be built. */
  build: string | null;
  say: (text: string) => void;
  signal: AbortSignal;
}

/** Both, ready to be run by their names. */
export interface BaseAndChange {
  base: Framework;
  change: Framework;
  /** The base for people: `main (1a2b3c4)`, `loro-crdt 1.17.1`. */
  baseText: string;
  /** True if the base had no folder of the framework, so that the change's is measured with the base's library. */
  isFolderLent: boolean;
  /** Removes what was made for the base. */
  release(): Promise<void>;
}

/** @throws UserError (exit code 2) if one of them cannot be had or built, (3) if the registry cannot be reached */
export async function openBaseAndChange(options: BaseOptions): Promise<BaseAndChange> {
  const { framework, build, say } = options;
  const folder = resolve(framework);
  const isFolder = isPath(framework, process.cwd()) && existsSync(folder);
  // Before it is loaded: it may import what the build makes.
  if (build !== null && isFolder) {
    const repository = await repositoryOf(folder).catch(() => folder);
    await buildIn(repository, { ...options, build, of: 'the change' });
  }
  const [admitted] = await admitAll([framework], { from: process.cwd(), say });
  const change = admitted!;
  if (build !== null && !isFolder) {
    throw new UserError(
      `--build "${build}": ${framework} is no folder with sources to build; give the folder of the framework in its repository instead, or leave --build out`,
    );
  }
  if (change.kind !== 'outside') return openVersions(change, options);
  return isVersion(options.base) ? openPublished(change, options) : openCommit(change, options);
}

function isVersion(base: string): boolean {
  return base === PUBLISHED || VERSION.test(base);
}

/** Of the project's frameworks: two versions of the package, with one binding. */
async function openVersions(change: Framework, { base, say }: BaseOptions): Promise<BaseAndChange> {
  const { package: packageName } = change.about;
  const name = baseOf(change.name);
  if (packageName === null || !isVersion(base)) {
    const why = packageName === null ? `${name} has no package` : `"${base}" is no version of ${packageName}`;
    throw new UserError(
      `--base: ${why}; the base of a framework of the project is a version, such as 1.2.3, or ${PUBLISHED}; for a commit of a library, give the folder of a framework in its repository`,
    );
  }
  const version = base === PUBLISHED ? await latestVersion(packageName) : base;
  const versions = [`${name}@${version}`, `${name}@${change.version}`];
  const [older, newer] = await admitAll(versions, { from: process.cwd(), say });
  const found = { base: older!, change: newer! };
  if (found.base.name === found.change.name) {
    throw new UserError(
      `base and change are both ${packageName} ${version}; name another version, such as ${name}@1.2.3`,
    );
  }
  return { ...found, baseText: `${packageName} ${version}`, isFolderLent: false, release: async () => {} };
}

/** The change's own code around a version from the registry. */
async function openPublished(change: Framework, { base, signal, say }: BaseOptions): Promise<BaseAndChange> {
  const { package: packageName } = change.about;
  if (packageName === null) {
    throw new UserError(
      `--base ${base}: about.ts in ${change.root} names no package, so nothing is published; write a branch or a commit`,
    );
  }
  const version = base === PUBLISHED ? await latestVersion(packageName) : base;
  const parent = await makeTemporaryFolder('published');
  const release = () => removeTemporaryFolder(parent);
  try {
    const folder = join(parent, basename(change.root));
    await mkdir(folder);
    const manifest = await manifestOf(change.root);
    const others = Object.entries(manifest.dependencies ?? {}).filter(([, wanted]) => !LOCAL.test(wanted));
    say(`Installing ${packageName} ${version} for the base`);
    const packages = { ...Object.fromEntries(others), [packageName]: version };
    await npmInstall(folder, { packages, shared: [packageName] }, signal);
    const isCode = (path: string) => !['node_modules', 'package-lock.json'].includes(basename(path));
    await cp(change.root, folder, { recursive: true, filter: isCode });
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', ...manifest, name: 'base' }));
    return { ...(await both(change, folder)), baseText: `${packageName} ${version}`, isFolderLent: false, release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function manifestOf(folder: string): Promise<{ dependencies?: Record<string, string> }> {
  const path = join(folder, 'package.json');
  return existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : {};
}

/** The same folder at another commit, with what the build command makes there. */
async function openCommit(change: Framework, { base, build, signal, say }: BaseOptions): Promise<BaseAndChange> {
  const folder = await realpath(change.root);
  const repository = await repositoryOf(folder).catch((cause) => {
    const advice = `put it into one, or let the base be a version or ${PUBLISHED}`;
    throw new UserError(`--base "${base}": ${folder} lies in no git repository; ${advice}`, { cause });
  });
  const commit = await commitNamed(repository, base).catch((cause) => {
    const advice = `write one that git log shows (in CI, fetch it first), a version such as 1.2.3, or ${PUBLISHED}`;
    const problem = `--base "${base}": git knows no such commit, branch or tag in ${repository}`;
    throw new UserError(`${problem}; ${advice}`, { cause });
  });
  const { root, release } = await openWorktree(repository, commit);
  try {
    const there = resolve(root, relative(await realpath(repository), folder));
    const isFolderLent = !existsSync(there);
    if (isFolderLent) await cp(folder, there, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
    if (build !== null) await buildIn(root, { build, of: `the base ${base}`, say, signal });
    const short = commit.slice(0, 7);
    const baseText = base === commit ? short : `${base} (${short})`;
    return { ...(await both(change, there)), baseText, isFolderLent, release };
  } catch (error) {
    await release();
    throw error;
  }
}

function repositoryOf(folder: string): Promise<string> {
  return git(folder, 'rev-parse', '--show-toplevel');
}

async function buildIn(
  folder: string,
  { build, of, say, signal }: Pick<BaseOptions, 'say' | 'signal'> & { build: string; of: string },
): Promise<void> {
  say(`Building ${of}: ${build}`);
  try {
    await runTool(['sh', '-c', build], { folder, signal, limitMs: BUILD_LIMIT_MS });
  } catch (cause) {
    signal.throwIfAborted();
    throw new UserError(`${of} cannot be built by "${build}": ${messageOf(cause)}`, { cause });
  }
}

async function both(change: Framework, folder: string): Promise<Pick<BaseAndChange, 'base' | 'change'>> {
  try {
    return { base: await letInFolder(folder, { as: `${change.name}@base` }), change };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`the base: ${error.message}`, { exitCode: error.exitCode, cause: error });
  }
}
