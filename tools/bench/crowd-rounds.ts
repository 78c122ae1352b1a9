/** Rounds of the bench of crowds: what they are, how they are kept, and if a crowd's figures are equivalent to those of live users. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { MachineEnvironment } from '../../harness/machine/environment.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { writeFileAtomically } from '../../results/formats/write-file.ts';
import { type BenchFigure, type Compared, compareFigures, type RoundOf, type Shown } from './rounds.ts';

/** Probes among users who are live in Node, or among a played crowd. */
export const ARMS = ['live crowd', 'crowd'] as const;
/** The same users, keys and seed, once in each arm. */
export type Round = RoundOf<(typeof ARMS)[number]>;

export interface KeptRounds {
  startedAt: string;
  environment: Pick<MachineEnvironment, 'cpu' | 'cores'>;
  framework: string;
  mode: string;
  users: number;
  probes: number;
  /** True where senders gather edits. */
  batched: boolean;
  /** How users pause. */
  rhythm: string;
  warmUp: string;
  measure: string;
  rounds: Round[];
}

interface CrowdFigure extends BenchFigure {
  /** Figures of tables that stand on it, as the catalogue names them. */
  carries: readonly string[];
}

export const BENCH_FIGURES: readonly CrowdFigure[] = [
  figure('server, KiB/s received', 0.02, ['serverNetworkKiBps.received'], (cell) => cell.serverNetworkKiBps.received),
  figure('server, KiB/s sent', 0.02, ['serverNetworkKiBps.sent'], (cell) => cell.serverNetworkKiBps.sent),
  figure('server CPU', 0.05, ['serverCpuPercent'], (cell) => cell.serverCpuPercent),
  figure('page CPU', 0.1, ['userCpuPercent'], (cell) => cell.userCpuPercent),
  figure('page’s heap', 0.1, ['userHeapMiB'], (cell) => cell.userHeapMiB),
  figure('end to end, among probes', 0.1, ['endToEndAmongProbesMs.p50'], (cell) => cell.endToEndAmongProbesMs.p50),
  figure(
    'end to end, from the crowd',
    0.1,
    ['endToEndLatencyMs.p50', 'endToEndLessBatchMs.p50'],
    (cell) => cell.endToEndFromCrowdMs.p50,
  ),
  figure('local latency', 0.1, ['localLatencyMs.p50'], (cell) => cell.localLatencyMs.p50),
  figure('saved state', 0.05, ['savedStateKiB'], (cell) => cell.savedStateKiB),
  figure('sigils broken', 0.05, ['sigilsBrokenPercent'], (cell) => cell.sigilsBrokenPercent),
];

function figure(name: string, bound: number, carries: readonly string[], of: BenchFigure['of']): CrowdFigure {
  return { name, bound, carries, of };
}

export type ComparedFigure = Compared<CrowdFigure>;

/** @returns each figure, in the order of `BENCH_FIGURES` */
export function compareRounds(rounds: readonly Round[]): ComparedFigure[] {
  return compareFigures(BENCH_FIGURES, rounds, ARMS);
}

const folderOf = (root: string) => join(root, 'results/measured/crowd-bench');

/** Keeps the summaries of all trials of a cell. @param root of the project */
export async function keepRounds(kept: KeptRounds, root: string = PROJECT_ROOT): Promise<void> {
  const { startedAt, framework, mode, batched, rhythm } = kept;
  const name = [startedAt.slice(0, 16).replace(':', ''), framework, mode, ...(batched ? ['batched'] : []), rhythm];
  await mkdir(folderOf(root), { recursive: true });
  const content = gzipSync(JSON.stringify({ schemaVersion: 1, ...kept }));
  await writeFileAtomically(join(folderOf(root), `${name.join('-')}.json.gz`), content);
}

/** The kept ones, the oldest first; none where none is kept. */
export async function readKeptRounds(root: string = PROJECT_ROOT): Promise<KeptRounds[]> {
  const folder = folderOf(root);
  const names = existsSync(folder) ? await readdir(folder) : [];
  return await Promise.all(
    names.sort().map(async (name) => JSON.parse(gunzipSync(await readFile(join(folder, name))).toString())),
  );
}

/**
 * For each figure that a table may show of a framework beside a played crowd, if it was shown to equal the one beside live users: by
 * the newest rounds in each way of measuring, all of which must say so.
 *
 * @returns asked by a framework's name and a figure's, as the catalogue has it
 */
export async function shownToBeEqual(root?: string): Promise<(framework: string, figure: string) => Shown> {
  const kept = await readKeptRounds(root);
  const newest = new Map(kept.map((each) => [[each.framework, each.mode, each.batched, each.rhythm].join(), each]));
  return (framework, figure) => {
    const ofFramework = [...newest.values()].filter((each) => each.framework === framework);
    const words = ofFramework.map(
      ({ rounds }) => compareRounds(rounds).find(({ carries }) => carries.includes(figure))?.shown,
    );
    if (words.includes('not equal')) return 'not equal';
    return words.length > 0 && words.every((word) => word === 'equal') ? 'equal' : 'not known';
  };
}
