/** The table of the site: varying properties as columns, figures drawn, and below an opened row all that leads on from it. */

import { type FrameworkStyle, swatch } from '../../charts/palette.ts';
import { countOf, formatAmount, NOTHING } from '../../figures/figure-text.ts';
import { STATES } from '../../report/html/verdict-section.ts';
import { stateOf } from '../../report/html/verdicts.ts';
import { groupByTier } from '../../scenarios/cell.ts';
import { type Content, html, type Markup } from '../../tables/markup.ts';
import { baseName, FILTERS, type Filter, hashWith, type View } from '../selection.ts';
import type { SiteColumn, SiteData, SiteQuestion, SiteRow, SiteRun } from '../site-data.ts';
import { scaleOf, strip, wordsOf } from './strip.ts';

/** More rows than these nobody reads, and each costs a moment to draw. */
const MOST_ROWS = 400;

interface Parts {
  data: SiteData;
  view: View;
  question: SiteQuestion;
  styles: ReadonlyMap<string, FrameworkStyle>;
}

/** A narrow screen has no room for these beside the figures. */
const SPARE = ['run', 'version'];

/** Properties of a row beside its name, as columns or, if all rows share them, in the sentence above. */
const PROPERTIES = FILTERS.filter(({ name }) => !['who', 'tier', 'trace'].includes(name));

export function rowsTable(parts: Parts): Markup {
  const { data, view, question } = parts;
  const rows = view.rows.slice(0, MOST_ROWS);
  if (rows.length === 0)
    return html`<p class="empty">No row has all of these properties. <a href="${hashWith({ tab: view.tab, question: question.id }, {})}">Take all choices back</a></p>`;
  const isVarying = ({ of }: Filter) => new Set(rows.map((row) => of(row, data))).size > 1;
  // The run tells the machine, whose name is long.
  const varying = PROPERTIES.filter((filter) => filter.name !== 'machine' && isVarying(filter));
  const constant = PROPERTIES.filter((filter) => !isVarying(filter)).flatMap(({ of, name }) => {
    const value = of(rows[0]!, data);
    return value === '' ? [] : name === 'users' ? countOf(Number(value), 'user') : value;
  });
  const scales = new Map(question.columns.map((column) => [column.name, scaleOf(rows, column)]));
  const columns = question.columns.filter(
    ({ name }) => scales.get(name) !== null || rows.some(({ figures }) => figures[name] !== undefined),
  );
  const width = 2 + varying.length + columns.length;
  const cell = (row: SiteRow, column: SiteColumn) =>
    figureCell(row, column, { ...parts, scale: scales.get(column.name)! });
  const body = groupByTier(rows, ({ tier }) => tier).map(
    ({ title, items }) =>
      html`<tbody>${title === null ? null : html`<tr><th scope="rowgroup" colspan="${width}">${title}</th></tr>`}${items.map(
        (row) => html`
<tr>${nameCell(row, parts)}${varying.map(({ of, name }) => html`<td class="${name === 'users' ? 'number' : SPARE.includes(name) ? 'spare' : ''}">${name === 'run' ? runDay(row, data) : of(row, data)}</td>`)}
<td>${verdictChip(row)}</td>${columns.map((column) => cell(row, column))}</tr>${view.choices.open === keyOf(row, data) ? moreRow(row, data, width) : null}`,
      )}</tbody>`,
  );
  return html`
<p class="constant">${countOf(view.rows.length, 'row')} of ${view.all.length}${rows.length < view.rows.length ? `, the first ${MOST_ROWS} shown` : ''}${constant.length === 0 ? '' : ` · all: ${constant.join(' · ')}`}</p>
${unlikeNote(rows, data)}
<div class="scroll" tabindex="0" role="region" aria-label="Rows"><table class="figures rows"><thead><tr>
${heading(view, 'who', question.who)}${varying.map(({ name, label }) => heading(view, name, label))}<th scope="col">verdict</th>
${columns.map((column) => heading(view, column.name, column.label, column))}</tr></thead>
${body}</table></div>`;
}

/** Sorts by the column: first the better end, then the other. */
function heading({ choices }: View, name: string, label: string, column?: SiteColumn): Markup {
  const [best, worst] = column?.better === 'higher' ? [`-${name}`, name] : [name, `-${name}`];
  const isSorted = choices.sort === best || choices.sort === worst;
  const next = choices.sort === best ? worst : best;
  const sort = isSorted ? html` aria-sort="${choices.sort!.startsWith('-') ? 'descending' : 'ascending'}"` : null;
  const arrow = isSorted ? (choices.sort!.startsWith('-') ? ' ↓' : ' ↑') : '';
  return html`<th scope="col" class="${SPARE.includes(name) ? 'spare' : ''}"${sort} title="${column?.what ?? ''}"><a href="${hashWith(choices, { sort: next })}" data-key="sort ${name}">${label}${arrow}</a>${
    column === undefined ? null : html` <small>${column.unit}</small>`
  }</th>`;
}

export function keyOf({ kind, run, who, mode, users, also }: SiteRow, { runs }: SiteData): string {
  return [kind, runs[run]!.name, who, mode, users ?? '', also].join('/');
}

