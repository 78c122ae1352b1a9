/** Where a run takes place: what a reader must know to judge its figures, or to repeat them. */
import { readFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { chromeVersion, findChrome } from '../../infra/local/chrome.ts';
import { PROJECT_ROOT } from '../project.ts';

/** The content of `environment.json`. */
export interface Environment {
  scriptorium: string;
  node: string;
  chrome: string;
  os: string;
  cpu: string;
  cores: number;
  memoryMiB: number;
  fleet: string;
  /** What the fleet lets the server and each process of users have, by mode; null where it sets no limits. */
  limits: Record<string, unknown> | null;
  /** Every package that the project itself asks for, with the version that the lock file gives it. */
  packages: Record<string, string>;
}

/** @param place.chrome the version of the users' Chrome; null: this machine's */
export async function describeEnvironment(
  place: Pick<Environment, 'fleet' | 'limits'> & { chrome: string | null },
): Promise<Environment> {
  const lock: LockFile = JSON.parse(await readFile(join(PROJECT_ROOT, 'package-lock.json'), 'utf8'));
  const root = lock.packages['']!;
  const names = Object.keys({ ...root.dependencies, ...root.devDependencies }).sort();
  const cores = cpus();
  return {
    scriptorium: root.version!,
    node: process.version,
    chrome: place.chrome ?? (await chromeVersion(await findChrome())),
    os: `${type()} ${release()}`,
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryMiB: Math.round(totalmem() / 2 ** 20),
    fleet: place.fleet,
    limits: place.limits,
    packages: Object.fromEntries(
      names.map((name) => [name, lock.packages[`node_modules/${name}`]?.version ?? 'missing']),
    ),
  };
}

interface LockFile {
  packages: Record<
    string,
    { version?: string; dependencies?: Record<string, string>; devDependencies?: Record<string, string> }
  >;
}
