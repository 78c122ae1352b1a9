/** What this process has handed to the system to write since it began, in all its threads. */
import { readFileSync } from 'node:fs';

/** @returns bytes; null where the system does not say */
export function writtenBytes(path = '/proc/self/io'): number | null {
  let counts: string;
  try {
    counts = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const { bytes } = /^wchar: (?<bytes>\d+)$/m.exec(counts)?.groups ?? {};
  return bytes === undefined ? null : Number(bytes);
}
