/**
 * Blocks of a campaign as one run: the independent unit is the block, in which each cell ran once. A figure is the mean over
 * blocks, for latencies the geometric one, and its interval Student's t over blocks, where a run's cell pools samples.
 */
import type { Parameters } from '../../results/formats/documents.ts';
import type { Rung } from '../../results/formats/run-directory.ts';
import { centreCurve } from '../cell/cells.ts';
import { type CollectedFigure, collectCell, type JudgedTrial } from '../cell/collect-cell.ts';
import type { MeasuredFigure } from '../figures/figure.ts';
import { roundAmount } from '../figures/figure-text.ts';
import { warnOfSpeeds } from '../figures/machine-speed.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { type Cell, type MeasuredRun, naturally } from '../scenarios/cell.ts';
import { allHold } from '../statistics/quantile.ts';
import { warnOfCode } from './measured-code.ts';

/** One run folder of a block, summarised; of a ladder all of its rungs. */
export interface BlockSummary {
  /** From 1. */
  block: number;
  summary: MeasuredRun;
  /** Of a ladder. */
  rungs?: readonly Rung[];
}

export interface PooledCell {
  parameters: Parameters;
  /** As a cell of one run, but that its trials are blocks. */
  cell: Cell;
  /** By figure, what each block found, in the order of the blocks; null: no valid trial, or not measured. */
  replicates: Readonly<Record<string, readonly (number | null)[]>>;
}

export interface PooledBlocks {
  blocks: readonly BlockSummary[];
  /** In the order of their parameters: each block ran them in another one. */
  cells: PooledCell[];
  /** Sentences on code, and on machines' speeds, that differ. */
  beware: string[];
  areSpeedsAlike: boolean;
}

/** @param unordered all of the same entry of a campaign */
export function poolBlocks(unordered: readonly BlockSummary[]): PooledBlocks {
  const blocks = unordered.toSorted((a, b) => a.block - b.block);
  const [first] = blocks;
  if (first === undefined) return { blocks, cells: [], beware: [], areSpeedsAlike: true };
  const all = blocks.flatMap(({ block, summary }) => summary.cells.map((cell) => ({ block, cell })));
  const figures = SCENARIOS[first.summary.scenario].figures
    .filter(({ name, isSeldom }) => isSeldom !== true || all.some(({ cell }) => name in cell.figures))
    .map(ofBlocks);
  const speeds = warnOfSpeeds(
    blocks.map(({ block, summary }) => ({ name: `block ${block}`, cells: summary.cells })),
    { isOneMachine: false },
  );
  const ranTogether = [...Map.groupBy(all, ({ cell }) => JSON.stringify(cell.parameters)).values()];
  return {
    blocks,
    cells: ranTogether.toSorted(byParameters).map((ran) => ({
      parameters: ran[0]!.cell.parameters,
      cell: poolCell(ran, figures),
      replicates: Object.fromEntries(
        figures.map(({ name }) => [
          name,
          blocks.map(({ block }) => {
            const cell = ran.find((each) => each.block === block)?.cell;
            return cell?.validTrials ? (cell.figures[name] ?? null) : null;
          }),
        ]),
      ),
    })),
    beware: [
      ...warnOfCode(blocks.map(({ block, summary }) => ({ name: `block ${block}`, environment: summary.environment }))),
      ...speeds,
    ],
    areSpeedsAlike: speeds.length === 0,
  };
}

type Ran = readonly { block: number; cell: Cell }[];

function byParameters([a]: Ran, [b]: Ran): number {
  const [first, second] = [a, b].map((ran) => Object.values(ran!.cell.parameters).join(' '));
  return naturally(first!, second!);
}

/** Counts add up, extremes stay extremes; anything else has a centre, and so an interval. */
function ofBlocks({ name, scale, isSeldom, source: { pooled } }: MeasuredFigure): CollectedFigure {
  const figure = { name, scale, isSeldom };
  if (pooled === 'sum' || pooled === 'count') return { ...figure, source: { pooled: 'sum', column: name } };
  if (pooled === 'least' || pooled === 'greatest') return { ...figure, source: { pooled, column: name } };
  return { ...figure, source: { pooled: scale === 'log' ? 'geometric mean' : 'mean', column: name } };
}

function poolCell(ran: Ran, figures: readonly CollectedFigure[]): Cell {
  const trials = ran.map((each) => asTrial(each, figures));
  const inAll = (answer: 'fullyFunctional' | 'smooth' | 'converged') => allHold(ran.map(({ cell }) => cell[answer]));
  const valid = ran.flatMap(({ cell }) => (cell.validTrials > 0 ? [cell] : []));
  return {
    ...ran.at(-1)!.cell,
    ...collectCell(trials, { figures, withIntervals: figures, round: roundAmount, namesTrials: true }),
    fullyFunctional: inAll('fullyFunctional'),
    smooth: inAll('smooth'),
    converged: inAll('converged'),
    missedBounds: [...new Set(ran.flatMap(({ cell }) => cell.missedBounds))],
    // Nothing pools faults over blocks, and those of one block are not the campaign's.
    faults: valid.length === 1 ? valid[0]!.faults : [],
    curves: centreCurves(valid),
  };
}

/** Of each curve that a block has. */
function centreCurves(cells: readonly Cell[]): Cell['curves'] {
  const names = new Set(cells.flatMap(({ curves }) => Object.keys(curves)));
  return Object.fromEntries(
    [...names].map((name) => [name, centreCurve(cells.flatMap(({ curves }) => curves[name] ?? []))]),
  );
}

/** A block's cell as a trial of the campaign's. Its own interval, over one trial, is none. */
function asTrial({ block, cell }: Ran[number], figures: readonly CollectedFigure[]): JudgedTrial {
  const { verdict, messages, version } = cell;
  const columns = Object.fromEntries(figures.map(({ name }) => [name, cell.figures[name] ?? null]));
  return {
    trial: block,
    verdict: verdict === 'partly valid' ? 'valid' : verdict,
    messages: [...messages],
    converged: null,
    version: version === 'unknown' ? null : version,
    isShortOfCores: false,
    figures: cell.validTrials === 0 ? null : { columns, samples: {}, buckets: [], faults: [], curves: {} },
  };
}
