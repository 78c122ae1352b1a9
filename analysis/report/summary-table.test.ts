import { expect, test } from 'vitest';
import { summarizeCell } from '../cell/cells.ts';
import { aboutCell, reasonsFirst } from '../cell/messages.ts';
import type { Cell, TypingCell } from '../scenarios/cell.ts';
import { changed, runOf } from '../test-data/written-cell.ts';
import { formatMarkdownTable, formatTable, tabulateCells } from './summary-table.ts';

const BUSY = { ...aboutCell('machine-busy', 'care', 'the machine was busy'), trials: [1] };

const YJS = {
  scenario: 'typing',
  tier: 'unknown',
  parameters: { framework: 'yjs', mode: 'optquill', users: 4 },
} as const;
const NEVER_MEASURED = summarizeCell(YJS, [
  {
    trial: 1,
    verdict: 'invalid',
    messages: [{ code: 'user-lost', rank: 'decides', text: 'a user was lost' }],
    converged: null,
    version: '13.6.33',
    figures: null,
    isShortOfCores: false,
  },
]) as TypingCell;

const MEASURED = changed(NEVER_MEASURED, {
  verdict: 'valid',
  validTrials: 1,
  messages: [BUSY],
  throughputPercent: 99.96,
  sigilsArrivedPercent: 100,
  localLatencyMs: { p50: 16.4, p95: 1234.5, p99: null, samples: 70 },
  endToEndLatencyMs: { p50: 55.55, p95: 12_345.6, p99: null, samples: 70 },
  serverCpuPercent: 104.2,
  userCpuPercent: 30,
  userMemoryMiB: 1234.5,
  machineCpuPercent: 78.2,
  documentCharacters: 1890,
  converged: true,
  fullyFunctional: false,
  smooth: true,
});

test('golden: a row, null as a dash, reasons and notes below', () => {
  const table = formatTable(runOf(MEASURED, changed(NEVER_MEASURED, { mode: 'noquill' })), { wide: true });
  const rows = table.split('\n').map((line) =>
    line
      .trim()
      .split(/\s{1,}/)
      .join(' '),
  );
  expect(rows).toContain(
    'optquill one valid 100.0 16! / 1200! 56! / 12000! 100.0 100 30 1200 78.2 1890 ✓ no held once',
  );
  expect(rows).toContain('noquill 0 invalid – – / – – / – – – – – – – – – –');
  expect(table).toContain('yjs, optquill, 4 users: trial 1: the machine was busy');
  expect(table).toContain('yjs, noquill, 4 users: trial 1: a user was lost');
});

test('what is constant stands above the table, once', () => {
  const [constants, , ...rest] = formatTable(runOf(MEASURED, changed(MEASURED, { mode: 'noquill' })), {
    wide: true,
  }).split('\n');
  expect(constants).toBe('demo, 2026-01-01 · yjs 13.6.33 · users 4 · one trial of each · machine: speed not measured');
  expect(rest[1]).toMatch(/^mode +verdict/);
  // A single cell keeps its name.
  expect(formatTable(runOf(MEASURED))).toMatch(/framework +mode +users/);
});

test('the table is aligned and fits 132 columns, however large the figures', () => {
  const large = changed(MEASURED, { framework: 'automerge', verdict: 'partly valid', users: 1296 });
  const other = changed(NEVER_MEASURED, { mode: 'noquill' });
  const lines = formatTable(runOf(large, other), { wide: true }).split('\n');
  const rule = lines.findIndex((line) => line.startsWith('─'));
  const [upper, lower, first] = [lines[rule - 2]!, lines[rule - 1]!, lines[rule + 1]!];
  for (const line of lines.slice(0, rule + 3)) expect(line.length).toBeLessThanOrEqual(132);
  const endOf = (line: string, text: string) => line.indexOf(text) + text.length;
  expect(endOf(first, '56! / 12000!')).toBe(endOf(upper, 'end-to-end ms'));
  expect(endOf(first, ' 100 ') - 1).toBe(endOf(upper, 'server'));
  expect(first.indexOf('partly')).toBe(lower.indexOf('verdict'));
});

