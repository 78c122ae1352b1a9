/** The runs that a cell of a page rests on: kept blocks of the campaign, or an older run as long as no block is kept. */
import { formatRatio, pairedRatio } from '../../analysis/campaign/paired-blocks.ts';
import { type PooledCell, poolBlocks } from '../../analysis/campaign/pool-blocks.ts';
import { NOTHING } from '../../analysis/figures/figure-text.ts';
import { keptNames, readKept } from '../../analysis/site/kept-runs.ts';
import { loadCampaign } from '../../harness/campaign/campaign.ts';
import { crowdMarks } from './kept-tables.ts';
import { type Place, readPlaces } from './places.ts';
import { resultOf } from './tied-figures.ts';

export const CAMPAIGN = 'first-question';

/** Words of one cell, as those of `tied-figures.ts`. */
export interface Sources {
  /** Without the campaign's name: `hundred-crdts yjs`; absent if the campaign does not measure the cell. */
  blocks?: string;
  /** Of runs before the campaign; absent if there were none. */
  older?: string;
}

export interface Basis {
  /** Empty if nothing was measured. */
  words: string;
  cells: readonly Place[];
  isOfBlocks: boolean;
  /** Valid blocks, and how many the campaign wants: 0 if it does not measure the cell. */
  kept: number;
  needed: number;
}

export interface Data {
  places: readonly Place[];
  /** By part of the campaign, how many blocks a cell needs. */
  wanted: ReadonlyMap<string, number>;
  /** Blocks of the campaign's comparisons, by experiment. */
  compared: ReadonlyMap<string, readonly PooledCell[]>;
  /** Stands behind a cell's figure beside a played crowd. */
  markOf: Awaited<ReturnType<typeof crowdMarks>>;
}

/** @param root another folder of kept runs, for tests */
export async function readData(root?: string): Promise<Data> {
  const [places, { parts }, names] = await Promise.all([
    readPlaces(root),
    loadCampaign(CAMPAIGN, { isDry: true }),
    keptNames(root),
  ]);
  const comparisons = names.filter((name) => name.includes(`-${CAMPAIGN}-comparison-`));
  const kept = await Promise.all(comparisons.map((name) => readKept(name, root)));
  const runs = Map.groupBy(kept, ({ summary }) => summary.experiment);
  const compared = [...runs].map(([experiment, blocks]) => {
    const { cells } = poolBlocks(blocks.map(({ summary }, index) => ({ block: index + 1, summary })));
    return [experiment, cells] as const;
  });
  return {
    places,
    wanted: new Map(parts.map(({ name, blocks }) => [name, blocks])),
    compared: new Map(compared),
    markOf: await crowdMarks(root),
  };
}

/** A figure of a cell ÷ that of another framework, block by block; such as `1.12 (1.05–1.20)`. */
export function ratioTo(reference: string, { words }: Basis, figure: string, { compared }: Data): string {
  const [experiment = '', mode, framework] = words.split(' ');
  const of = (name = '') =>
    compared.get(experiment)?.find(({ parameters }) => parameters.framework === name && parameters.mode === mode);
  const [cell, base] = [of(framework), of(reference)];
  return cell === undefined || base === undefined || cell === base
    ? NOTHING
    : formatRatio(pairedRatio(base, cell, figure));
}

/** Blocks count once one of them is valid: older runs are no blocks, and never pooled with them. */
export function basisOf({ blocks, older = '' }: Sources, { places, wanted }: Data): Basis {
  const before = { words: older, cells: cellsOf(older, places), isOfBlocks: false, kept: 0, needed: 0 };
  if (blocks === undefined) return before;
  const words = `${CAMPAIGN}-${blocks}`;
  const cells = cellsOf(words, places);
  const kept = Math.min(...(cells.length === 0 ? [0] : cells.map(({ fields }) => Number(fields.validTrials))));
  const needed = wanted.get(blocks.split('-')[0]!)!;
  return kept === 0 ? { ...before, needed } : { words, cells, isOfBlocks: true, kept, needed };
}

/** Cells that have all words, one of which names their run. */
function cellsOf(words: string, places: readonly Place[]): Place[] {
  const [run, ...others] = words.split(' ');
  return places.filter(({ runs, words: own }) => runs.includes(run!) && others.every((word) => own.has(word)));
}

/** Least and greatest of a figure over a basis' cells, such as `35–38`. */
export function between({ words }: Basis, figure: string, { places }: Data): string {
  const [least, greatest] = ['least', 'greatest'].map((which) =>
    numberText(resultOf(`${words} ${figure} ${which}`, places)),
  );
  return least === greatest ? least! : `${least}–${greatest}`;
}

/** With two digits that count, or as a whole number. */
export function numberText(value: number): string {
  return value >= 10 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
}

/** Such as `1 of 5`, or `5` if no block lacks. */
export function blocksOf({ kept, needed }: Basis): string {
  return kept < needed ? `${kept} of ${needed}` : String(kept);
}
