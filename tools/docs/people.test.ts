/** README's, results' and choose.md's answer to the first question: from the first sitting on, of each machine by itself. */
import { beforeAll, expect, test } from 'vitest';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import { writtenOf } from '../../analysis/test-data/written-cell.ts';
import type { Rung } from '../../results/formats/run-directory.ts';
import { folderOfAllTests } from '../../tests/folders.ts';
import { copyKeptRuns } from '../../tests/kept-runs.ts';
import type { Cells } from './cells.ts';
import { readDocuments } from './documents.ts';
import { partsOf, withCurrentParts } from './generated-parts.ts';
import { KEPT_TABLES } from './kept-tables.ts';
import { pictureFiles } from './people.ts';
import { keepMade } from './test-data/made-run.ts';
import { rowsOf } from './test-data/markdown-tables.ts';
import { cellsIn } from './test-data/opened-cells.ts';

const ALL = ['yjs', 'yjs-relay', 'collabs', 'collabs-novc', 'automerge', 'automerge-repo', 'loro', 'sharedb-stock'];
const OWN = ['yjs', 'automerge-repo', 'sharedb-stock'];
const LIVE = ['automerge-repo', 'loro', 'sharedb-stock'];
const SHORT = "SELECT 'docs/data/people' AS picture, library, people FROM people(false)";

const root = folderOfAllTests();
let cells: Cells;
beforeAll(async () => {
  await copyKeptRuns(root.path);
  for (const sitting of [1, 2, 3]) {
    const rungsOf = (users: number, of: readonly string[], as = held) => of.map((framework) => as(framework, users));
    await keep({ sitting, users: 16, rungs: rungsOf(16, ALL) });
    // In the last one Loro does not get so far.
    const others = sitting < 3 ? ALL : ALL.filter((framework) => framework !== 'loro');
    const ended = ALL.filter((framework) => !others.includes(framework));
    await keep({ sitting, users: 48, rungs: [...rungsOf(48, others), ...rungsOf(48, ended, givenUp)] });
    await keep({ sitting, users: 112, rungs: [...rungsOf(112, others.slice(1), givenUp), held('yjs', 112)] });
    await keep({ sitting, users: 80, rungs: rungsOf(80, others.slice(1)) });
    await keep({ sitting, users: 32, rungs: rungsOf(32, ended) });
  }
  await keep({ sitting: 1, users: 112, rungs: [held('yjs', 112)], part: 'second' });
  await keep({ sitting: 1, users: 16, rungs: [held('yjs', 16)], cpu: 'another' });
  cells = await cellsIn(root.path);
});

const held = (framework: string, users: number): Rung => ({ framework, users, held: 2, missed: 0, gaveOut: null });
const givenUp = (framework: string, users: number): Rung => ({
  ...{ framework, users, held: 0, missed: 2, gaveOut: 'machine' },
});

const [MADE] = syntheticReport({
  frameworks: ['yjs'],
  modes: ['optquill'],
  userCounts: [4],
  seconds: 10,
  trials: 1,
}).cells;

/** The kept run of one rung of a sitting. */
async function keep(of: { sitting: number; users: number; rungs: Rung[]; part?: string; cpu?: string }): Promise<void> {
  const { sitting, users, rungs, part = 'each', cpu = 'Intel(R) Xeon(R) Processor' } = of;
  const experiment = `people-${part}-${users}`;
  const startedAt = `2026-12-0${sitting}T10:${users % 60}:0${cpu.length % 10}.000Z`;
  const made = rungs.map(({ framework, missed }) => ({
    ...{
      ...writtenOf(MADE!),
      framework,
      mode: 'optquill',
      users,
      trials: 2,
      validTrials: missed > 0 ? 0 : 2,
      ci95: {},
    },
    ...{ verdict: missed > 0 ? 'invalid' : 'valid', tier: OWN.includes(framework) ? 'deployed' : 'library' },
    ...{
      userCpuPercent: users + sitting,
      serverCpuPercent: users / 10,
      machineCpuPercent: 90,
      crowdLateMs: LIVE.includes(framework) ? null : 1,
    },
    endToEndLatencyMs: { p50: 40 + users, p95: 60 + users, p99: null, samples: 100 },
  }));
  const environment = { cores: 2, cpu, commit: 'abcdef0123456789', sources: '4bf1' };
  const campaign = { campaign: 'people', part, entry: String(users), question: '?', block: sitting, deposit: false };
  const batching = { sendMs: 1000, sendFromUsers: part === 'each' ? 'never' : 64 };
  await keepMade(root.path, { experiment, startedAt, environment, cells: made }, { campaign, rungs }, { batching });
}