test('without --wide it fits 80 columns: what all have in common is a sentence, what has no room is named', () => {
  const local = { p50: 16.4, p95: 1234.5, p99: null, samples: 70 };
  const large = changed(MEASURED, { framework: 'automerge-repo', users: 1296, endToEndLatencyMs: local });
  const text = formatTable(runOf(large, changed(large, { mode: 'noquill', users: 4, smooth: null })));
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(text).toContain(
    'All are: valid, throughput 100.0 %, sigils arrived 100.0 %, converged, not fully\nfunctional.',
  );
  expect(text).toMatch(/smooth\n/);
  const crowded = changed(large, {
    ...{ verdict: 'partly valid', converged: false, throughputPercent: 9, fullyFunctional: true },
    ...{ mode: 'noquill', users: 4 },
  });
  expect(formatTable(runOf(large, crowded))).toMatch(/--wide shows (.*, )?document too\./);
});

test('notes come in ranks: what changes the answer, what asks for care, and a count of what is for the record', () => {
  const messages = [
    aboutCell('not-smooth', 'decides', 'x'),
    aboutCell('functionality-not-judged', 'decides', 'throughput (not measured)'),
    aboutCell('sigils-broken', 'record', 'the sigils: some broken'),
    BUSY,
  ];
  const told = formatTable(runOf({ ...MEASURED, messages: reasonsFirst(messages) })).split('\n');
  expect(told.filter((line) => /^[✗!i] /.test(line))).toEqual([
    '✗ yjs, optquill, 4 users: not smooth: x',
    '✗ yjs, optquill, 4 users: fully functional: not judged: throughput (not',
    '! yjs, optquill, 4 users: trial 1: the machine was busy',
    'i 1 note for the record: see the report',
  ]);
});

test('Markdown has as many fields in every row, and whole words as headings', () => {
  const rows = formatMarkdownTable(runOf(MEASURED, NEVER_MEASURED))
    .split('\n')
    .filter((line) => line.startsWith('|'));
  expect(new Set(rows.map((row) => row.split('|').length)).size).toBe(1);
  expect(rows[0]).toContain('| throughput % | local ms p50 / p95 | end-to-end ms p50 / p95 |');
  expect(rows[0]).toContain('| converged |');
});

test('a run without a finished trial says so', () => {
  expect(formatTable(runOf())).toContain('No trial has run yet.');
});

test('the tiers of servers stand apart, each under its title; a single one is said above', () => {
  const tiered = (framework: string, tier: Cell['tier']) => changed(MEASURED, { framework, tier, users: 4 });
  const summary = runOf(tiered('yjs', 'deployed'), tiered('loro', 'library'), tiered('sharedb', 'deployed'));
  const lines = formatTable(summary).split('\n');
  const firsts = lines.slice(lines.findIndex((line) => line.startsWith('─')) + 1).map((line) => line.split(' ')[0]);
  expect(firsts.slice(0, 6)).toEqual(['over', 'loro', '', 'with', 'yjs', 'sharedb']);
  expect(tabulateCells(summary).map(({ tier, table }) => [tier, table.rows.map(([name]) => name)])).toEqual([
    ['library', ['loro']],
    ['deployed', ['yjs', 'sharedb']],
  ]);
  expect(formatMarkdownTable(summary).match(/^\*\*.*\*\*$/gm)).toEqual([
    '**over the same relay**',
    '**with their own servers**',
  ]);
  const alone = formatTable(runOf(tiered('yjs', 'deployed'), tiered('sharedb', 'deployed')));
  expect(alone.split('\n')[0]).toContain('· with their own servers ·');
  expect(alone.match(/with their own servers/g)).toHaveLength(1);
});
