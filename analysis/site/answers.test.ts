/** The answers of the site, as its table and charts give them from the kept runs. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { notesOf } from '../cell/messages.ts';
import { tableOf } from '../charts/forms/form.ts';
import { figureNamed } from '../figures/catalogue.ts';
import { formatFigureOf } from '../figures/figure-text.ts';
import { chartsOf } from '../page/charts.ts';
import type { PageData } from '../page/page-data.ts';
import { rowsOf } from '../page/rows.ts';
import { keyOf, rowsTable } from '../page/rows-table.ts';
import { caseOf, readChoices, viewOf, whoOf } from '../page/selection.ts';
import { stylesOf } from '../page/styles.ts';
import { SITE_SURROUNDINGS } from '../test-data/site-surroundings.ts';
import { collectSite } from './collect-site.ts';
import { keptNames, readKept } from './kept-runs.ts';

let data: PageData;
beforeAll(async () => {
  const names = await keptNames();
  const kept = await Promise.all(names.map(async (name) => ({ name, kept: await readKept(name), isSubmitted: false })));
  data = collectSite(kept, SITE_SURROUNDINGS);
});

test('the rows keep a ratio without the parts that it is made of', () => {
  const figure = figureNamed('savedStateRatio');
  const rows = data.rows.filter(({ kind, figures }) => kind === 'typing' && figures[figure.name] !== undefined);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map((row) => formatFigureOf(figure, row))).not.toContain('–');
});

describe('how many users does it carry?', () => {
  test('the first answer is README’s table', async () => {
    const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
    const [table] = readme.match(/<!-- people: .*?<!-- end of people -->/s)!;
    const rows = table.split('\n').map((line) => line.split('|').map((text) => text.trim()));
    const told = rows.filter(
      ([, , tier, people]) => /^(relay|own)$/.test(tier ?? '') && /^[>≥]? ?\d/.test(people ?? ''),
    );
    expect(told.length).toBeGreaterThan(1);
    for (const [, library, , people] of told) {
      const ladders = viewOf(data, { question: 'carried' }).rows.filter(
        (row) => whoOf(row) === library && caseOf(row) === 'ladder, each',
      );
      // Both are of the machine with the most sittings.
      const carried = ladders.map(({ texts }) => texts.carried!.replace('≥ ', ''));
      expect(carried, library).toEqual([/\d+/.exec(people!)![0]]);
    }
  });

  test('a ladder stands first, then the newest search; a later number that is not settled is no miss', () => {
    const told = viewOf(data, { question: 'carried' }).rows.filter((row) => whoOf(row) === 'yjs');
    expect(told.map(caseOf)).toEqual(['ladder, each', 'search']);
    expect(told[1]!.texts).toEqual({ carried: '≥ 256' });
    expect(notesOf(told[1]!.messages)).toContain('the search itself, trial by trial: at least 256');
    const [older] = viewOf(data, { question: 'carried', run: '2026-11-23T1330-max' }).rows;
    expect(older!.texts).toEqual({ carried: '≥ 288', next: '320 ?' });
    expect(notesOf(older!.messages).at(-1)).toBe(
      'the search itself, trial by trial: at least 288, not known from 320 so far',
    );
    expect(viewOf(data, { question: 'carried', run: 'all' }).rows.map(({ texts }) => texts.carried)).toContain('192');
  });

  test('a ladder of edits sent one by one stands first, however many others tried; any other ladder if there is nothing else', () => {
    const row = data.rows.find((each) => each.kind === 'carried' && whoOf(each) === 'yjs')!;
    const found = (way: string, carried: number) => ({
      ...row,
      parameters: { ...row.parameters, found: way },
      figures: { ...row.figures, carried, next: null },
    });
    const shown = (...rows: (typeof row)[]) => viewOf({ ...data, rows }, { question: 'carried' }).rows.map(caseOf);
    const [each, second] = [found('ladder, each', 224), found('ladder, second', 320)];
    const [search, other, blocks] = [found('search', 256), found('other runs', 400), found('blocks', 500)];
    expect(shown(blocks, second, other, search, each)).toEqual(['ladder, each', 'search']);
    expect(shown(second, other)).toEqual(['other runs']);
    expect(shown(second)).toEqual(['ladder, second']);
  });

  test('of ladders that of most sittings stands first, so that all are of one machine', () => {
    const row = data.rows.find((each) => each.kind === 'carried' && caseOf(each) === 'ladder, each')!;
    const climbed = (trials: number, carried: number) => ({
      ...row,
      trials,
      figures: { ...row.figures, carried, next: null },
    });
    const rows = [climbed(1, 320), climbed(2, 112), climbed(2, 224)];
    const shown = viewOf({ ...data, rows }, { question: 'carried' }).rows;
    expect(shown.map(({ figures }) => figures.carried)).toEqual([224]);
  });

  test('a run with one number of users has rows, and a choice of a run shows that run', () => {
    const rows = viewOf(data, { question: 'carried', run: '2026-11-22-versions', mode: 'all' }).rows;
    expect(rows.map(({ texts }) => texts.carried)).toEqual(Array(5).fill('≥ 16'));
  });
});

describe('the page’s table and charts', () => {
  const chartsIn = (choices: Record<string, string>) => {
    const view = viewOf(data, choices);
    return chartsOf({ data, view, question: view.question!, styles: stylesOf(data) });
  };

  test('a fault after which nothing came back is drawn as never', () => {
    const run = '2026-11-26T2159-restart';
    const lines = chartsIn({ tab: 'faults', run, sort: 'arrivedMs' }).flatMap(({ model }) => model.lines);
    const never = lines.filter(({ points }) => points.some(({ instead }) => instead === 'never'));
    expect(never.map(({ name }) => name)).toContain('sharedb');
  });

  test('a framework without a valid trial has a row for each fault', async () => {
    const { summary } = await readKept('2026-11-26T2159-restart');
    const faultsIn = (cells: typeof summary.cells) =>
      rowsOf({ summary: { ...summary, cells }, foundBy: 'other runs' }, 0).filter(({ kind }) => kind === 'faults');
    const [first, ...others] = summary.cells;
    const rows = faultsIn([{ ...first!, faults: [], validTrials: 0 } as typeof first & object, ...others]);
    expect(rows.map(({ parameters }) => parameters)).toEqual(
      faultsIn(summary.cells).map(({ parameters }) => parameters),
    );
    expect(rows[0]!.figures).toEqual({});
  });

  test('rows of no number of users are not said to be of none', () => {
    for (const choices of ['question=carried', 'tab=documents', 'tab=costs'].map(readChoices)) {
      const headings = chartsIn(choices).flatMap(({ model }) =>
        tableOf(model).columns.map(({ heading }) => String(heading)),
      );
      expect(headings.length).toBeGreaterThan(0);
      expect(headings.filter((heading) => heading.startsWith('0 '))).toEqual([]);
    }
  });

  const shown = (choices: Record<string, string>) => {
    const view = viewOf(data, choices);
    const parts = { data, view, question: view.question!, styles: stylesOf(data) };
    return { table: rowsTable(parts).text, charts: chartsOf(parts).map(({ model }) => model) };
  };

  test('a latency less the sender’s batch has a column of its own', () => {
    const name = '2026-11-26T1228-max';
    const { table } = shown({ run: name, who: 'yjs' });
    expect(table).toMatch(/less the sender’s batch/);
    // Beside a played crowd, which is marked.
    const row = data.rows.find(
      (each) => each.kind === 'typing' && data.runs[each.run]!.name === name && whoOf(each) === 'yjs',
    )!;
    for (const figure of ['endToEndLatencyMs.p50', 'endToEndLessBatchMs.p50'] as const)
      expect(table).toContain(`>${formatFigureOf(figureNamed(figure), row)}°<`);
  });

  test('users are whole numbers, and a verdict is there', () => {
    const { table } = shown({ question: 'carried', who: 'yjs' });
    expect(table).toMatch(/title="fully functional, not smooth|title="fully functional/);
    expect(table).toContain('>≥ 256<');
    expect(table).not.toContain('256.0');
  });

  test('of faults a valid trial is no tick', () => {
    const { table } = shown({ tab: 'faults', run: '2026-11-26T2159-restart', who: 'sharedb' });
    expect(table).toContain('never');
    expect(table).toContain('1 trial valid');
    expect(table).not.toContain('✓');
  });

  test('warnings of pooled machines stand in the row, and whole below an opened one', () => {
    const warned = data.rows.find(({ kind, run }) => kind === 'typing' && data.runs[run]!.beware.length > 0)!;
    const { name, beware } = data.runs[warned.run]!;
    const choices = { run: name, who: whoOf(warned) };
    expect(shown(choices).table).toContain(`title="Beware: ${beware[0]}`);
    const open = keyOf(viewOf(data, choices).rows[0]!, data);
    expect(shown({ ...choices, open }).table).toContain(`<dt>Beware</dt><dd><ul><li>${beware[0]}`);
  });

  test('charts of tiers share an axis', () => {
    const { charts } = shown({ run: '2026-11-26T2159-restart', tab: 'faults' });
    expect(charts.length).toBe(2);
    expect(charts[0]!.beside).toEqual(charts.flatMap(({ lines }) => lines));
    expect(charts[1]!.beside).toEqual(charts[0]!.beside);
    expect(charts[1]!.scale).toBe(charts[0]!.scale);
  });

  test('replays that are observed in other ways stand in charts of their own, each from the best on', () => {
    const { charts } = shown({ tab: 'documents' });
    expect(charts.map(({ tier }) => tier).sort()).toEqual(['edits', 'once', 'updates']);
    for (const { lines } of charts) {
      const values = lines.flatMap(({ points }) => points[0]!.value ?? []);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
      expect(lines.every(({ name }) => !/, (edits|once|updates)/.test(name))).toBe(true);
    }
  });
});
