/** A commit of a git repository in a temporary folder of its own, which git knows of until it is removed. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROCESS_NAME, processName } from '../results/run-folder/process-name.ts';
import { runTool } from './process/child.ts';
import { removeOrphans } from './process/made-once.ts';

/** Named after its process, so that a later one can tell whether it is still needed. */
const PREFIX = 'scriptorium-base-';
const ORPHAN = new RegExp(`^${PREFIX}${PROCESS_NAME}-`);

interface Worktree {
  root: string;
  /** Safe to call twice. */
  release(): Promise<void>;
}

/** @throws Error with git's words if it cannot be made; then nothing is left of it */
export async function openWorktree(repository: string, commit: string): Promise<Worktree> {
  // A process that was killed could not remove its own.
  await removeOrphans(tmpdir(), ORPHAN, { remove: (orphan) => remove(repository, orphan) });
  const parent = await mkdtemp(join(tmpdir(), `${PREFIX}${processName()}-`));
  const root = join(parent, 'project');
  const release = () => remove(repository, parent);
  try {
    await git(repository, '-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--detach', root, commit);
  } catch (error) {
    await release();
    throw error;
  }
  return { root, release };
}

async function remove(repository: string, parent: string): Promise<void> {
  const root = join(parent, 'project');
  // If git did not come to know the worktree, there is only the folder.
  if (existsSync(root)) await git(repository, 'worktree', 'remove', '--force', root).catch(() => {});
  await rm(parent, { recursive: true, force: true, maxRetries: 3 });
}

/** The full name of a commit. @throws Error if git knows none of that name */
export function commitNamed(repository: string, named: string): Promise<string> {
  return git(repository, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${named}^{commit}`);
}

/** @returns its output, trimmed. @throws Error with its last words */
export function git(root: string, ...args: string[]): Promise<string> {
  return runTool(['git', '-C', root, ...args]);
}
