/** The ready-made experiments, files of `harness/experiments/`: each is found by its name from any folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { didYouMean } from '../../results/nearest.ts';
import { UserError } from '../../results/user-error.ts';

const FOLDER = resolve(import.meta.dirname, '../experiments');
const ENDING = '.yaml';

/** Names in alphabetic order. */
export function readyMadeNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => basename(file, ENDING))
    .toSorted();
}

export function readyMadePath(name: string): string {
  return join(FOLDER, `${name}${ENDING}`);
}

/** @param written a file, or the name of a ready-made experiment. @throws UserError (2) if it is neither */
export function experimentPath(written: string): string {
  if (written === '-' || existsSync(written)) return written;
  const names = readyMadeNames();
  const name = basename(written, ENDING);
  const meant = didYouMean(basename(written, extname(written)), names);
  if (names.includes(name) && (name === written || written.endsWith(`harness/experiments/${name}${ENDING}`))) {
    return readyMadePath(name);
  }
  throw new UserError(
    `there is no experiment "${written}"${meant}; give a YAML file, or a name that ./scriptorium list --experiments shows`,
  );
}

/** The first sentence of the file's comment. */
export function describeReadyMade(name: string): string {
  const lines = readFileSync(readyMadePath(name), 'utf8').split('\n');
  const comment = lines.slice(
    1,
    lines.findIndex((line) => line !== '' && !line.startsWith('#')),
  );
  const text = comment
    .map((line) => line.replace(/^#\s*/, ''))
    .join(' ')
    .trim();
  return /^.*?[.?:](?= |$)/.exec(text.replace(/\s+/g, ' '))?.[0].replace(/[.:]$/, '') ?? text;
}
