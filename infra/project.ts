/** Where this project lies, and where it keeps what it can make again. */
import { join } from 'node:path';

export const PROJECT_ROOT: string = join(import.meta.dirname, '..');

/** Node, Chrome, the built page: made by the launcher and the harness, ignored by git, safe to delete. */
export const WORK_FOLDER: string = workFolderOf(PROJECT_ROOT);

/** The same of another checkout of the project. */
export function workFolderOf(root: string): string {
  return join(root, '.scriptorium');
}
