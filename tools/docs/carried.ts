/** The README's table of the most people who held, its chart, and what other pages say of them. */
import { BUSY_MACHINE_PERCENT } from '../../analysis/figures/criterion.ts';
import { BUSY_MARK, NOTHING } from '../../analysis/figures/figure-text.ts';
import { markdownTable } from '../../analysis/tables/render.ts';
import { type Basis, basisOf, between, blocksOf, type Data, numberText, readData, type Sources } from './basis.ts';
import { resultOf } from './tied-figures.ts';

const GRID = 'paper-on-one-machine optquill';
/** Of each framework of the grid, its cell in the campaign's crowds. */
const CROWDS: Readonly<Record<string, string>> = {
  yjs: 'hundred-crdts yjs',
  collabs: 'hundred-crdts collabs',
  'collabs-novc': 'hundred-crdts collabs-novc',
  sharedb: 'hundred-sharedb sharedb-stock',
  automerge: 'hundred-automerge automerge',
  loro: 'hundred-loro loro',
};

const CARRIED_HEADINGS = ['library', 'people', 'with', 'latency, ms', 'page’s CPU, %', 'blocks'];

/**
 * The README's table: the most people who held, and what they felt.
 *
 * @param root another folder of kept runs, for tests
 */
export async function carriedMarkdown(root?: string): Promise<string> {
  const data = await readData(root);
  const rows = Object.keys(CROWDS).map((framework) => {
    const basis = basisOf(amongMany(framework), data);
    const of = (figure: string) => (basis.cells.length === 0 ? NOTHING : meanOf(basis, figure, data));
    const isBusy = basis.cells.some(({ fields }) => Number(fields.machineCpuPercent) > BUSY_MACHINE_PERCENT);
    return [
      `\`${basis.cells[0]?.fields.framework ?? framework}\``,
      mostThatHeld(basisOf(peopleWhoHeld(framework), data)),
      usersOf(basis),
      ...[`${of(latencyOf(basis))}${isBusy ? BUSY_MARK : ''}`, of('userCpuPercent')],
      blocksOf(basis),
    ];
  });
  return markdownTable(CARRIED_HEADINGS, rows);
}

/** A chart of the most people who held here, and of the paper's, in Quill. */
export async function carriedChart(): Promise<string> {
  const data = await readData();
  const charted = Object.keys(CROWDS).filter((framework) => framework !== 'loro' && framework !== 'sharedb');
  const inPaper = (framework: string) => resultOf(`paper table3 ${framework} most-optquill`, data.places);
  const here = (framework: string) => mostThatHeld(basisOf({ older: `${GRID} ${framework}` }, data));
  return [
    '```mermaid',
    'xychart-beta',
    '  title "Most people who held, in Quill: here (bars), in the paper (line)"',
    `  x-axis [${charted.map((framework) => `"${framework}"`).join(', ')}]`,
    '  y-axis "people" 0 --> 120',
    `  bar [${charted.map(here).join(', ')}]`,
    `  line [${charted.map(inPaper).join(', ')}]`,
    '```',
  ].join('\n');
}

/** Of a framework of the grid, the most people who held. */
export function peopleWhoHeld(framework: string): Sources {
  return { blocks: CROWDS[framework]!, older: `${GRID} ${framework}` };
}

/** The grid's 48 people are the most that all but Loro carried. */
export function amongMany(framework: string): Sources {
  return {
    blocks: CROWDS[framework]!,
    ...(framework !== 'loro' && { older: `${GRID} users=48 ${framework}` }),
  };
}

function usersOf({ cells }: Basis): string {
  return [...new Set(cells.map(({ fields }) => String(fields.users)))].join(', ') || NOTHING;
}

/** Such as `41 with 112`. */
export function amongText(basis: Basis, figure: string, data: Data): string {
  return `${between(basis, figure, data)} with ${usersOf(basis)}`;
}

/** Less the batch in which senders hold their edits, where that is known. */
function latencyOf({ cells }: Basis): string {
  const less = cells.map(({ fields }) => (fields.endToEndLessBatchMs as { p50: number | null } | undefined)?.p50);
  return less.every((p50) => typeof p50 === 'number') ? 'endToEndLessBatchMs.p50' : 'endToEndLatencyMs.p50';
}

/** Of blocks, the mean with its interval from three on; of older runs, all values, such as `35–38`. */
function meanOf(basis: Basis, figure: string, data: Data): string {
  if (!basis.isOfBlocks) return between(basis, figure, data);
  const { ci95 } = basis.cells[0]!.fields as { ci95: Record<string, { low: number; high: number } | null> };
  const interval = ci95[figure];
  const within = interval ? ` (${numberText(interval.low)}–${numberText(interval.high)})` : '';
  return numberText(resultOf(`${basis.words} ${figure}`, data.places)) + within;
}

/** Such as `96; not 112`; where trials do not tell, `16 ?`. */
export function mostThatHeld({ cells }: Basis): string {
  const [held, missed, open] = [true, false, null].map((is) =>
    cells.filter(({ fields }) => fields.fullyFunctional === is).map(({ fields }) => Number(fields.users)),
  );
  const most = held!.length === 0 ? [] : [String(Math.max(...held!))];
  const told = [...most, ...(missed!.length === 0 ? [] : [`not ${Math.min(...missed!)}`])];
  if (told.length === 0 && open!.length > 0) return `${Math.max(...open!)} ?`;
  return told.join('; ') || NOTHING;
}
