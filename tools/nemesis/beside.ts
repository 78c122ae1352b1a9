/** Deeds of people beside a run: they pull into its checkout, install its packages, and run something in a container that shares its folders. */
import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Child, nodeCommand, runTool } from '../../infra/process/child.ts';
import { PROJECT_ROOT, WORK_FOLDER, workFolderOf } from '../../infra/project.ts';
import { git } from '../../infra/worktree.ts';

const PACKAGES = 'node_modules';
const LIST = '.package-lock.json';
/** Of two commits, by their tags. */
const [BEGUN, PULLED] = ['begun', 'pulled'] as const;
/** Each trial starts it anew, and neither page nor recording is made of it. */
const CHANGED = 'harness/users/main.ts';

/** Copies the project as it lies in its folder, with a commit that can be pulled. Rejects if this machine cannot. */
export async function makeCheckout(folder: string): Promise<void> {
  const copy = 'git -C "$0" ls-files -coz --exclude-standard | tar -C "$0" --null -cT - | tar -xC "$1"';
  const commit = async (tag: string) => {
    await git(folder, 'add', '--all');
    const author = ['-c', 'user.name=nemesis', '-c', 'user.email=nemesis@localhost', '-c', 'commit.gpgSign=false'];
    await git(folder, ...author, '-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--message', tag);
    await git(folder, 'tag', tag);
  };
  await mkdir(folder);
  await runTool(['sh', '-c', copy, PROJECT_ROOT, folder]);
  await git(folder, 'init', '--quiet');
  await commit(BEGUN);
  await appendFile(join(folder, CHANGED), '// Pulled.\n');
  await commit(PULLED);
  await undoPull(folder);
  await copyPackages(folder);
  await runTool(['ln', '-sfn', WORK_FOLDER, workFolderOf(folder)]);
}

/** By links, which take no time and no place; but npm writes its list anew. */
async function copyPackages(folder: string): Promise<void> {
  const [from, to] = [join(PROJECT_ROOT, PACKAGES), join(folder, PACKAGES)];
  // Not what a run of the tests caches there: its files come and go.
  const packages = (await readdir(from)).filter((name) => !/^\.vite/.test(name));
  await mkdir(to, { recursive: true });
  await runTool(['cp', '-al', ...packages.map((name) => join(from, name)), to]);
  await runTool(['cp', '--remove-destination', join(from, LIST), join(to, LIST)]);
}

export async function pull(folder: string): Promise<void> {
  await git(folder, 'pull', '--quiet', '--ff-only', '.', PULLED);
}

export async function undoPull(folder: string): Promise<void> {
  await git(folder, 'reset', '--quiet', '--hard', BEGUN);
}

/** As `npm ci` does it: what is there goes first. */
export async function replacePackages(folder: string): Promise<void> {
  await runTool(['rm', '-r', join(folder, PACKAGES)]);
  await copyPackages(folder);
}

/** Where no process of this machine is seen, as in a container. */
const NAMESPACE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];
const LIMIT_MS = 60_000;

/** Rejects if this machine or account has none. */
export function tryNamespace(): Promise<string> {
  return runTool([...NAMESPACE, 'true']);
}

/**
 * Tries to go on with a run of others from elsewhere, then makes one of its own beside it, with the same temporary files and cache.
 *
 * @returns how both ended
 */
export async function runElsewhere(places: { experiment: string; run: string; temporary: string }) {
  const own = join(places.temporary, '../beside.yaml');
  const small = { name: 'beside', scenario: 'state', engines: ['string'], trials: 1, warmUps: 0, repetitions: 1 };
  await writeFile(own, JSON.stringify(small));
  const start = (...args: string[]) => {
    const command = [...NAMESPACE, ...nodeCommand('cli/main.ts', 'run', ...args)];
    const environment = { ...process.env, TMPDIR: places.temporary };
    return new Child({ command, environment, folder: PROJECT_ROOT, limitMs: LIMIT_MS }).ended;
  };
  return {
    same: await start(places.experiment, '--out', places.run, '--resume'),
    other: await start(own, '--out', join(places.temporary, `../beside-${performance.now()}`)),
  };
}
