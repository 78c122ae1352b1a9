/**
 * Blocks of a campaign as one run: the independent unit is the block, in which each cell ran once. A figure is the mean over
 * blocks, for latencies the geometric one, and its interval Student's t over blocks, where a run's cell pools samples.
 */
import type { DocumentCell, DocumentSummary } from '../../results/formats/documents.ts';
import type { CellSummary, Summary } from '../../results/formats/summary.ts';
import { naturally } from '../cell/cell.ts';
import { type CollectedFigure, collectCell, type JudgedTrial, poolFigures } from '../cell/collect-cell.ts';
import { CATALOGUES } from '../documents/table.ts';
import { SUMMARY_FIGURES } from '../figures/catalogue.ts';
import { nestFigures, valueAt } from '../figures/figure.ts';
import { roundAmount } from '../figures/figure-text.ts';
import { warnOfSpeeds } from '../figures/machine-speed.ts';
import { warnOfCode } from './measured-code.ts';

export type AnyRunSummary = Summary | DocumentSummary;
type AnyCell = CellSummary | DocumentCell;

/** One run folder of a block, summarised. */
export interface BlockSummary {
  /** From 1. */
  block: number;
  summary: AnyRunSummary;
}

/** A cell over blocks. */
export interface PooledCell {
  /** As `parametersOf` tells them. */
  parameters: Record<string, string | number>;
  /** As a cell of one run, but that its trials are blocks. */
  summary: AnyCell;
  /** By figure, what each block found, in the order of the blocks; null: no valid trial, or not measured. */
  replicates: Readonly<Record<string, readonly (number | null)[]>>;
}

export interface PooledBlocks {
  blocks: readonly BlockSummary[];
  /** In the order of their parameters: each block ran them in another one. */
  cells: PooledCell[];
  /** Sentences on code, and on machines' speeds, that differ. */
  beware: string[];
}

/** @param unordered all of the same entry of a campaign */
export function poolBlocks(unordered: readonly BlockSummary[]): PooledBlocks {
  const blocks = unordered.toSorted((a, b) => a.block - b.block);
  const [first] = blocks;
  if (first === undefined) return { blocks, cells: [], beware: [] };
  const figures = figuresOf(first.summary);
  const all = blocks.flatMap(({ block, summary }) =>
    summary.cells.map((cell) => ({ block, cell, parameters: parametersOf(cell, summary) })),
  );
  const ranTogether = [...Map.groupBy(all, ({ parameters }) => JSON.stringify(parameters)).values()];
  return {
    blocks,
    cells: ranTogether.toSorted(byParameters).map((ran) => ({
      parameters: ran[0]!.parameters,
      summary: poolCell(ran, figures),
      replicates: Object.fromEntries(
        figures.map(({ name }) => [
          name,
          blocks.map(({ block }) => {
            const cell = ran.find((each) => each.block === block)?.cell;
            return cell?.validTrials ? valueAt(cell, name) : null;
          }),
        ]),
      ),
    })),
    beware: [
      ...warnOfCode(blocks.map(({ block, summary }) => ({ name: `block ${block}`, environment: summary.environment }))),
      ...warnOfSpeeds(
        blocks.map(({ block, summary }) => ({ name: `block ${block}`, cells: summary.cells })),
        { isOneMachine: false },
      ),
    ],
  };
}

type Ran = readonly { parameters: PooledCell['parameters'] }[];

function byParameters([a]: Ran, [b]: Ran): number {
  return naturally(Object.values(a!.parameters).join(' '), Object.values(b!.parameters).join(' '));
}

/** The parameters that tell a run's cells apart, by name. */
function parametersOf(cell: object, summary: AnyRunSummary): Record<string, string | number> {
  const names =
    'scenario' in summary
      ? CATALOGUES[summary.scenario].parameters.map(({ name }) => name)
      : ['framework', 'mode', 'users'];
  const values = cell as Record<string, string | number | undefined>;
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
}

/** Counts add up, extremes stay extremes; anything else has a centre. */
function figuresOf(summary: AnyRunSummary): CollectedFigure[] {
  if ('scenario' in summary) {
    return CATALOGUES[summary.scenario].figures.map(({ name, scale }) => centred(name, scale));
  }
  return SUMMARY_FIGURES.map(({ name, scale, source: { pooled } }) => {
    if (pooled === 'sum' || pooled === 'count') return { name, scale, source: { pooled: 'sum', column: name } };
    if (pooled === 'least' || pooled === 'greatest') return { name, scale, source: { pooled, column: name } };
    return centred(name, scale);
  });
}

function centred(name: string, scale: CollectedFigure['scale']): CollectedFigure {
  return { name, scale, source: { pooled: scale === 'log' ? 'geometric mean' : 'mean', column: name } };
}

function poolCell(ran: readonly { block: number; cell: AnyCell }[], figures: CollectedFigure[]): AnyCell {
  const trials = ran.map(({ block, cell }) => asTrial(block, cell, figures));
  const valid = trials.flatMap((trial) => trial.figures ?? []);
  const terms = { intervals: figures, round: (value: number) => roundAmount(value)!, namesTrials: true };
  const pooled = Object.entries(poolFigures(valid, { figures, round: roundAmount }));
  const newest = ran.at(-1)!.cell;
  const isOfTyping = 'framework' in newest && 'mode' in newest;
  const inAll = (name: 'fullyFunctional' | 'smooth' | 'converged') => {
    const values = ran.map(({ cell }) => (cell as CellSummary)[name]);
    return values.includes(false) ? false : values.includes(null) ? null : true;
  };
  return {
    ...newest,
    ...collectCell(trials, terms),
    // Of documents, names with a dot are no paths.
    ...(isOfTyping ? nestFigures(pooled) : Object.fromEntries(pooled)),
    ...('fullyFunctional' in newest && {
      ...{ fullyFunctional: inAll('fullyFunctional'), smooth: inAll('smooth'), converged: inAll('converged') },
    }),
  } as AnyCell;
}

/** A block's cell as a trial of the campaign's. Its own interval, over one trial, is none. */
function asTrial(block: number, cell: AnyCell, figures: readonly CollectedFigure[]): JudgedTrial {
  const { verdict, messages, version } = cell;
  const columns = Object.fromEntries(figures.map(({ name }) => [name, valueAt(cell, name)]));
  return {
    trial: block,
    verdict: verdict === 'partly valid' ? 'valid' : verdict,
    messages,
    converged: null,
    version: version === 'unknown' ? null : version,
    isShortOfCores: false,
    figures: cell.validTrials === 0 ? null : { columns, samples: {}, buckets: [], faults: [], curves: {} },
  };
}
