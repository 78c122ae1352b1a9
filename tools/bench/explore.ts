/** How many worlds an hour one core plays, what takes the time, and what worlds find within a time. */
import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { type Bench, keepBench, readBenches } from '../../analysis/site/kept-runs.ts';
import { OWNERS, type ProfileShares, parseProfile, profileShares } from '../../analysis/trial/profile-shares.ts';
import { keepFinding } from '../../cli/explore-command.ts';
import { say } from '../../cli/terminal.ts';
import { outputDirectory } from '../../cli/watched-run.ts';
import { admitAll } from '../../frameworks/admit.ts';
import type { WorldSize } from '../../frameworks/explore/draw.ts';
import { type Explored, type ExploreOptions, explore, type WorldFinding } from '../../frameworks/explore/explore.ts';
import { temporaryFolder } from '../../infra/process/made-once.ts';
import { alignTable } from '../../results/text-table.ts';

const SIZES: Readonly<Record<string, WorldSize>> = { small: { users: 3, edits: 57 }, large: { users: 4, edits: 100 } };
const SEED = 1;
const HEADINGS = ['framework', 'size', 'worlds', 'an hour', 'steps', 'messages', 'known', 'found'];

/** V8's profiler takes time itself, so it looks at worlds that are played for a part of the time once more. */
const PROFILED_SHARE = 1 / 4;

/** @returns a table: the shares are % of the core's time */
export async function benchExplore(options: { frameworks: readonly string[]; forMs: number }): Promise<string> {
  const { frameworks, forMs } = options;
  const rows = [[...HEADINGS, ...OWNERS]];
  for (const framework of await admitAll(frameworks, { from: process.cwd(), say })) {
    for (const [name, size] of Object.entries(SIZES)) {
      await using folder = await temporaryFolder('explore-bench');
      const play = (of: Pick<ExploreOptions, 'forMs' | 'nodeOptions' | 'onFinding'>) =>
        explore(framework, { seed: SEED, size, processes: 1, say, signal: new AbortController().signal, ...of });
      const onFinding = async ({ broken }: WorldFinding) =>
        say(`${framework.name}: ${broken.invariant}: ${broken.text}`);
      const { worlds, steps, messages, tookMs, known, findings } = await play({ forMs, onFinding });
      await play({
        forMs: PROFILED_SHARE * forMs,
        nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder.path}`],
        onFinding: async () => {},
      });
      const shares = await sharesIn(folder.path);
      const perWorld = [(3_600_000 * worlds) / tookMs, steps / worlds, messages / worlds];
      const figures = [worlds, ...perWorld, countOf(known), findings.length];
      const percents = OWNERS.map((owner) => shares?.percentOf[owner] ?? Number.NaN);
      rows.push([framework.name, name, ...[...figures, ...percents].map((figure) => figure.toFixed(0))]);
    }
  }
  return alignTable(rows);
}

/** Worlds that failed by known issues. */
function countOf(known: Explored['known']): number {
  return [...known.values()].reduce((sum, count) => sum + count, 0);
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
/** From `seeds`, those that were given out, to `found` the figures of a version's runs add up. */
const WORLDS_COLUMNS = [
  'framework',
  'version',
  'seeds',
  'minutes',
  'worlds',
  'steps',
  'messages',
  'hours',
  'repeated',
  'alike',
  'known',
  'found',
  'day',
];
const SEEDS_AT = WORLDS_COLUMNS.indexOf('seeds');

/**
 * Explores frameworks for a time each, on all cores that the process may use. Findings are told as they come, and written to a folder.
 *
 * @param options.keep adds what was found to the row of the framework's version in the bench `explore-worlds`, as soon as it is known; the
 *                     seed is then the first that this row does not have, so that an hour may be gathered in pieces
 * @returns the table of the rows: minutes of a core, worlds, steps and messages in thousands, hours of virtual time, worlds that were
 *          played twice and how many of them went alike, and how many failed by known issues and by others
 */
export async function benchWorlds(options: {
  frameworks: readonly string[];
  forMs: number;
  keep: boolean;
}): Promise<string> {
  const folder = await outputDirectory('explore', undefined);
  const findings: WorldFinding[] = [];
  const day = new Date().toISOString().slice(0, 10);
  const rows: KeptRow[] = [];
  for (const framework of await admitAll(options.frameworks, { from: process.cwd(), say })) {
    const { name, version } = framework;
    const before = options.keep
      ? (await keptRows()).find((row) => row[0] === quoted(name) && row[1] === version)
      : undefined;
    const seeds = Number(before?.[SEEDS_AT] ?? 0);
    const { worlds, steps, messages, virtualMs, repeats, known, nextSeed, ...explored } = await explore(framework, {
      ...{ seed: seeds + 1, forMs: options.forMs, say, signal: new AbortController().signal },
      onFinding: (finding) => keepFinding(finding, { folder, kept: findings }),
    });
    if (explored.why !== null) throw new Error(`${name} is not explored: ${explored.why}`);
    const failed = [countOf(known), explored.findings.length];
    // Five findings end it early.
    const minutes = (explored.tookMs / 60_000) * availableParallelism();
    const figures = [worlds / 1000, steps / 1000, messages / 1000, virtualMs / 3_600_000, repeats.tried, repeats.same];
    const added = [nextSeed - (seeds + 1), minutes, ...figures, ...failed];
    const sums = added.map((value, at) => Math.round(10 * (Number(before?.[SEEDS_AT + at] ?? 0) + value)) / 10);
    const row = [quoted(name), version, ...sums, day];
    rows.push(row);
    if (options.keep) await keepWorlds(row);
  }
  return alignTable([WORLDS_COLUMNS, ...rows.map((row) => row.map(String))]);
}

function quoted(framework: string): string {
  return `\`${framework}\``;
}

async function keptRows(): Promise<readonly KeptRow[]> {
  return (await readBenches()).find(({ name }) => name === WORLDS)?.rows ?? [];
}

async function keepWorlds(row: KeptRow): Promise<void> {
  const others = (await keptRows()).filter(([framework]) => framework !== row[0]);
  const rows = [...others, row].sort(([one], [other]) => String(one).localeCompare(String(other)));
  const units = 'minutes of a core, worlds, steps and messages in thousands, hours of virtual time';
  await keepBench({
    ...{ name: WORLDS, columns: WORLDS_COLUMNS, rows },
    measured: `cores of ${cpus()[0]!.model} beside other work, from seed 1 on; ${units}; the last`,
  });
}
