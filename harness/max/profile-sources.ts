/** The source file of a function in a CPU profile: of the bundled page by its source maps, of Node by its path. */
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type CpuProfile,
  type ProfileShares,
  parseProfile,
  profileShares,
} from '../../analysis/trial/profile-shares.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';

type Place = CpuProfile['nodes'][number]['callFrame'];

/**
 * The shares of the users' profiles that a trial left; those that no source is known of, as where the page was built
 * from other sources since, are left out.
 *
 * @param pageFolder the built page, which holds its scripts' source maps
 */
export async function userProfilesOf(trialDirectory: string, pageFolder: string): Promise<ProfileShares[]> {
  const folder = join(trialDirectory, 'profiles');
  if (!existsSync(folder)) return [];
  const names = await Array.fromAsync(glob('user-*.cpuprofile', { cwd: folder }));
  const shares: ProfileShares[] = [];
  for (const name of names.sort()) {
    const profile = parseProfile(await readFile(join(folder, name), 'utf8'));
    const sourceOf = await sourcesOf(profile, pageFolder);
    const isKnown = profile.nodes.some(({ callFrame }) => sourceOf(callFrame) !== null);
    const share = isKnown ? profileShares(profile, sourceOf) : null;
    if (share !== null) shares.push(share);
  }
  return shares;
}

/** Looks up the functions of one profile. */
async function sourcesOf(profile: CpuProfile, pageFolder: string): Promise<(place: Place) => string | null> {
  const maps = new Map<string, SourceMap>();
  for (const url of new Set(profile.nodes.map(({ callFrame }) => callFrame.url))) {
    const path = join(pageFolder, 'assets', `${basename(url)}.map`);
    if (/^https?:/.test(url) && existsSync(path))
      maps.set(url, new SourceMap(JSON.parse(await readFile(path, 'utf8'))));
  }
  return ({ url, lineNumber, columnNumber }) => {
    // A project may lie below a folder called node_modules; its files are still the project's.
    if (url.startsWith('file:')) return relative(PROJECT_ROOT, fileURLToPath(url)).replaceAll('\\', '/');
    const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
    return entry !== undefined && 'originalSource' in entry ? (entry.originalSource ?? null) : null;
  };
}
