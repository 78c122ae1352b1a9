/**
 * Packages of this project that its base installation leaves out, the `devDependencies` of package.json: those of frameworks,
 * engines, clouds, tests. Each is installed with what it depends on at its first use, at the place and in the version that the
 * lock file tells. So a folder to which all were added is as `npm ci` makes it.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { besidePlace, putInPlace } from '../../infra/process/made-once.ts';
import { PROJECT_ROOT, workFolderOf } from '../../infra/project.ts';
import { Unavailable } from '../../results/user-error.ts';
import { type Lock, readLock } from '../imports.ts';
import { installing, npmInto, type PackageSet, type ReadyOptions } from './ready-packages.ts';

/**
 * Installs those of these packages, and of all that they depend on, that are not here.
 *
 * @param names   as `package.json` has them
 * @param options.root the project's folder
 * @throws UserError (exit code 3) if one is not in the lock file, or cannot be installed
 */
export async function readyProjectPackages(
  names: readonly string[],
  { root = PROJECT_ROOT, say, isDry = false }: ReadyOptions & { root?: string } = {},
): Promise<void> {
  const lock = await lockOf(root);
  if (missingPlaces(names, lock, root).length === 0) return;
  const unknown = names.find((name) => lock.packages[placeOf(name)] === undefined);
  if (unknown !== undefined) {
    throw new Unavailable(`package-lock.json has no "${unknown}"; add it to package.json and run npm install`);
  }
  if (isDry) return;
  const missing = names.filter((name) => missingPlaces([name], lock, root).length > 0);
  const packages = Object.fromEntries(missing.map((name) => [name, lock.packages[placeOf(name)]!.version!]));
  const others = missing.length === 1 ? '' : ` and ${missing.length - 1} more`;
  const what = `${missing[0]} ${packages[missing[0]!]}${others}`;
  const into = join(root, 'node_modules');
  say?.(`Installing ${what} into ${into}; that is done once`);
  await installing({ what, into, advice: 'make it writable, and make room there' }, (signal) =>
    besidePlace(join(workFolderOf(root), 'added'), async (partial) => {
      await npmCi({ root, partial, set: { packages }, signal });
      await moveInto(root, partial);
    }),
  );
}

/** Packages of tests, types and lint: no run takes them. The Dockerfile leaves the large ones out. */
const TOOLS = /^(@biomejs\/biome|@types\/.*|fast-check|typescript|vitest)$/;

/** Names of all packages that the base installation leaves out; of tests and lint, if `tools`. */
export async function leftOut({ tools }: { tools: boolean }): Promise<string[]> {
  const { devDependencies = {} } = await readManifest(PROJECT_ROOT);
  return Object.keys(devDependencies).filter((name) => tools || !TOOLS.test(name));
}

async function readManifest(root: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  mayRunInstallScripts?: string[];
  overrides?: Overrides;
}

/** Versions that npm takes instead of those that packages ask for; of one package's own dependencies, if nested. */
interface Overrides {
  [name: string]: string | Overrides;
}

/** Empty if there is none: then nothing can be added. */
export async function lockOf(root: string): Promise<Lock> {
  return existsSync(join(root, 'package-lock.json')) ? readLock(root) : { packages: {} };
}

const placeOf = (name: string) => `node_modules/${name}`;

/**
 * Places of packages that are not there: of the named ones, and of those that they depend on. Those that only some kinds of
 * machines have are not looked for.
 */
export function missingPlaces(names: readonly string[], { packages }: Lock, root: string): string[] {
  const places = new Set(names.map(placeOf));
  for (const place of places) {
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[place] ?? {};
    const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
    for (const name of [...Object.keys(dependencies), ...peers]) {
      const found = placeSeenFrom(place, name, packages);
      if (found !== null) places.add(found);
    }
  }
  return [...places].filter((place) => packages[place]?.optional !== true && !existsSync(join(root, place)));
}

/** The place in which Node finds a package that is imported by the one at `from`; null: it is not in the lock file. */
function placeSeenFrom(from: string, name: string, packages: Lock['packages']): string | null {
  for (let around = from; around !== ''; around = around.slice(0, Math.max(0, around.lastIndexOf('/node_modules/')))) {
    const place = `${around}/${placeOf(name)}`;
    if (packages[place] !== undefined) return place;
  }
  return packages[placeOf(name)] === undefined ? null : placeOf(name);
}

/** All of the set and nothing else, in an empty folder: npm prunes the lock file to what package.json asks for. */
async function npmCi(options: { root: string; partial: string; set: PackageSet; signal: AbortSignal }): Promise<void> {
  const { root, partial, set, signal } = options;
  const manifest = await readManifest(root);
  const overrides = resolved(manifest.overrides ?? {}, { ...manifest.devDependencies, ...manifest.dependencies });
  const asked = { ...manifest, overrides, dependencies: set.packages, devDependencies: {} };
  await writeFile(join(partial, 'package.json'), JSON.stringify(asked));
  for (const file of ['package-lock.json', '.npmrc']) {
    if (existsSync(join(root, file))) await copyFile(join(root, file), join(partial, file));
  }
  await npmInto(partial, set, ['ci', '--prefer-offline'], signal);
  // Programs in C++, which are built here if none fits this machine. The image has the same list.
  const built = (asked.mayRunInstallScripts ?? []).filter((name) => existsSync(join(partial, placeOf(name))));
  if (built.length > 0) await npmInto(partial, set, ['rebuild', '--ignore-scripts=false', ...built], signal);
}

/** `$name` stands for what the manifest asks of that package, which the set may not have. */
function resolved(overrides: Overrides, versions: Record<string, string>): Overrides {
  return Object.fromEntries(
    Object.entries(overrides).map(([name, value]) => {
      if (typeof value !== 'string') return [name, resolved(value, versions)];
      return [name, value.startsWith('$') ? versions[value.slice(1)]! : value];
    }),
  );
}

/** Nothing that is there is touched, as processes may be reading it; another one may be adding the same. */
async function moveInto(root: string, partial: string): Promise<void> {
  const installed = JSON.parse(await readFile(join(partial, 'node_modules/.package-lock.json'), 'utf8')) as Lock;
  const depth = (place: string) => place.split('node_modules/').length;
  // Outer ones first, each with all that lies in it; before the others what is not looked for afterwards.
  const places = Object.entries(installed.packages)
    .sort(
      ([one, { optional }], [other, than]) => depth(one) - depth(other) || Number(!optional) - Number(!than.optional),
    )
    .map(([place]) => place);
  const programs = await readdir(join(partial, 'node_modules/.bin')).catch(() => []);
  // Links to programs before these, since a link that leads nowhere is taken for absent.
  for (const place of [...programs.map((name) => `node_modules/.bin/${name}`), ...places]) {
    const [from, to] = [join(partial, place), join(root, place)];
    if (!existsSync(from) || existsSync(to)) continue;
    await mkdir(dirname(to), { recursive: true });
    await putInPlace(from, to);
  }
}
