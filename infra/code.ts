/** Which code of the project runs, and whether it is still the one that lies in its folder. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSource, PROJECT_ROOT, sourceFiles, sourceFingerprint } from './project.ts';
import { git } from './worktree.ts';

export interface Code {
  /** Null if the folder is no git repository. */
  commit: string | null;
  /** True if the sources that run are not the commit’s, whatever else in the folder is changed; null as `commit`. */
  changed: boolean | null;
  /** Fingerprint of the sources that run, independent of git. */
  sources: string;
}

interface Seen {
  code: Code;
  files: string[];
  /** Tells that no source changed, without reading one. */
  stamp: string;
}

/** The code of each folder when this process saw it first. */
const seen = new Map<string, Promise<Seen>>();

/** Describes a folder that holds the project; reads each source. */
export async function codeOf(root: string = PROJECT_ROOT): Promise<Code> {
  const looking = look(root);
  if (!seen.has(root)) seen.set(root, looking);
  return (await looking).code;
}

/** The same, with whether the sources are as this process saw them first: then none is read again. */
export async function codeNow(root: string = PROJECT_ROOT): Promise<Code & { isFirst: boolean }> {
  if (!seen.has(root)) seen.set(root, look(root));
  const first = await seen.get(root)!;
  if (stampOf(root, first.files) === first.stamp) return { ...first.code, isFirst: true };
  const code = await codeOf(root);
  return { ...code, isFirst: code.sources === first.code.sources };
}

async function look(root: string): Promise<Seen> {
  const files = await sourceFiles(root);
  const stamp = stampOf(root, files);
  const [sources, named] = await Promise.all([sourceFingerprint(root, files), commitOf(root)]);
  return { code: { ...named, sources }, files, stamp };
}

function stampOf(root: string, files: readonly string[]): string {
  const stats = files.map((file) => statSync(join(root, file), { throwIfNoEntry: false }));
  return stats.map((found) => (found === undefined ? 'gone' : `${found.mtimeMs} ${found.size} ${found.ino}`)).join();
}

const STATUS = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'];

/** An outer repository, that holds the project as a package, says nothing of it. */
async function commitOf(root: string): Promise<Pick<Code, 'commit' | 'changed'>> {
  if (!existsSync(join(root, '.git'))) return { commit: null, changed: null };
  return Promise.all([git(root, 'rev-parse', 'HEAD'), git(root, ...STATUS)]).then(
    // In an entry of the status, the path stands behind a letter or two.
    ([commit, changes]) => ({
      commit,
      changed: changes.split('\0').some((entry) => isSource(entry.replace(/^..? +/, ''))),
    }),
    () => ({ commit: null, changed: null }),
  );
}
