/** The script of a page, with all that it imports, as one text. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { remembered } from '../remembered.ts';

/** In a process of its own: a bundler keeps hundreds of MiB, and the process that asks may coordinate trials. */
const BUNDLER = join(import.meta.dirname, 'bundle-main.ts');
/** Larger than any page's script. */
const LARGEST_SCRIPT_BYTES = 2 ** 26;

/** Those under way: who asks while one is waits for it. */
const underWay = new Map<string, Promise<string>>();

/**
 * @param entry the path of the page's `.ts` file
 * @returns     minified JavaScript that may stand inside `<script>`
 * @throws Vite's error, which names the file and the line
 */
export async function bundleScript(entry: string): Promise<string> {
  const known = remembered.scripts.get(entry);
  if (known !== undefined) return known;
  const building = underWay.get(entry) ?? build(entry).finally(() => underWay.delete(entry));
  underWay.set(entry, building);
  const script = await building;
  remembered.scripts.set(entry, script);
  return script;
}

async function build(entry: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [BUNDLER, entry], { maxBuffer: LARGEST_SCRIPT_BYTES });
  return stdout;
}
