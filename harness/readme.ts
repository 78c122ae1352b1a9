/** `npm run readme`: writes the generated parts of README.md anew. A test sees to it that they are not out of date. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { discoverFrameworks } from './frameworks/discover.ts';
import { frameworksMarkdown } from './frameworks/framework-tables.ts';
import { PROJECT_ROOT } from './project.ts';

const README = join(PROJECT_ROOT, 'README.md');
const START = '<!-- frameworks: written by npm run readme -->\n';
const END = '<!-- end of frameworks -->';

/**
 * The README with its framework table as it must be now.
 *
 * @throws Error where the README has no place for the table
 */
export async function currentReadme(): Promise<{ written: string; wanted: string }> {
  const written = await readFile(README, 'utf8');
  const [from, to] = [written.indexOf(START), written.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`README.md must hold ${START.trim()} and ${END}`);
  const table = frameworksMarkdown(await discoverFrameworks());
  return { written, wanted: `${written.slice(0, from + START.length)}\n${table}\n\n${written.slice(to)}` };
}

if (import.meta.main) await writeFile(README, (await currentReadme()).wanted);
