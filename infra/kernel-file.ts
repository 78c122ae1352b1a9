import { readFileSync } from 'node:fs';

/**
 * A file that the kernel makes, such as one of /proc or of a control group; null if there is none, or it is another account's.
 * Processes come and go while they are read. The kernel answers at once, and a thread pool would cost more.
 */
export function readKernelFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
