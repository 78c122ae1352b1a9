/**
 * npm packages that are installed on demand, apart from the project's own: each set in a folder of the user's cache, which is
 * whole or not there.
 */

import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { runTool } from '../../infra/process/child.ts';
import { isMade, madeOnce } from '../../infra/process/made-once.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { byName, shortDigestOf } from '../../results/formats/digest.ts';
import { messageOf, Unavailable, UserError } from '../../results/user-error.ts';
import { cacheDirectory } from '../../traces/cache-directory.ts';

/** Or the newest up to one. */
const EXACT_VERSION = /^(\d+\.0\.0(?:-0)? - )?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface ReadyOptions {
  /** Gets a line before something is fetched. */
  say?: (text: string) => void;
  /** True: a set that is not there is named, not installed. */
  isDry?: boolean;
}

/**
 * Installs the set, unless it is there.
 *
 * @returns the folder whose `node_modules/` holds the packages
 * @throws UserError (exit code 2) if a version is none, or the registry does not have it; (3) if it cannot be
 *         installed, or the person interrupted it
 */
export async function readyPackages(set: PackageSet, options: ReadyOptions = {}): Promise<string> {
  refuseInexact(set);
  const folder = packageFolder(set);
  if (!isInstalled(set)) await install(set, folder, options);
  return folder;
}

function refuseInexact({ packages, shared = [] }: PackageSet): void {
  for (const name of [...shared, ...Object.keys(packages)]) {
    const version = packages[name]!;
    if (EXACT_VERSION.test(version)) continue;
    throw new UserError(
      `${JSON.stringify(version)} is no version of ${name}: write an exact one, such as ${name}@1.2.3`,
    );
  }
}

async function install(set: PackageSet, folder: string, { say, isDry }: ReadyOptions): Promise<void> {
  if (isDry === true) return say?.(`a run would install ${firstOf(set)} into ${dirname(folder)}`);
  say?.(`Installing ${firstOf(set)} into ${dirname(folder)}; that is done once`);
  const advice = 'make it writable and make room there, or name another directory in SCRIPTORIUM_CACHE';
  await installing({ what: firstOf(set), into: dirname(folder), advice }, (signal) =>
    madeOnce(folder, (partial) => npmInstall(partial, set, signal)),
  );
}

/**
 * Work that installs packages; a signal that ends this process ends it first.
 *
 * @param named.advice a remedy for a place that cannot be written to
 * @throws UserError (exit code 3) if the person interrupted it, or a file cannot be written; the work's UserError
 */
export async function installing(
  { what, into, advice }: { what: string; into: string; advice: string },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const interrupted = new AbortController();
  const { signal } = interrupted;
  const stop = () => {
    const message = `interrupted while ${what} was being installed; nothing of it is left`;
    interrupted.abort(new Unavailable(message));
  };
  for (const each of ENDING_SIGNALS) process.on(each, stop);
  try {
    await work(signal);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof UserError) throw cause;
    throw new Unavailable(`packages cannot be installed into ${into} (${messageOf(cause)}); ${advice}`, { cause });
  } finally {
    for (const each of ENDING_SIGNALS) process.off(each, stop);
  }
}

function firstOf({ packages, shared = [] }: PackageSet): string {
  const names = Object.keys(packages);
  const [first] = [...shared, ...names];
  const others = names.length === 1 ? '' : ' with what belongs to it';
  return `${first} ${packages[first!]}${others}`;
}

export interface PackageSet {
  /** The exact version of each, by its name; or the newest up to one: `4.0.0 - 4.1.0`. */
  packages: Readonly<Record<string, string>>;
  /** Packages with one copy only: every package of the set that asks for one gets it, in spite of the version it asks for. */
  shared?: readonly string[];
}

/**
 * The folder that holds the set below `node_modules/` once it is installed, in the user's cache. Its name changes with
 * every package of the set and with what machine it is installed for.
 */
export function packageFolder({ packages, shared = [] }: PackageSet): string {
  const wanted = { packages: Object.entries(packages).sort(byName), shared: [...shared].sort() };
  const forMachine = [process.platform, process.arch, wanted];
  const digest = shortDigestOf(JSON.stringify(forMachine));
  const first = shared[0] ?? Object.keys(packages)[0] ?? 'none';
  const label = `${first}@${packages[first]}`.replaceAll(/[@/]+/g, '-').replace(/^-/, '');
  return join(cacheDirectory(), 'packages', `${label}-${digest}`);
}

/** True if the set is installed; an installed set is always whole. */
export function isInstalled(set: PackageSet): boolean {
  return isMade(packageFolder(set));
}

/** `yjs 13.6.33, y-quill 1.0.0`; of a set with shared packages these alone, which stand for it. */
export function formatPackages({ packages, shared = [] }: PackageSet): string {
  const names = shared.length > 0 ? shared : Object.keys(packages);
  return names.map((name) => `${name} ${packages[name]}`).join(', ');
}

/** A registry that is not there is told soon: npm would wait for it for more than a minute. */
const PATIENCE = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=1000'];
/** Without scripts: nothing of a package runs before it is measured. */
const QUIETLY = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...PATIENCE];
/** npm's words for a registry that does not answer. */
const UNREACHABLE =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EPROTO|E5\d\d)$/;
/**
 * Codes for a version that may not be there. If other packages of the set ask for the package, npm only finds that nothing
 * fits.
 */
const ABSENT = /^(ETARGET|E404|ERESOLVE)$/;
/** Number of existing versions that a message suggests. */
const SUGGESTED = 4;

