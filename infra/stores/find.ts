/** Which stores' programs this machine has. */
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { messageOf } from '../../results/user-error.ts';
import { runCommand } from '../process/child.ts';
import type { ProgramName } from './kind.ts';

interface Installation {
  label: string;
  /** In one folder, the one that keeps the documents first. */
  programs: readonly [string, ...string[]];
  /** Where packages put them, beside the path. */
  places: readonly string[];
  debian: string;
  brew: string;
}

const INSTALLATIONS: Readonly<Record<ProgramName, Installation>> = {
  postgres: {
    label: 'Postgres',
    programs: ['postgres', 'initdb'],
    // Debian puts them on no path, as several versions may be there.
    places: [
      '/usr/lib/postgresql/*/bin',
      '/usr/pgsql-*/bin',
      '/opt/homebrew/opt/postgresql@*/bin',
      '/usr/local/opt/postgresql@*/bin',
    ],
    debian: 'postgresql',
    brew: 'postgresql@17',
  },
  redis: {
    label: 'Redis',
    programs: ['redis-server'],
    places: ['/opt/homebrew/opt/redis/bin', '/usr/local/opt/redis/bin'],
    debian: 'redis-server',
    brew: 'redis',
  },
};

const VERSION_LIMIT_MS = 10_000;

/** `problem`: in a sentence, what is missing, and how to have it. */
export type FoundProgram = { path: string; version: string } | { problem: string };

/** @param folders where to look, in this order; by default the path, then the places of packages, newest first */
export async function findStoreProgram(name: ProgramName, folders = foldersOf(name)): Promise<FoundProgram> {
  const { label, programs, debian, brew } = INSTALLATIONS[name];
  const folder = folders.find((candidate) => programs.every((program) => existsSync(join(candidate, program))));
  const remedy = `on Debian or Ubuntu: apt-get install ${debian}; on macOS: brew install ${brew}`;
  if (folder === undefined) return { problem: `${label} is not installed (no ${programs.join(' and ')}); ${remedy}` };
  const path = join(folder, programs[0]);
  try {
    const [version = 'unknown'] =
      /\d+(\.\d+)*/.exec(await runCommand([path, '--version'], { limitMs: VERSION_LIMIT_MS })) ?? [];
    return { path, version };
  } catch (error) {
    return { problem: `${path} does not run (${messageOf(error)}); install it again, ${remedy}` };
  }
}

function foldersOf(name: ProgramName): string[] {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const newestFirst = globSync([...INSTALLATIONS[name].places]).sort((one, other) =>
    other.localeCompare(one, 'en', { numeric: true }),
  );
  return [...onPath, ...newestFirst];
}
