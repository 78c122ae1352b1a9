/** Rounds of the bench of crowds: what they are, how they are kept, and if a crowd's figures are equivalent to those of live users. */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { areEquivalent, type Equivalence } from '../../analysis/statistics/welch.ts';
import type { MachineEnvironment } from '../../harness/machine/environment.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { writeFileAtomically } from '../../results/formats/write-file.ts';

export const ARMS = ['live', 'crowd', 'slow crowd'] as const;
export type Arm = (typeof ARMS)[number];
/** The same users, keys and seed, once in each arm. */
export type Round = Record<Arm, CellSummary>;

export interface KeptRounds {
  startedAt: string;
  environment: Pick<MachineEnvironment, 'cpu' | 'cores'>;
  framework: string;
  mode: string;
  users: number;
  probes: number;
  /** True where senders gather edits. */
  batched: boolean;
  warmUp: string;
  measure: string;
  rounds: Round[];
}

interface BenchFigure {
  name: string;
  live: (cell: CellSummary) => number | null;
  /** Among probes and a crowd; as `live` unless given. */
  crowd?: (cell: CellSummary) => number | null;
  /** The ratio lies within 1 ÷ (1 + it) and 1 + it. */
  bound: number;
}

const endToEnd = (cell: CellSummary) => cell.endToEndLatencyMs.p50;
export const BENCH_FIGURES: readonly BenchFigure[] = [
  { name: 'server, KiB/s received', live: (cell) => cell.serverNetworkKiBps.received, bound: 0.02 },
  { name: 'server, KiB/s sent', live: (cell) => cell.serverNetworkKiBps.sent, bound: 0.02 },
  { name: 'server CPU', live: (cell) => cell.serverCpuPercent, bound: 0.05 },
  { name: 'end to end, among probes', live: endToEnd, crowd: (cell) => cell.endToEndAmongProbesMs.p50, bound: 0.1 },
  { name: 'end to end, from the crowd', live: endToEnd, crowd: (cell) => cell.endToEndFromCrowdMs.p50, bound: 0.1 },
  { name: 'local latency', live: (cell) => cell.localLatencyMs.p50, bound: 0.1 },
  { name: 'saved state', live: (cell) => cell.savedStateKiB, bound: 0.05 },
  { name: 'sigils broken', live: (cell) => cell.sigilsBrokenPercent, bound: 0.05 },
];

export interface ComparedFigure extends Pick<BenchFigure, 'name' | 'bound'> {
  /** Rounds in which both trials were valid. */
  pairs: number;
  /** Means over them; null if there are none, or one lacks the figure. */
  live: number | null;
  crowd: number | null;
  /** Null if there are fewer than two pairs, or one lacks the figure. */
  found: Equivalence | null;
}

/** @returns each figure of `arm` beside the one of all live, in the order of `BENCH_FIGURES` */
export function compareRounds(rounds: readonly Round[], arm: Arm): ComparedFigure[] {
  const valid = rounds.filter((round) => round.live.verdict === 'valid' && round[arm].verdict === 'valid');
  return BENCH_FIGURES.map(({ name, live, crowd = live, bound }) => {
    const [ofLive, ofCrowd] = [valid.map((round) => live(round.live)), valid.map((round) => crowd(round[arm]))];
    const pairs = ofLive.map((figure, index): [number, number] => [figure ?? Number.NaN, ofCrowd[index] ?? Number.NaN]);
    const found = areEquivalent(pairs, bound);
    return { name, bound, pairs: pairs.length, live: meanOf(ofLive), crowd: meanOf(ofCrowd), found };
  });
}

/** Null if there are none, or one is missing. */
function meanOf(figures: readonly (number | null)[]): number | null {
  if (figures.length === 0 || figures.includes(null)) return null;
  return figures.reduce<number>((sum, figure) => sum + figure!, 0) / figures.length;
}

const folderOf = (root: string) => join(root, 'results/measured/crowd-bench');

/** Keeps the summaries of all trials of a cell. @param root of the project */
export async function keepRounds(kept: KeptRounds, root: string = PROJECT_ROOT): Promise<void> {
  const { startedAt, framework, mode, batched } = kept;
  const name = [startedAt.slice(0, 16).replace(':', ''), framework, mode, ...(batched ? ['batched'] : [])];
  await mkdir(folderOf(root), { recursive: true });
  const content = gzipSync(JSON.stringify({ schemaVersion: 1, ...kept }));
  await writeFileAtomically(join(folderOf(root), `${name.join('-')}.json.gz`), content);
}

/** The kept ones, the oldest first; none where none is kept. */
export async function readKeptRounds(root: string = PROJECT_ROOT): Promise<KeptRounds[]> {
  const folder = folderOf(root);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return await Promise.all(
    names.sort().map(async (name) => JSON.parse(gunzipSync(await readFile(join(folder, name))).toString())),
  );
}
