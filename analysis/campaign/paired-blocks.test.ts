import { expect, test } from 'vitest';
import { renderMarkdown } from '../tables/render.ts';
import { formatRatio, lacksFullest, pairedRatio, pairedTable } from './paired-blocks.ts';
import type { PooledCell } from './pool-blocks.ts';

function cell(framework: string, replicates: PooledCell['replicates'], tier = 'deployed'): PooledCell {
  return { parameters: { framework, mode: 'node', users: 2 }, cell: { tier } as PooledCell['cell'], replicates };
}

test('golden: blocks that differ tenfold have a ratio of a tenth’s width, of those that have both', () => {
  const base = cell('yjs', { userCpuPercent: [10, 100, 1000, null] });
  const other = cell('other', { userCpuPercent: [11, 120, 1150, 5] });
  const { estimate, ci95 } = pairedRatio(base, other, 'userCpuPercent')!;
  // ln 1.1, 1.2 and 1.15: mean 0.13913, deviation 0.04354; t(2) = 4.30265.
  expect(estimate).toBeCloseTo(Math.exp(0.13913), 4);
  expect(ci95!.low).toBeCloseTo(Math.exp(0.13913 - (4.30265 * 0.04354) / Math.sqrt(3)), 3);
  expect(pairedRatio(base, cell('other', {}), 'userCpuPercent')).toBeNull();
});

test('a ratio near zero is not told as none', () => {
  const ci95 = { low: 0.00199, high: 0.0123 };
  expect(formatRatio({ estimate: 0.00421, ci95, p: 0 })).toBe('0.0042 (0.0020–0.012)');
  expect(formatRatio({ estimate: 14.968, ci95: { low: 0.099, high: 120 }, p: 1 })).toBe('14.97 (0.099–120.00)');
});

test('all are divided by Yjs; of servers only those that do the same work', () => {
  const figures = { serverCpuPercent: [1.013, 2.027, 4.1], userCpuPercent: [10.021, 10.3, 10.11] };
  const twice = { serverCpuPercent: [2.1, 4.011, 8.3], userCpuPercent: [20.4, 21.033, 20.37] };
  const columns = [
    { name: 'serverCpuPercent', short: ['server', 'CPU %'] },
    { name: 'userCpuPercent', short: ['user', 'CPU %'] },
  ] as const;
  const cells = [cell('collabs', twice, 'library'), cell('yjs', figures), cell('yjs-hocuspocus', twice)];
  const rows = renderMarkdown(pairedTable(cells, columns)!).split('\n').slice(2);
  expect(rows).toEqual([
    expect.stringMatching(/^\| collabs ÷ yjs \| node 2 \| – \| 2\.03 \(2\.00–2\.07\) \|$/),
    expect.stringMatching(/^\| yjs-hocuspocus ÷ yjs \| node 2 \| 2\.03 \(.*\) \| 2\.03/),
  ]);
  expect(pairedTable([cell('yjs', figures)], columns)).toBeNull();
  const relayed = pairedTable([...cells, cell('yjs-relay', figures, 'library')], columns)!;
  expect(relayed.rows.map(([ratio]) => ratio)).toEqual(['collabs ÷ yjs-relay', 'yjs-hocuspocus ÷ yjs']);
});

test('a figure that the fullest block lacks is marked, if its machine was busy', () => {
  const lacking = (machineCpuPercent: number[], known: (number | null)[]) =>
    lacksFullest(cell('yjs', { machineCpuPercent, 'localLatencyMs.p50': known }), 'localLatencyMs.p50');
  expect(lacking([95, 98, 96], [40, null, 50])).toBe(true);
  expect(lacking([95, 98, 96], [null, 40, 50])).toBe(false);
  expect(lacking([25, 28, 26], [40, null, 50])).toBe(false);
  expect(lacking([95, 98, 96], [null, null, null])).toBe(false);
});
