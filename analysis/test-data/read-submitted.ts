/** Reads submitted files in a process of its own, so that its memory is theirs: `node read-submitted.ts FILE...`. */
import { existsSync, readFileSync } from 'node:fs';
import { UserError } from '../../results/user-error.ts';
import { collectSite } from '../site/collect-site.ts';
import { readSubmitted } from '../site/submission.ts';
import { SITE_SURROUNDINGS } from './site-surroundings.ts';

export interface ReadFile {
  path: string;
  /** Of the error; null: it was accepted. */
  message: string | null;
  /** False: a person would see a stack. */
  isTold: boolean;
  /** Commands that the site would offer for it. */
  commands: string[];
}

const files: ReadFile[] = [];
for (const path of process.argv.slice(2)) {
  try {
    const kept = await readSubmitted(path);
    const { rows, runs } = collectSite([{ name: 'x', kept, isSubmitted: true }], SITE_SURROUNDINGS);
    const commands = [...rows.map(({ flags }) => flags), ...runs.map(({ campaign }) => campaign ?? '')];
    files.push({ path, message: null, isTold: true, commands: [...new Set(commands)] });
  } catch (error) {
    files.push({ path, message: String(error), isTold: error instanceof UserError, commands: [] });
  }
}
// The system's own `maxRSS` begins with that of the process which started this one.
const peak = existsSync('/proc/self/status') && /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
const mostMiB = Number(peak || process.resourceUsage().maxRSS) / 1024;
console.log(JSON.stringify({ files, mostMiB }));
