import { expect, test } from 'vitest';
import { aboutCell, reasonsOf } from '../cell/messages.ts';
import type { Cell, TypingCell } from '../scenarios/cell.ts';
import { cellOf, runOf, writtenOf } from '../test-data/written-cell.ts';
import { type BlockSummary, poolBlocks } from './pool-blocks.ts';

const LOST = { ...aboutCell('user-lost', 'decides', 'user 3 was lost'), trials: [1] };

interface Found {
  serverCpuPercent?: number;
  p50?: number;
  isValid?: boolean;
  speed?: number;
  worstUserLongTaskPercent?: number;
}

function cell(
  framework: string,
  { serverCpuPercent = 1, p50 = 1, isValid = true, speed = 300, ...found }: Found,
): TypingCell {
  return cellOf({
    ...{ framework, tier: 'library', version: '1.2.3', mode: 'node', users: 2, trials: 1 },
    ...{ validTrials: isValid ? 1 : 0, failedTrials: 0, verdict: isValid ? 'valid' : 'invalid' },
    ...{ messages: isValid ? [] : [LOST], ci95: {}, fullyFunctional: true, smooth: true },
    ...{ serverCpuPercent, endToEndLatencyMs: { p50, p95: null, p99: null, samples: 10 }, converged: true },
    machineSpeed: { oneCore: speed, allCores: speed },
    ...found,
  });
}

function block(number: number, cells: TypingCell[], environment = {}): BlockSummary {
  return { block: number, summary: { ...runOf(...cells), environment } };
}

const intervalOf = ({ ci95 }: Cell, name: string) => ci95[name];

test('the mean is over blocks, the interval Student’s t over them, for latencies on the log scale', () => {
  const { cells } = poolBlocks([
    block(3, [cell('yjs', { serverCpuPercent: 6, p50: 100 })]),
    block(1, [cell('yjs', { serverCpuPercent: 2, p50: 1 })]),
    block(2, [cell('yjs', { serverCpuPercent: 4, p50: 10 })]),
  ]);
  const { cell: pooled, replicates } = cells[0]!;
  // Mean 4, standard deviation 2, t 4.303 of two degrees of freedom: 4 ± 4.303 · 2 / √3.
  expect(writtenOf(pooled)).toMatchObject({
    trials: 3,
    validTrials: 3,
    serverCpuPercent: 4,
    endToEndLatencyMs: { p50: 10 },
  });
  expect(intervalOf(pooled, 'serverCpuPercent')!.low).toBeCloseTo(-0.968, 2);
  expect(intervalOf(pooled, 'serverCpuPercent')!.high).toBeCloseTo(8.968, 2);
  // Of the decadic logarithms 0, 1, 2: 1 ± 4.303 / √3.
  expect(Math.log10(intervalOf(pooled, 'endToEndLatencyMs.p50')!.low)).toBeCloseTo(-1.484, 2);
  expect(Math.log10(intervalOf(pooled, 'endToEndLatencyMs.p50')!.high)).toBeCloseTo(3.484, 2);
  expect(replicates.serverCpuPercent).toEqual([2, 4, 6]);
});

test('two blocks have no interval; counts add up', () => {
  const { cells } = poolBlocks([1, 2].map((number) => block(number, [cell('yjs', {})])));
  expect(intervalOf(cells[0]!.cell, 'serverCpuPercent')).toBeNull();
  expect(writtenOf(cells[0]!.cell)).toMatchObject({ endToEndLatencyMs: { samples: 20 } });
});

test('golden: extremes and counts have no interval, as they are no centre of the blocks', () => {
  const { cells } = poolBlocks(
    [1, 2, 6].map((percent, index) => block(index + 1, [cell('yjs', { worstUserLongTaskPercent: percent })])),
  );
  const { cell: pooled } = cells[0]!;
  expect(writtenOf(pooled)).toMatchObject({ worstUserLongTaskPercent: 6, endToEndLatencyMs: { samples: 30 } });
  expect(intervalOf(pooled, 'worstUserLongTaskPercent')).toBeNull();
  expect(intervalOf(pooled, 'endToEndLatencyMs.samples')).toBeNull();
  expect(intervalOf(pooled, 'serverCpuPercent')).not.toBeNull();
});

test('a trial that is not valid, or has not run, is a gap', () => {
  const { cells } = poolBlocks([
    block(1, [cell('yjs', { serverCpuPercent: 2 }), cell('loro', {})]),
    block(2, [cell('yjs', { isValid: false, serverCpuPercent: 99 })]),
  ]);
  // In their own order, whatever the block's.
  const [loro, yjs] = cells;
  expect(yjs!.replicates.serverCpuPercent).toEqual([2, null]);
  expect(writtenOf(yjs!.cell)).toMatchObject({
    trials: 2,
    validTrials: 1,
    verdict: 'partly valid',
    serverCpuPercent: 2,
  });
  expect(reasonsOf(yjs!.cell.messages)).toEqual(['trial 2: user 3 was lost']);
  expect(yjs!.cell.messages).toEqual([{ ...LOST, trials: [2] }]);
  expect(loro!.replicates.serverCpuPercent).toEqual([1, null]);
});

test('machines whose speeds differ are named', () => {
  const of = (speed: number) => poolBlocks([block(1, [cell('yjs', {})]), block(2, [cell('yjs', { speed })])]);
  expect(of(310)).toMatchObject({ beware: [], areSpeedsAlike: true });
  expect(of(600)).toMatchObject({
    beware: [expect.stringMatching(/differ by 100 %.*block 1: 300 turns.*block 2: 600 turns/)],
    areSpeedsAlike: false,
  });
});

test('blocks that were measured by different code say so', () => {
  const of = (number: number, environment: object = {}) => block(number, [cell('yjs', {})], environment);
  const first = { commit: '0123456789abcdef', changed: false, sources: 'one' };
  expect(poolBlocks([of(1), of(2)]).beware).toEqual([]);
  // Another commit of the same sources.
  expect(poolBlocks([of(1, first), of(2, { ...first, commit: 'fedcba9876543210' })]).beware).toEqual([]);
  const changed = { ...first, changed: true, sources: 'two' };
  expect(poolBlocks([of(1, first), of(2, changed)])).toMatchObject({ areSpeedsAlike: true });
  expect(poolBlocks([of(1), of(2, first), of(3, changed), of(4, { commit: null, sources: 'three' })]).beware).toEqual([
    'the code that measured differs, so figures may differ by it: block 1: unknown commit; block 2: commit 01234567; block 3: commit 01234567 with changes (sources two); block 4: sources three',
  ]);
});

test('curves are the centre over valid blocks, a missed bound is one in any, and no block’s faults stand for all', () => {
  const fault = { fault: 0, kind: 'offline' } as unknown as Cell['faults'][number];
  const of = (y: number, missedBounds: string[], isValid = true): TypingCell => ({
    ...{ ...cell('yjs', { isValid }), missedBounds, faults: [fault] },
    curves: { some: { x: [0, 1], y: [y, 10 * y] } },
  });
  const blocks = [of(1, ['a']), of(3, ['b', 'a']), of(99, [], false)].map((each, index) => block(index + 1, [each]));
  const pooled = poolBlocks(blocks).cells[0]!.cell;
  expect(pooled.curves).toEqual({ some: { x: [0, 1], y: [2, 20] } });
  expect(pooled.missedBounds).toEqual(['a', 'b']);
  expect(pooled.faults).toEqual([]);
  expect(poolBlocks(blocks.slice(1)).cells[0]!.cell.faults).toEqual([fault]);
});