/**
 * Installs the set below `folder`, with a lock file that holds the integrity of all that the registry gave. What the set depends
 * on comes in the version, and with the content, that the project's own lock file tells, where that fits.
 *
 * @param root the project's folder
 * @throws UserError (exit code 2) if a version is not there, (3) if npm or its registry is not, or npm fails; the
 *         signal's reason
 */
export async function npmInstall(
  folder: string,
  set: PackageSet,
  signal: AbortSignal,
  root: string = PROJECT_ROOT,
): Promise<void> {
  const { packages, shared = [] } = set;
  const overrides = {
    ...(await overridesOf(root)),
    ...Object.fromEntries(shared.map((name) => [name, packages[name]])),
  };
  const manifest = { name: 'packages-on-demand', private: true, dependencies: packages, overrides };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  // npm begins with the versions in it, and takes out what nobody asks for.
  if (existsSync(join(root, LOCK))) await copyFile(join(root, LOCK), join(folder, LOCK));
  await npmInto(folder, set, ['install'], signal);
  const installed = JSON.parse(
    await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
  ) as InstalledLock;
  const isUnknown = ({ integrity, inBundle }: InstalledLock['packages'][string]) =>
    integrity === undefined && !inBundle;
  const [place] = Object.entries(installed.packages).find(([, entry]) => isUnknown(entry)) ?? [];
  if (place === undefined) return;
  throw new Unavailable(
    `npm installed ${place.slice('node_modules/'.length)} for ${formatPackages(set)} without a checksum, so nobody knows what it holds; take a registry that gives one`,
  );
}

const LOCK = 'package-lock.json';

/** Versions that the project has in spite of what its packages ask for. */
async function overridesOf(root: string): Promise<Record<string, string>> {
  const path = join(root, 'package.json');
  if (!existsSync(path)) return {};
  const { overrides = {} } = JSON.parse(await readFile(path, 'utf8')) as { overrides?: Record<string, unknown> };
  return Object.fromEntries(
    Object.entries(overrides).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The packages that npm installed, by their places; a bundled package is vouched for with the one that holds it. */
interface InstalledLock {
  packages: Record<string, { integrity?: string; inBundle?: boolean }>;
}

/**
 * Runs npm in a folder whose package.json asks for the set.
 *
 * @param command such as `['ci']`
 * @throws UserError as `npmInstall` does; the signal's reason
 */
export async function npmInto(
  folder: string,
  set: PackageSet,
  command: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  try {
    // The last of two flags counts: a command may ask for scripts.
    await npm([...QUIETLY, ...command], folder, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw await explained(cause, set, folder);
  }
}

async function npm(args: readonly string[], folder: string, signal?: AbortSignal): Promise<string> {
  // Under the Node that the packages are for, except where npm runs under its own only, as Debian's does.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const environment = { ...process.env, PATH };
  const isUsual = await runTool(['npm', '--version'], { folder, environment }).then(
    () => true,
    () => false,
  );
  return runTool(['npm', ...args], { folder, environment: isUsual ? environment : process.env, signal });
}

async function explained(cause: unknown, set: PackageSet, folder: string): Promise<UserError> {
  const said = messageOf(cause);
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(said)?.[1] ?? (cause as NodeJS.ErrnoException).code ?? 'unknown';
  if (code === 'ENOENT' && !said.includes('npm error')) {
    return new Unavailable('npm is missing, and packages on demand need it; install npm and try again', { cause });
  }
  if (UNREACHABLE.test(code)) {
    return new Unavailable(
      `the registry of npm cannot be reached (${code}), so ${formatPackages(set)} cannot be installed; connect this machine to it, or see what "npm ping" says, and try again`,
      { cause },
    );
  }
  for (const [name, version] of Object.entries(set.packages)) {
    // A range is of a package that may lack the version that was asked for.
    if (version.includes(' - ')) continue;
    if (!ABSENT.test(code) || !(set.shared?.includes(name) || said.includes(`${name}@${version}`))) continue;
    const published = await publishedVersions(name, folder);
    if (published.includes(version)) continue;
    const near = nearestVersions(version, published).join(', ');
    const advice = near === '' ? 'write one that it has' : `write one that it has, such as ${near}`;
    return new UserError(`the registry of npm has no ${name} ${version}; ${advice}`, { cause });
  }
  const lines = said.replaceAll(/^npm (?:error|ERR!) ?/gm, '').split('\n');
  const words = lines.find((line) => line !== '' && !line.startsWith('code ')) ?? 'it does not say why';
  return new Unavailable(`npm could not install ${formatPackages(set)} (${code}): ${words}`, { cause });
}

/**
 * The version that the registry gives whoever asks for none.
 *
 * @throws UserError (exit code 2) if the registry does not know the package, or cannot be reached
 */
export async function latestVersion(name: string): Promise<string> {
  try {
    return await npm(['view', `${name}@latest`, 'version', ...PATIENCE], PROJECT_ROOT);
  } catch (cause) {
    const words = messageOf(cause).split('\n')[0];
    throw new UserError(`the registry of npm tells no published version of ${name}: ${words}`, { cause });
  }
}

/** In the order in which they were published; empty if nobody can tell. */
async function publishedVersions(name: string, folder: string): Promise<string[]> {
  try {
    const versions = JSON.parse(await npm(['view', name, 'versions', '--json', ...PATIENCE], folder)) as
      | string
      | string[];
    return [versions].flat();
  } catch {
    return [];
  }
}

/** The last ones that begin as the wanted one does, as far as any do. */
export function nearestVersions(wanted: string, published: readonly string[]): string[] {
  const [major, minor] = wanted.split('.');
  for (const start of [`${major}.${minor}.`, `${major}.`, '']) {
    const alike = published.filter((version) => version.startsWith(start) && !version.includes('-'));
    if (alike.length > 0) return alike.slice(-SUGGESTED);
  }
  return [];
}
