/** How many worlds an hour one core plays, what takes the time, and what worlds find within a time. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, keepBench, readBenches } from '../../analysis/site/kept-runs.ts';
import { OWNERS, type ProfileShares, parseProfile, profileShares } from '../../analysis/trial/profile-shares.ts';
import { keepFinding } from '../../cli/explore-command.ts';
import { outputDirectory } from '../../cli/watched-run.ts';
import { admitAll } from '../../frameworks/admit.ts';
import type { WorldSize } from '../../frameworks/explore/draw.ts';
import { explore, type WorldFinding } from '../../frameworks/explore/explore.ts';
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

type KeptRow = Bench['rows'][number];

const WORLDS = 'explore-worlds';
const WORLDS_COLUMNS = [
  'framework',
  'version',
  'minutes',
  'worlds',
  'steps',
  'messages',
  'hours',
  'repeat',
  'known',
  'found',
  'day',
];

/**
 * Explores frameworks for a time each, on all cores, from the first seed. Findings are told as they come, and written to a folder.
 *
 * @param options.keep writes each row into the bench `explore-worlds` as soon as it is measured, in the place of its framework's
 * @returns the table: worlds, steps and messages in thousands, hours of virtual time, and how many worlds failed by known issues
 */
export async function benchWorlds(options: {
  frameworks: readonly string[];
  forMs: number;
  keep: boolean;
}): Promise<string> {
  const say = (text: string) => console.error(text);
  const folder = await outputDirectory('explore', undefined);
  const findings: WorldFinding[] = [];
  const minutes = options.forMs / 60_000;
  const today = new Date().toISOString().slice(0, 10);
  const rows: KeptRow[] = [];
  for (const framework of await admitAll(options.frameworks, { from: process.cwd(), say })) {
    const { worlds, steps, messages, virtualMs, repeats, known, ...explored } = await explore(framework, {
      ...{ seed: SEED, forMs: options.forMs, say, signal: new AbortController().signal },
      onFinding: (finding) => keepFinding(finding, { folder, kept: findings }),
    });
    if (explored.why !== null) throw new Error(`${framework.name} is not explored: ${explored.why}`);
    const thousands = [worlds, steps, messages].map((count) => Math.round(count / 100) / 10);
    const knownWorlds = [...known.values()].reduce((sum, count) => sum + count, 0);
    const figures = [...thousands, Math.round(virtualMs / 3_600_000), `${repeats.same} of ${repeats.tried}`];
    const failed = [knownWorlds, explored.findings.length];
    const row = [`\`${framework.name}\``, framework.version, minutes, ...figures, ...failed, today];
    rows.push(row);
    if (options.keep) await keepWorlds(row);
  }
  return alignTable([WORLDS_COLUMNS, ...rows.map((row) => row.map(String))]);
}

async function keepWorlds(row: KeptRow): Promise<void> {
  const kept = (await readBenches()).find(({ name }) => name === WORLDS);
  const others = (kept?.rows ?? []).filter(([framework]) => framework !== row[0]);
  const rows = [...others, row].sort(([one], [other]) => String(one).localeCompare(String(other)));
  const machine = `${cpus().length} cores of ${cpus()[0]!.model}, from seed ${SEED}`;
  const measured = `${machine}; worlds, steps and messages in thousands, hours of virtual time; the last`;
  await keepBench({ name: WORLDS, measured, columns: WORLDS_COLUMNS, rows });
}
