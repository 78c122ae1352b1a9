/** Where this project lies, and where it keeps what it can make again. */
import { join } from 'node:path';

export const PROJECT_ROOT: string = join(import.meta.dirname, '..');

/** Node, Chrome, the built page: made by the launcher and the harness, ignored by git, safe to delete. */
export const WORK_FOLDER: string = join(PROJECT_ROOT, '.scriptorium');