test('each library has a row for each ladder and machine, with what was not tried yet', async () => {
  const sql = 'SELECT 1, machine, library, tier, people, "ended by", "wait, ms", "page, %", n, code FROM people(true)';
  const part = await KEPT_TABLES.people!(sql, cells);
  const rows = rowsOf(part);
  const rowOf = (...starts: string[]) =>
    rows.find(([machine, library]) => machine!.includes(starts[0]!) && library === starts[1]);
  // Of 17, 18 and 19 %: Student's t of two degrees of freedom, 4.303 · 1 / √3.
  expect(rowOf('Intel', 'yjs-relay')!.slice(2)).toEqual([
    ...[
      'relay',
      'at least 80, not known from 112',
      'machine',
      '88 (88–88)!°',
      '18 (16–20)° / 50 (48–52)°',
      '3',
      'commit abcdef01',
    ],
  ]);
  // Most sittings decide, and what fewer told says so.
  expect(rowOf('Intel', 'loro')!.slice(2, 7)).toEqual([
    ...['relay', 'at least 80 (32–80), not known from 112', 'machine', '88!, in 2', '18 (16–20) / 50, in 2'],
  ]);
  expect(rowOf('Intel', 'yjs')!.slice(2, 5)).toEqual(['own', '112 so far', '–']);
  expect(part).toContain('`1s` behind a library: ');
  expect(await KEPT_TABLES.people!(`${sql} WHERE run = 'people-each'`, cells)).not.toContain('`1s`');
  // Of 64 and 112 users.
  expect(rowOf('Intel', 'yjs 1s')!.slice(3, 7)).toEqual(['112 so far', '–', '150!°', '– / 110°']);
  expect(rowOf('another', 'yjs')!.slice(2)).toEqual(['own', '16 so far', '–', '–', '17° / –', '1', 'commit abcdef01']);
  expect(rowOf('another', 'loro')!.slice(2, 4)).toEqual(['–', 'not tried yet']);
});

test('the picture has a line for each on the machine with most sittings, which ends at the word for what gave out', async () => {
  const files = await pictureFiles(SHORT, cells);
  expect(files.map(({ path }) => path)).toEqual(['docs/data/people-light.svg', 'docs/data/people-dark.svg']);
  for (const { svg } of files) {
    expect(svg.match(/: machine</g)).toHaveLength(ALL.length - 1);
    expect(svg).toContain('>yjs<');
    expect(svg).not.toMatch(/1s|another|NaN/);
  }
  expect(files[0]!.svg).not.toBe(files[1]!.svg);
});

test('README stays within its bounds with the table of other sittings', async () => {
  const readme = (await readDocuments()).find(({ path }) => path === 'README.md')!;
  const shown = await withCurrentParts(readme.text, cells);
  expect(partsOf(shown).map(({ name }) => name)).toEqual(['people']);
  expect(shown).toMatch(
    /^The picture: 2 cores of Intel.*, 300\/550 turns\/µs; commit abcdef01, 1 – 3 December 2026\.$/m,
  );
  const lines = shown
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .trimEnd()
    .split('\n');
  expect(lines.length).toBeLessThanOrEqual(110);
  // As formatted: in columns as wide as their widest text, and three dashes.
  const rows = rowsOf(shown);
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => [...row[column]!].length)));
  expect(widths.reduce((sum, width) => sum + width + 3, 1)).toBeLessThanOrEqual(80);
  expect(lines.filter((line) => [...line].length > 120)).toEqual([]);
});

test('choose.md’s matrix rests on the ladder', async () => {
  const page = (await readDocuments()).find(({ path }) => path === 'docs/choose.md')!;
  const [answers] = partsOf(page.text);
  const rows = rowsOf(await KEPT_TABLES.answers!(answers!.sql!, cells));
  expect(rows.find(([text]) => text!.startsWith('People in one'))!.slice(1)).toEqual([
    ...['112 so far', ...['80', '80 (32–80)', '80'].map((held) => `at least ${held}, not known from 112`)].map(
      (text) => `[${text}](data/results.md#in-blocks)`,
    ),
    '3 blocks',
  ]);
});
