/** Refusals of a file system, in words. */
import { dirname } from 'node:path';
import { messageOf } from './user-error.ts';

interface Problem {
  /** To follow the path. */
  what: string;
  advice: string;
  exitCode: 2 | 3;
}

const NOT_A_FOLDER: Problem = { what: 'it is a file, or lies below one', advice: 'give a folder', exitCode: 2 };
const DENIED: Problem = {
  what: 'this account has no right to it',
  advice: 'change its permissions, or give another place',
  exitCode: 3,
};

const PROBLEMS: Readonly<Record<string, Problem>> = {
  EACCES: DENIED,
  EPERM: DENIED,
  EROFS: { what: 'its file system is read-only', advice: 'make it writable, or give another place', exitCode: 3 },
  ENOTDIR: NOT_A_FOLDER,
  EEXIST: NOT_A_FOLDER,
  EISDIR: { what: 'it is a folder', advice: 'give a file', exitCode: 2 },
  ENAMETOOLONG: { what: 'its name is too long', advice: 'give a shorter one', exitCode: 2 },
};

/** Problems that end when somebody mends the disk. */
const DISK_PROBLEMS: Readonly<Record<string, { what: string; advice: string }>> = {
  ENOSPC: { what: 'the disk is full', advice: 'free some space' },
  EDQUOT: { what: 'this account’s share of the disk is used up', advice: 'free some space' },
  EIO: { what: 'the disk failed to read or write', advice: 'look into the system’s log' },
};

/** Why a place cannot be used, to follow its name; null if the error is none of a file system. */
export function fileReason(error: unknown): string | null {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'ENOENT' && syscall === 'mkdir') return 'no folder can be made there';
  return (PROBLEMS[code] ?? DISK_PROBLEMS[code])?.what ?? null;
}

/** Why a file could not be read, to follow its name. */
export function readingProblem(error: unknown): string {
  const isMissing = ((error ?? {}) as NodeJS.ErrnoException).code === 'ENOENT';
  return isMissing ? 'there is no such file' : (fileReason(error) ?? messageOf(error));
}

/**
 * @param place the file or folder that could not be written
 * @param again the next step once the disk is mended
 * @returns a sentence; null if the error is none of the disk
 */
export function diskProblem(error: unknown, place?: string, again = 'give the command again'): string | null {
  const disk = DISK_PROBLEMS[((error ?? {}) as NodeJS.ErrnoException).code ?? ''];
  return disk === undefined ? null : `${place ?? 'a file'}: ${disk.what}; ${disk.advice}, then ${again}`;
}

/**
 * @param options.again the next step once the disk is mended, such as "go on with --resume"
 * @returns a sentence that names the place, and the exit code; null if the error is none of a file system
 */
export function fileProblem(
  error: unknown,
  { again }: { again?: string } = {},
): { message: string; exitCode: 2 | 3 } | null {
  const { code = '', path, dest, syscall } = (error ?? {}) as NodeJS.ErrnoException & { dest?: string };
  const [what, place] = [fileReason(error), dest ?? path];
  const disk = diskProblem(error, place, again);
  if (disk !== null) return { message: disk, exitCode: 3 };
  if (syscall === 'mkdtemp' && path !== undefined) {
    const why = code === 'ENOENT' ? 'there is no such folder' : (what ?? code);
    const advice = 'set TMPDIR to a folder that is there and can be written to';
    return {
      message: `${dirname(path)}, the folder of temporary files, cannot be used: ${why}; ${advice}`,
      exitCode: 3,
    };
  }
  if (what === null || place === undefined) return null;
  const { advice, exitCode } = PROBLEMS[code] ?? NOT_A_FOLDER;
  return { message: `${place} cannot be used: ${what}; ${advice}`, exitCode };
}
