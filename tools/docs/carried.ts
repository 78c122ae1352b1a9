/** The README's table of the most people who were tried, its chart, and what other pages say of them. */
import { BUSY_MACHINE_PERCENT } from '../../analysis/figures/criterion.ts';
import { BUSY_MARK, NOTHING } from '../../analysis/figures/figure-text.ts';
import { markdownTable } from '../../analysis/tables/render.ts';
import { formatDuration } from '../../harness/experiment/units.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { type Basis, basisOf, between, blocksOf, type Data, readData, type Sources } from './basis.ts';
import { SERVERS } from './kept-tables.ts';
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

const CARRIED_HEADINGS = ['library', 'tier', 'tried', 'batch', 'latency, ms', 'CPU, %', 'n'];

/**
 * The README's table: the most people who were tried, and what they felt. Latency is what a person waits, with all that senders hold
 * back.
 *
 * @param root another folder of kept runs, for tests
 */
export async function carriedMarkdown(root?: string): Promise<string> {
  const data = await readData(root);
  const rows = Object.keys(CROWDS).map((framework) => {
    const basis = basisOf(amongMany(framework), data);
    const of = (figure: string, after = '') => {
      const mark = markOfCells(basis, figure, data);
      return basis.cells.length === 0 || mark === null ? NOTHING : meanOf(basis, figure, data) + after + mark;
    };
    const isBusy = basis.cells.some(({ fields }) => Number(fields.machineCpuPercent) > BUSY_MACHINE_PERCENT);
    return [
      String(basis.cells[0]?.fields.framework ?? framework),
      SERVERS[(basis.cells[0]?.fields.tier ?? 'unknown') as keyof typeof SERVERS],
      mostThatHeld(basis),
      batchOf(basis),
      ...[of('endToEndLatencyMs.p50', isBusy ? BUSY_MARK : ''), of('userCpuPercent')],
      blocksOf(basis).replace(' of ', '/'),
    ];
  });
  return markdownTable(CARRIED_HEADINGS, rows);
}

/** A chart of the most people who were tried here, and of the most who held in the paper, in Quill. */
export async function carriedChart(): Promise<string> {
  const data = await readData();
  const charted = Object.keys(CROWDS).filter((framework) => framework !== 'loro' && framework !== 'sharedb');
  const inPaper = (framework: string) => resultOf(`paper table3 ${framework} most-optquill`, data.places);
  const here = (framework: string) => mostThatHeld(basisOf({ older: `${GRID} ${framework}` }, data));
  return [
    '```mermaid',
    'xychart-beta',
    '  title "People in Quill: most tried here, all held (bars); most who held in the paper (line)"',
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
  const mark = markOfCells(basis, figure, data);
  return mark === null ? NOTHING : `${between(basis, figure, data)}${mark} with ${usersOf(basis)}`;
}

/** The mark of the cells' figure beside a played crowd, empty if it needs none; null if it may not be printed. */
function markOfCells({ cells }: Basis, figure: string, { markOf }: Data): string | null {
  const marks = cells.map(({ fields }) => markOf(fields as unknown as CellSummary, figure));
  return marks.includes(null) ? null : (marks.find(Boolean) ?? '');
}

/** How long senders gather edits, such as `1s`; `no` if that is no part of the latency. */
function batchOf({ cells }: Basis): string {
  const [first] = cells;
  if (first === undefined) return NOTHING;
  const { plan, users, endToEndLatencyMs, endToEndLessBatchMs } = first.fields as {
    plan: { batching?: { sendMs: number; sendFromUsers: number } };
    users: number;
    endToEndLatencyMs: { p50: number | null };
    endToEndLessBatchMs?: { p50: number | null };
  };
  const isBatched = plan.batching !== undefined && users >= plan.batching.sendFromUsers;
  const isPartOfLatency = (endToEndLatencyMs.p50 ?? 0) > (endToEndLessBatchMs?.p50 ?? Number.POSITIVE_INFINITY);
  return isBatched && isPartOfLatency ? formatDuration(plan.batching!.sendMs) : 'no';
}

/** Of blocks, the mean with its interval from three on, in two digits; of older runs, all values, such as `35–38`. */
function meanOf(basis: Basis, figure: string, data: Data): string {
  if (!basis.isOfBlocks) return between(basis, figure, data);
  const { ci95 } = basis.cells[0]!.fields as { ci95: Record<string, { low: number; high: number } | null> };
  const interval = ci95[figure];
  const twoDigits = (value: number) => String(Number(value.toPrecision(2)));
  const within = interval ? ` (${twoDigits(interval.low)}–${twoDigits(interval.high)})` : '';
  return twoDigits(resultOf(`${basis.words} ${figure}`, data.places)) + within;
}

/** The most that held, such as `112`, with a count that did not, such as `96; not 112`; where trials do not tell, `16 ?`. */
export function mostThatHeld({ cells }: Basis): string {
  const [held, missed, open] = [true, false, null].map((is) =>
    cells.filter(({ fields }) => fields.fullyFunctional === is).map(({ fields }) => Number(fields.users)),
  );
  const most = held!.length === 0 ? [] : [String(Math.max(...held!))];
  const told = [...most, ...(missed!.length === 0 ? [] : [`not ${Math.min(...missed!)}`])];
  if (told.length === 0 && open!.length > 0) return `${Math.max(...open!)} ?`;
  return told.join('; ') || NOTHING;
}
