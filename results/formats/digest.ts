/** Digests of content, and the order of its parts: the same on every machine. */
import { createHash } from 'node:crypto';

/** SHA-256 as 64 hexadecimal digits. */
export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The first 64 bits of the SHA-256, for names of folders: enough that no two share one by chance. */
export function shortDigestOf(content: string | Uint8Array): string {
  return sha256Of(content).slice(0, 16);
}

/** Order of entries by name, by their code units, so that no locale changes a digest. */
export function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
