/**
 * Python for servers that are written in it. Each framework's packages, those of `servers/<name>/requirements.txt`, are in an
 * environment of their own below the project's work folder: whole, or not there; safe to delete.
 */

import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../infra/process/child.ts';
import { madeOnce } from '../infra/process/made-once.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { shortDigestOf } from '../results/formats/digest.ts';
import { Unavailable } from '../results/user-error.ts';

const PACKAGES_PROGRAM = join(import.meta.dirname, 'python-packages.py');
/** The list of packages that were there after the installation. */
const INSTALLED_FILE = 'installed.json';

/**
 * The Python that a framework's server runs with.
 *
 * @returns the path of its program
 * @throws UserError (exit code 3) if its packages are not installed
 */
export function pythonOf(framework: string): string {
  const folder = environmentFolder(framework);
  if (existsSync(folder)) return programIn(folder);
  throw new Unavailable(
    `the Python packages of ${framework} are not installed on this machine; "./scriptorium check ${framework}" installs them`,
  );
}

/** The Python and the packages of a framework's server, so that a run can be repeated; null if they are not installed. */
export async function describePython(
  framework: string,
  root: string = PROJECT_ROOT,
): Promise<{ python: string; packages: Record<string, string> } | null> {
  const text = await readFile(join(environmentFolder(framework, root), INSTALLED_FILE), 'utf8').catch(() => null);
  if (text === null) return null;
  const { python, packages } = JSON.parse(text) as { python: string; packages: Record<string, string> };
  return { python, packages };
}

/** True if a framework's packages are as they were installed. @param root the project's folder */
export async function hasPackages(framework: string, root: string = PROJECT_ROOT): Promise<boolean> {
  return isIntact(environmentFolder(framework, root));
}

/**
 * Sees to it that a framework's packages are as they were installed. If they are not, pip installs them by exact version and
 * digest, from PyPI or the index that pip is set to.
 *
 * @param options.least the oldest Python that will do
 * @param options.say   gets a sentence if something is installed
 * @throws UserError (exit code 3) if there is no such Python, or they cannot be installed; the signal's reason
 */
export async function readyPackages(options: {
  framework: string;
  least: string;
  root?: string;
  say: (text: string) => void;
  signal?: AbortSignal;
}): Promise<void> {
  const { framework, least, root = PROJECT_ROOT, say, signal } = options;
  const folder = environmentFolder(framework, root);
  // Asked first: one that is there later is another process's, which uses it by then.
  const wasThere = existsSync(folder);
  if (await isIntact(folder)) return;
  const found = await findPython(least);
  if ('problem' in found) {
    throw new Unavailable(`${framework} needs Python ${least} or newer: ${found.problem}`);
  }
  if (wasThere) {
    say(`The Python packages of ${framework} are not as they were installed, so they are installed anew`);
    await rm(folder, { recursive: true, force: true });
  }
  say(`Installing the Python packages of ${framework} into .scriptorium/python (once)`);
  await install({ framework, folder, requirements: requirementsOf(framework, root), signal });
}

async function install(options: {
  framework: string;
  folder: string;
  requirements: string;
  signal?: AbortSignal;
}): Promise<void> {
  const { framework, folder, requirements, signal } = options;
  try {
    await madeOnce(folder, (partial) => fill(partial, requirements, signal));
  } catch (cause) {
    signal?.throwIfAborted();
    const why = (cause as Error).message.trim().split('\n').at(-1);
    throw new Unavailable(
      `the Python packages of ${framework} could not be installed (${why}); make sure that pip reaches PyPI, and try again, or leave ${framework} out`,
      { cause },
    );
  }
}

async function fill(partial: string, requirements: string, signal?: AbortSignal): Promise<void> {
  await runTool(['python3', '-m', 'venv', partial], { signal });
  // Programs that are there as such, and nothing but what stands in the file.
  const only = ['--require-hashes', '--no-deps', '--only-binary', ':all:'];
  const quietly = ['--quiet', '--no-input', '--disable-pip-version-check'];
  await runTool([programIn(partial), '-m', 'pip', 'install', ...only, ...quietly, '-r', requirements], { signal });
  await writeFile(join(partial, INSTALLED_FILE), await describePackages(partial));
}

async function isIntact(folder: string): Promise<boolean> {
  try {
    return (await readFile(join(folder, INSTALLED_FILE), 'utf8')) === (await describePackages(folder));
  } catch {
    return false; // Nothing is there, or no Python that runs.
  }
}

/** @throws Error if a file of a package is not what was installed */
async function describePackages(folder: string): Promise<string> {
  const described = await runTool([programIn(folder), '-I', PACKAGES_PROGRAM]);
  const { altered } = JSON.parse(described) as { altered: string[] };
  if (altered.length > 0) throw new Error(`not as it was installed: ${altered[0]}`);
  return described;
}

function programIn(folder: string): string {
  return join(folder, 'bin/python3');
}

function requirementsOf(framework: string, root: string): string {
  return join(root, 'servers', framework, 'requirements.txt');
}

/** Named after what is asked for, so that another version of the project has another. */
function environmentFolder(framework: string, root: string = PROJECT_ROOT): string {
  const digest = shortDigestOf(readFileSync(requirementsOf(framework, root)));
  return join(root, '.scriptorium/python', `${framework}-${digest}`);
}

/** It begins at once; one that takes this long hangs. */
const ANSWER_LIMIT_MS = 10_000;
const ADVICE = 'install it (Debian, Ubuntu: apt-get install python3 python3-venv; macOS: brew install python)';
/** Debian has what makes environments in a package of its own. */
const ASK = `
import sys
print(sys.version.split()[0])
import ensurepip, venv`;

/**
 * Asks `python3` for its version, and whether it can make environments.
 *
 * @param least the oldest that will do, such as `3.10`
 * @returns its version, or why there is none that will do, with what to do
 */
export async function findPython(least: string): Promise<{ version: string } | { problem: string }> {
  let version: string;
  try {
    version = await runTool(['python3', '-I', '-c', ASK], { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { problem: `there is no python3 on this machine; ${ADVICE}` };
    const lastWords = message.trim().split('\n').at(-1);
    return { problem: `the python3 of this machine cannot make environments (${lastWords}); ${ADVICE}` };
  }
  const isOlder = version.localeCompare(least, 'en', { numeric: true }) < 0;
  if (isOlder) return { problem: `the python3 of this machine is ${version}; install a newer one` };
  return { version };
}
