/** The runs that a cell of a page rests on: kept blocks of the campaign, or an older run as long as no block is kept. */
import { loadCampaign } from '../../harness/campaign/campaign.ts';
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
}

/** @param root another folder of kept runs, for tests */
export async function readData(root?: string): Promise<Data> {
  const [places, { parts }] = await Promise.all([readPlaces(root), loadCampaign(CAMPAIGN, { isDry: true })]);
  return { places, wanted: new Map(parts.map(({ name, blocks }) => [name, blocks])) };
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
