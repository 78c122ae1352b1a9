/** How many worlds an hour one core plays, and what takes the time. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWNERS, type ProfileShares, parseProfile, profileShares } from '../../analysis/trial/profile-shares.ts';
import { admitAll } from '../../frameworks/admit.ts';
import type { WorldSize } from '../../frameworks/explore/draw.ts';
import { explore } from '../../frameworks/explore/explore.ts';
import { alignTable } from '../../results/text-table.ts';

const SIZES: Readonly<Record<string, WorldSize>> = { small: { users: 3, edits: 57 }, large: { users: 4, edits: 100 } };
const SEED = 1;
const HEADINGS = ['framework', 'size', 'worlds', 'an hour', 'steps', 'messages', 'known', 'found'];

/** @returns a table: the shares are % of the core's time */
export async function benchExplore(options: { frameworks: readonly string[]; forMs: number }): Promise<string> {
  const { frameworks, forMs } = options;
  const say = (text: string) => console.error(text);
  const rows = [[...HEADINGS, ...OWNERS]];
  for (const framework of await admitAll(frameworks, { from: process.cwd(), say })) {
    for (const [name, size] of Object.entries(SIZES)) {
      const folder = await mkdtemp(join(tmpdir(), 'explore-bench-'));
      const { worlds, steps, messages, tookMs, known, findings } = await explore(framework, {
        ...{ seed: SEED, forMs, size, processes: 1, say, signal: new AbortController().signal },
        nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
        onFinding: async ({ broken }) => say(`${framework.name}: ${broken.invariant}: ${broken.text}`),
      });
      const shares = await sharesIn(folder);
      await rm(folder, { recursive: true });
      const knownWorlds = [...known.values()].reduce((sum, count) => sum + count, 0);
      const figures = [
        worlds,
        (3_600_000 * worlds) / tookMs,
        steps / worlds,
        messages / worlds,
        knownWorlds,
        findings.length,
      ];
      const percents = OWNERS.map((owner) => shares?.percentOf[owner] ?? Number.NaN);
      rows.push([framework.name, name, ...[...figures, ...percents].map((figure) => figure.toFixed(0))]);
    }
  }
  return alignTable(rows);
}

/** Of the longest profile: each process leaves one, and some only look into a finding. */
async function sharesIn(folder: string): Promise<ProfileShares | null> {
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const [longest] = texts.sort((one, other) => other.length - one.length);
  return longest === undefined
    ? null
    : profileShares(parseProfile(longest), ({ url }) => url.replace(/^file:\/\//, ''));
}
