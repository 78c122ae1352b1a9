import { expect, test } from 'vitest';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import { SUMMARY_SCHEMA_VERSION, type Summary } from '../../results/formats/summary.ts';
import { hundredInShort, mostUsers, paperBeside } from './crowd-results.ts';

function runOf(cells: Summary['cells']) {
  const startedAt = '2026-11-21T12:00:00Z';
  const summary: Summary = {
    ...{ schemaVersion: SUMMARY_SCHEMA_VERSION, experiment: 'hundred', startedAt, cells },
    environment: {
      cpu: 'AMD EPYC',
      cores: 2,
      memoryMiB: 24_000,
      os: 'Linux 6.1',
      chrome: 'Chromium 156',
      node: 'v24.1.0',
    },
  };
  return {
    plan: { schemaVersion: 1 as const, startedAt, trials: [], experiment: { name: 'hundred', trials: 1 } },
    summary,
  };
}

const size = { frameworks: ['yjs'], modes: ['optquill'], userCounts: [112], seconds: 10 };
const [cell] = syntheticReport({ ...size, trials: 1, tiers: { yjs: 'deployed' } }).cells.map(({ summary }) => summary);
const yjs = { ...cell!, framework: 'yjs', mode: 'optquill', users: 112, throughputPercent: 99.96 };

test('a cell of the grid stands above the paper’s, column by column', async () => {
  const local = { ...yjs, localLatencyMs: { p50: 41.04, p95: null, p99: null, samples: 12 } };
  const keys = { ...local, keyLatencyMs: { p50: 24, p95: 104, p98: null, samples: 700 } };
  const rows = (await paperBeside([runOf([keys])])).split('\n').filter((line) => line.startsWith('| '));
  const [, , here, paper] = rows.map((row) => row.split('|').map((text) => text.trim()));
  expect(here!.slice(1, 8)).toEqual(['112', '`yjs`', 'here', 'valid', '100.0', '41.0', '104 k']);
  expect(paper!.slice(1, 15)).toEqual([
    '',
    '',
    'paper',
    '',
    '96.8',
    '95.3',
    '255',
    '963',
    '1574',
    '87.0',
    '26.3',
    '686',
    '234',
    // Table 3: 96 users.
    'no',
  ]);
});

test('a framework or a count that the paper did not have stands alone', async () => {
  const cells = [
    { ...yjs, framework: 'loro' },
    { ...yjs, users: 8 },
  ];
  expect(await paperBeside([runOf(cells)])).not.toContain('| paper');
});

test('of runs of parts each cell is the newest, with its conditions and the reasons of what is not valid', async () => {
  const older = runOf([
    yjs,
    { ...yjs, framework: 'loro', verdict: 'invalid' as const, reasons: ['the cores were busy'] },
  ]);
  const newer = runOf([{ ...yjs, throughputPercent: 77 }]);
  newer.summary.startedAt = '2026-11-24T12:00:00Z';
  const text = await paperBeside([older, newer]);
  const rows = text.split('\n').filter((line) => line.includes('| here'));
  expect(rows.map((row) => row.split('|')[2]!.trim())).toEqual(['`loro`', '`yjs`']);
  expect(rows[1]).toContain('| 77.0');
  expect(text).toMatch(/^- .*21 November 2026\): `loro` `optquill` 112$/m);
  expect(text).toMatch(/^- .*24 November 2026\): `yjs` `optquill` 112$/m);
  expect(text).toContain('- `loro`, 112 users: the cores were busy');
});

test('the README’s table is the terminal’s, with the machine and the date', () => {
  const text = hundredInShort(runOf([yjs]));
  expect(text).toMatch(/2 cores of AMD EPYC with 23 GiB/);
  expect(text).toMatch(/21 November 2026/);
  expect(text).toMatch(/yjs +optquill/);
});

test('of searches for the same the newest counts, and none for another is lost', () => {
  const search = (criterion: string, ...rows: string[]) => ({
    ...runOf([yjs]),
    answer: [`criterion: ${criterion}`, '', '| framework | mode | most users |', '| - | - | - |', ...rows, ''].join(
      '\n',
    ),
  });
  const text = mostUsers([
    search('smooth', '| yjs | optquill | 8 |'),
    search('paper', '| yjs | optquill | 16 |', '| loro | optquill | 4 |'),
    search('paper', '| yjs | optquill | 32 |'),
  ]);
  expect(text.split('\n').filter((line) => /^(criterion|\| [a-z]+ \| opt)/.test(line))).toEqual([
    ...['criterion: smooth', '| yjs | optquill | 8 |'],
    ...['criterion: paper', '| yjs | optquill | 32 |', '| loro | optquill | 4 |'],
  ]);
});
