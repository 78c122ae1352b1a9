/** Reads a packed file that may be anybody's: its size, depth and number of values are bounded before anything looks at them. */
import { gunzipSync } from 'node:zlib';
import { readBoundedFile } from '../../results/formats/bounded-file.ts';

/** The largest run kept so far has 0.3 MB, 24 thousand values, and a depth of 7. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_VALUES = 100_000;
const MOST_DEPTH = 32;

/** Each value but the first has one of them before it; those in texts count too, and are few. */
const [LIST, OBJECT, COMMA] = Buffer.from('[{,');

/** @throws Error if it is no gzipped JSON, or too large, or has a name that every object has */
export async function readBoundedJson(path: string): Promise<unknown> {
  return parseBoundedJson(gunzipSync(await readBoundedFile(path, MOST_BYTES), { maxOutputLength: MOST_BYTES }));
}

/** The same of what is to be packed. @throws Error if it could not be read again */
export function parseBoundedJson(text: Uint8Array): unknown {
  if (text.length > MOST_BYTES) throw new Error(`it has ${text.length} bytes, ${MOST_BYTES} at most`);
  let values = 0;
  for (const byte of text) if (byte === LIST || byte === OBJECT || byte === COMMA) values++;
  if (values > MOST_VALUES) throw new Error(`it has more than ${MOST_VALUES} values`);
  const value: unknown = JSON.parse(Buffer.from(text).toString());
  requirePlain(value);
  return value;
}

function requirePlain(value: unknown): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_DEPTH) throw new Error(`it is more than ${MOST_DEPTH} levels deep`);
    level = level.flatMap((each) => {
      if (typeof each !== 'object' || each === null) return [];
      const special = Object.keys(each).find((name) => name in Object.prototype);
      if (special !== undefined) throw new Error(`it has a property named ${special}`);
      return Object.values(each);
    });
  }
}
