/**
 * Places of frameworks that no name alone leads to: the folders of those from outside, and the trees of those with packages of
 * their own. A process is told of them by the variables that it starts with, which stand here only, and tells those that it starts.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { workFolderOf } from '../infra/project.ts';
import { UserError } from '../results/user-error.ts';

/** Each holds folders by the names of their frameworks, as JSON. */
type Variable = 'SCRIPTORIUM_OUTSIDE' | 'SCRIPTORIUM_TREES';

type Folders = Readonly<Record<string, string>>;

function foldersIn(variable: Variable): Folders {
  return JSON.parse(process.env[variable] || '{}') as Folders;
}

function tell(variable: Variable, name: string, folder: string): void {
  process.env[variable] = JSON.stringify({ ...foldersIn(variable), [name]: folder });
}

/** The folder of each framework from outside that this process knows, by name. */
export function outsideFolders(): Folders {
  return foldersIn('SCRIPTORIUM_OUTSIDE');
}

/**
 * Makes a framework from outside known here, and to processes that are started from now on.
 *
 * @throws UserError (exit code 2) if another folder has the name
 */
export function knowOutside(name: string, folder: string): void {
  const other = outsideFolders()[name];
  if (other !== undefined && other !== folder) {
    throw new UserError(
      `two frameworks are named "${name}": ${other} and ${folder}; give one another name in its package.json, or rename its folder`,
    );
  }
  tell('SCRIPTORIUM_OUTSIDE', name, folder);
}

/** The tree of a framework; null if no process has said where it is, or another checkout of the project has. */
export function knownTree(name: string, root: string): string | null {
  const tree = foldersIn('SCRIPTORIUM_TREES')[name];
  return tree?.startsWith(join(workFolderOf(root), '/')) && existsSync(tree) ? tree : null;
}

/** Processes that are started from now on find the framework there by its name. */
export function knowTree(name: string, tree: string): void {
  tell('SCRIPTORIUM_TREES', name, tree);
}
