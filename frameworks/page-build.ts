/**
 * Bundles the page that users open. One page holds all frameworks whose packages are the project's own, and scripts for pages of
 * others; it is made once for each state of their sources. Every other framework has a page of its own.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { glob, lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeCommand, runCommand } from '../infra/process/child.ts';
import { besidePlace, madeOnce, putInPlace } from '../infra/process/made-once.ts';
import { PROJECT_ROOT, workFolderOf } from '../infra/project.ts';
import { messageOf, UserError } from '../results/user-error.ts';
import { discoverAll } from './discover.ts';
import type { Framework } from './framework.ts';

/** Sources of a page. */
export interface PageContent {
  /** The project's folder, or a tree of its sources. */
  root: string;
  /** The frameworks' client modules, by name. */
  clients: Record<string, string>;
  /** The folder of the framework from outside that is in it; null: there is none. */
  outside: string | null;
  /** True if scripts for other services' pages are made too. */
  scripts: boolean;
  /** True if it may start workers. */
  workers: boolean;
}

/**
 * The file, beside the page, that a framework's `editors/<name>/page.ts` becomes: what its driver puts into a page that is
 * another's.
 */
export function scriptOf(framework: string): string {
  return `${framework}.js`;
}

/** Pages that were bundled on another machine, folders by frameworks, as JSON: what an image has of those that it cannot bundle. */
const BUNDLED_VARIABLE = 'SCRIPTORIUM_PAGES';
const BUNDLER = join(import.meta.dirname, 'page-build-main.ts');

/** Builds of this process: who asks while one is under way waits for it, and what may change outside is bundled once. */
const builds = new Map<string, Promise<string>>();

/**
 * The page with all frameworks whose packages are the project's own.
 *
 * @param root the project's folder
 * @returns the folder that holds the built page
 * @throws Vite's error, which names the file and the line
 */
export async function buildPage(root: string = PROJECT_ROOT): Promise<string> {
  const frameworks = (await discoverAll(root)).filter(isInCommonPage);
  const content: PageContent = {
    root,
    clients: clientsOf(frameworks),
    outside: null,
    scripts: true,
    workers: false,
  };
  return (await hasLinkedPackages(root)) ? buildAnew('page', content) : buildOnce(content);
}

/**
 * The page that the users of a framework open.
 *
 * @throws UserError if one from outside, or in another version, cannot be bundled; Vite's error if the project's own page cannot
 */
export async function buildPageOf(framework: Framework): Promise<string> {
  const { name, kind, root, about } = framework;
  const bundled = JSON.parse(process.env[BUNDLED_VARIABLE] || '{}') as Record<string, string>;
  if (bundled[name] !== undefined) return bundled[name];
  if (isInCommonPage(framework)) return buildPage(root);
  const workers = about.workers !== undefined;
  const content = { clients: clientsOf([framework]), scripts: false, workers };
  const building =
    kind === 'outside'
      ? buildAnew(name, { ...content, root: PROJECT_ROOT, outside: framework.root })
      : buildOnce({ ...content, root, outside: null });
  return building.catch((cause) => {
    throw new UserError(`the client of ${name} cannot be bundled for a page: ${messageOf(cause)}`, { cause });
  });
}

function isInCommonPage({ kind, about, packages, problem }: Framework): boolean {
  const isProjects = kind === 'project' && packages === null && about.workers === undefined;
  return isProjects && (about.hosted !== undefined || problem === null);
}

function clientsOf(frameworks: readonly Framework[]): Record<string, string> {
  const withClient = frameworks.filter(({ about }) => about.hosted === undefined);
  return Object.fromEntries(withClient.map(({ name, client }) => [name, client]));
}

/** For sources in the project and packages that do not change: an earlier build is still right. */
async function buildOnce(content: PageContent): Promise<string> {
  const built = join(pagesOf(content), await fingerprint(content));
  return once(built, async () => {
    await madeOnce(built, (partial) => bundle(content, partial));
    return built;
  });
}

/**
 * For sources that may change anywhere, as in a linked library. Each process bundles them, into a folder named after the
 * result. So nothing is stale, and a run has one page from its beginning to its end.
 */
function buildAnew(name: string, content: PageContent): Promise<string> {
  const pages = pagesOf(content);
  const label = join(pages, name);
  return once(label, () =>
    besidePlace(label, async (partial) => {
      await bundle(content, partial);
      const built = `${label}-${await digestOf(partial)}`;
      await putInPlace(partial, built);
      return built;
    }),
  );
}

function once(key: string, build: () => Promise<string>): Promise<string> {
  const building = builds.get(key) ?? build();
  builds.set(key, building);
  building.catch(() => builds.delete(key));
  return building;
}

function pagesOf({ root }: PageContent): string {
  return join(workFolderOf(root), 'page');
}

/** In a process of its own: a bundler keeps hundreds of MiB, and this one may coordinate trials. */
async function bundle(content: PageContent, folder: string): Promise<void> {
  await runCommand(nodeCommand(BUNDLER, JSON.stringify(content), folder));
}

/** The second is npm's list of what is installed, which may be other than the first says. */
const LOCKS = ['package-lock.json', 'node_modules/.package-lock.json'];

/** Changes with every source of the page, every package that npm installs, and the bundler. */
async function fingerprint({ root, clients, workers }: PageContent): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([Object.keys(clients), workers]));
  const sources = await Array.fromAsync(glob('editors/**/*.{ts,html,css}', { cwd: root }));
  const files = sources.filter((name) => !/\.(test|bench)\.ts$/.test(name)).sort();
  const locks = LOCKS.filter((file) => existsSync(join(root, file)));
  for (const file of [...files, ...locks]) hash.update(file).update(readFileSync(join(root, file)));
  return hash.update(readFileSync(BUNDLER)).digest('hex').slice(0, 16);
}

/** Digest of all files of a page. */
async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const files = await Array.fromAsync(glob('**/*.*', { cwd: folder }));
  for (const file of files.sort()) {
    if ((await lstat(join(folder, file))).isFile()) hash.update(file).update(await readFile(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** True if a package of the project is a link, as `npm link` makes it; no lock file knows its contents. */
async function hasLinkedPackages(root: string): Promise<boolean> {
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
  const areLinks = await Promise.all(
    Object.keys({ ...dependencies, ...devDependencies }).map((name) =>
      lstat(join(root, 'node_modules', name)).then(
        (found) => found.isSymbolicLink(),
        () => false,
      ),
    ),
  );
  return areLinks.includes(true);
}