function nameCell(row: SiteRow, { data, view, styles }: Parts): Markup {
  const key = keyOf(row, data);
  const isOpen = view.choices.open === key;
  const issues = issuesOf(row, data).length;
  const marker = issues === 0 ? null : html` <span class="issue" title="${countOf(issues, 'known issue')}">⚠</span>`;
  const { beware } = data.runs[row.run]!;
  const warning = beware.length === 0 ? null : html` <span class="issue" title="Beware: ${beware.join(' ')}">!</span>`;
  return html`<th scope="row"><a href="${hashWith(view.choices, { open: isOpen ? null : key })}" data-key="open ${key}" aria-expanded="${String(isOpen)}">${swatch(styles.get(row.who)!)} ${row.who}</a>${marker}${warning}</th>`;
}

/** The day alone: all of a run's title is wider than the figures. */
function runDay({ run }: SiteRow, { runs }: SiteData): Markup {
  const { title, startedAt } = runs[run]!;
  return html`<span title="${title}">${startedAt.slice(0, 10)}</span>`;
}

function verdictChip(row: SiteRow): Markup {
  const { validTrials, trials, verdict, functional, smooth, kind } = row;
  const isTyped = kind === 'typing' || kind === 'carried';
  // That a trial is valid says nothing of how users fared in it.
  if (!isTyped && verdict === 'valid') return html`<small>${countOf(trials, 'trial')} valid</small>`;
  const state = isTyped ? stateOf({ validTrials, verdict, fullyFunctional: functional }) : 'not-valid';
  const smoothly = !isTyped || smooth === null ? '' : smooth ? ', smooth' : ', not smooth';
  const word = isTyped ? STATES[state].word + smoothly : verdict;
  const count = validTrials === trials ? '' : ` ${validTrials} of ${trials} valid`;
  return html`<span class="chip ${state}" title="${word}">${STATES[state].sign}</span>${smooth === true && isTyped ? html` <span class="chip functional" title="smooth">≈</span>` : null}<small>${count}</small>`;
}

function figureCell(
  row: SiteRow,
  column: SiteColumn,
  { scale, styles }: Parts & { scale: ReturnType<typeof scaleOf> },
): Markup {
  const figure = row.figures[column.name];
  if (figure === undefined)
    return html`<td class="number drawn"><span title="${row.validTrials === 0 ? `no figure: no trial is valid (${row.verdict})` : 'not measured, or too few samples'}">${NOTHING}</span></td>`;
  const isMarked = row.isOfPlayedCrowd === true && figure.text === undefined;
  const text = figure.text ?? `${formatAmount(figure.value)}${isMarked ? '°' : ''}`;
  return html`<td class="number drawn"><span title="${wordsOf(figure, column)}">${text}</span>${scale && strip(figure, column, scale, styles.get(row.who)!)}</td>`;
}

/** Below an opened row: the command that repeats it, its data, its code, and everything that was said of it. */
function moreRow(row: SiteRow, data: SiteData, width: number): Markup {
  const run = data.runs[row.run]!;
  const { files, experiment, startedAt, machine, trace, conditions, isSubmitted } = run;
  const downloads = files.map((file, index) => {
    const block = files.length === 1 ? '' : `block ${index + 1}: `;
    return html` · ${block}<a href="runs/${file}/plan.json" download>plan</a> · <a href="runs/${file}.json.gz" download>data</a>`;
  });
  const code = data.frameworks[baseName(row.who)];
  return html`
<tr class="more"><td colspan="${width}"><dl>
${fact('Repeat', repeatOf(row, run))}
${fact('Run', html`${experiment}, ${startedAt.slice(0, 10)}${isSubmitted ? ', measured by others' : ''}${downloads}`)}
${fact('Conditions', [machine, ...(trace === '' ? [] : [`trace ${trace}`]), ...conditions].join(' · '))}
${code === undefined ? null : fact('Code', html`${code.about}: ${code.folders.map((folder) => html`<a href="${data.code}${folder}">${folder}</a> `)}`)}
${list('Beware', run.beware)}${list('Reasons', row.reasons)}${list('Notes', row.notes)}${list('Known issues', issuesOf(row, data))}</dl></td></tr>`;
}

function repeatOf({ flags }: SiteRow, { file, campaign }: SiteRun): Content {
  if (file === null && campaign === null)
    return 'its experiment is none of the ready-made ones; the plan has every property';
  const command = `./scriptorium ${campaign === null ? `run ${file} ${flags}` : `campaign ${campaign}`}`.trim();
  return html`<code>${command}</code> <button type="button" data-copy="${command}">copy</button>`;
}

function issuesOf({ who }: SiteRow, { frameworks }: SiteData): string[] {
  return frameworks[baseName(who)]?.issues ?? [];
}

function fact(name: string, content: Content): Markup {
  return html`<div><dt>${name}</dt><dd>${content}</dd></div>`;
}

function list(name: string, texts: readonly string[]): Content {
  return texts.length === 0 ? null : fact(name, html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`);
}

/** Rows of unlike runs stand in one table, and must not be read as if they were of one. */
function unlikeNote(rows: readonly SiteRow[], { runs }: SiteData): Content {
  const shown = [...new Set(rows.map(({ run }) => run))].map((run) => runs[run]!);
  const unlike = (['machine', 'trace', 'experiment'] as const).filter(
    (name) => new Set(shown.map((run) => run[name])).size > 1,
  );
  const conditions = new Set(shown.map((run) => run.conditions.join())).size > 1 ? ['conditions'] : [];
  const names = [...unlike, ...conditions];
  if (names.length === 0) return null;
  return html`<p class="unlike">! These rows come from ${countOf(shown.length, 'run')} that differ in ${names.join(', ')}. Compare within one run: choose it above.</p>`;
}
