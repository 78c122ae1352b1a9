/**
 * The table of a page: varying properties as columns, figures, and what all rows share in a sentence above. To those who can choose, each
 * figure is drawn too, headings sort, and an opened row has all that leads on from it. A static table is read without a script.
 */

import { notesOf, reasonsOf } from '../cell/messages.ts';
import { type FrameworkStyle, swatch } from '../charts/palette.ts';
import { FIGURES } from '../figures/catalogue.ts';
import { countOf, enumerate, formatAmountWithin, HELD_ONCE, NOTHING } from '../figures/figure-text.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { groupByTier } from '../scenarios/cell.ts';
import { type Content, html, type Markup } from '../tables/markup.ts';
import { cellAnchor, STATES, stateOf } from './cell-state.ts';
import type { Column, PageData, PageRun, Question, Row } from './page-data.ts';
import {
  baseName,
  caseOf,
  FILTERS,
  type Filter,
  hashWith,
  modeOf,
  usersOf,
  type View,
  valueIn,
  whoOf,
} from './selection.ts';
import { scaleOf, strip, wordsOf } from './strip.ts';

/** More rows than these nobody reads, and each costs a moment to draw. */
const MOST_ROWS = 400;
/** So many figures fit on a screen. */
const MOST_ON_SCREEN = 6;
/** Rows whose greatest figure is less than so many times the least hardly differ. */
const HARDLY = 1.1;
/** Behind figures of a played crowd, which was not shown to equal live users in every one. */
export const CROWD_MARK = '°';

interface Parts {
  data: PageData;
  view: View;
  question: Question;
  styles: ReadonlyMap<string, FrameworkStyle>;
  /** True of a table for readers without a script. */
  isStatic?: boolean;
}

/** A narrow screen has no room for these beside the figures. */
const SPARE = ['run', 'version'];

/** Properties of a row beside its name, as columns or, if all rows share them, in the sentence above. */
const PROPERTIES = FILTERS.filter(({ name }) => !['who', 'tier', 'trace'].includes(name));

export function rowsTable(parts: Parts): Markup {
  const { data, view, question, isStatic = false } = parts;
  const rows = isStatic ? view.rows : view.rows.slice(0, MOST_ROWS);
  if (rows.length === 0)
    return html`<p class="empty">No row has all of these properties. <a href="${hashWith({ tab: view.tab, question: question.id }, {})}">Clear all choices</a></p>`;
  const isVarying = ({ of }: Filter) => new Set(rows.map((row) => of(row, data))).size > 1;
  // The run tells the machine, whose name is long.
  const varying = PROPERTIES.filter((filter) => filter.name !== 'machine' && isVarying(filter));
  const { shown, shared } = columnsFor(rows, parts);
  const hasLimits = question.kind === 'carried';
  const width = 2 + varying.length + shown.length + (hasLimits ? 1 : 0);
  const figureCells = shown.map((column) => figureCell(column, rows, parts));
  const body = groupByTier(rows).map(
    ({ title, items }) =>
      html`<tbody>${title === null ? null : html`<tr><th scope="rowgroup" colspan="${width}">${title}</th></tr>`}${items.map(
        (row) => html`
<tr>${nameCell(row, parts)}${varying.map((filter) => propertyCell(row, filter, data))}
<td>${verdictChip(row)}</td>${figureCells.map((cell) => cell(row))}${hasLimits ? html`<td class="reason">${limitText(row)}</td>` : null}</tr>${!isStatic && view.choices.open === keyOf(row, data) ? moreRow(row, data, width) : null}`,
      )}</tbody>`,
  );
  const constant = PROPERTIES.filter((filter) => !isVarying(filter)).flatMap(({ name, of }) =>
    sharedText(name, of(rows[0]!, data), parts),
  );
  const all = [...constant, ...shared].join(' · ');
  const more = rows.length < view.rows.length ? `, the first ${MOST_ROWS} shown` : '';
  const counted = isStatic ? '' : `${countOf(view.rows.length, 'row')} of ${view.all.length}${more}`;
  return html`
<p class="constant">${[counted, all === '' ? '' : `all: ${all}`].filter(Boolean).join(' · ')}</p>
${unlikeNote(rows, data)}
<div class="scroll" tabindex="0" role="region" aria-label="Rows: ${question.title}"><table class="figures rows"><thead><tr>
${heading(parts, 'who', question.who)}${varying.map(({ name, label }) => heading(parts, name, label))}<th scope="col">verdict</th>
${shown.map((column) => heading(parts, column.name, column.label, column))}${hasLimits ? html`<th scope="col">what limited it</th>` : null}</tr></thead>
${body}</table></div>`;
}

/**
 * A column that no row has is left out. Of a wide table, one in which all rows have the same figure is told in the sentence, and those
 * that hardly differ come last.
 */
function columnsFor(rows: readonly Row[], parts: Parts): { shown: Column[]; shared: string[] } {
  const { question, view } = parts;
  const told = question.columns.filter(({ name }) =>
    rows.some((row) => valueIn(row, name) !== null || row.texts[name] !== undefined),
  );
  const valid = rows.filter(({ validTrials }) => validTrials > 0);
  if (told.length <= MOST_ON_SCREEN || valid.length < 2) return { shown: told, shared: [] };
  const sortedBy = view.choices.sort?.replace(/^-/, '');
  const {
    much = [],
    little = [],
    none = [],
  } = Object.groupBy(told, (column) => {
    if (column.name === sortedBy) return 'much';
    if (new Set(valid.map((row) => figureText(row, column, parts))).size === 1) return 'none';
    const values = valid.flatMap((row) => valueIn(row, column.name) ?? []);
    return values.length === valid.length && Math.max(...values) < HARDLY * Math.min(...values) ? 'little' : 'much';
  });
  const shared = none.map((column) => `${column.label} ${figureText(valid[0]!, column, parts)} ${column.unit}`);
  return { shown: [...much, ...little], shared };
}

/** Nothing of what a report says at its top. */
function sharedText(name: string, value: string, { data, view }: Parts): string[] {
  if (value === '' || (data.isReport && (name === 'run' || name === 'machine'))) return [];
  if (name === 'users') return [countOf(Number(value), 'user')];
  return [name === 'run' ? data.runs[view.rows[0]!.run]!.title : value];
}

/** Sorts by the column: first the better end, then the other. */
function heading({ view: { choices }, isStatic }: Parts, name: string, label: string, column?: Column): Markup {
  const unit = column === undefined ? null : html` <small>${column.unit}</small>`;
  const className = column === undefined ? (SPARE.includes(name) ? 'spare' : '') : 'number';
  if (isStatic) return html`<th scope="col" class="${className}">${label}${unit}</th>`;
  const [best, worst] = column?.better === 'higher' ? [`-${name}`, name] : [name, `-${name}`];
  const isSorted = choices.sort === best || choices.sort === worst;
  const next = choices.sort === best ? worst : best;
  const sort = isSorted ? html` aria-sort="${choices.sort!.startsWith('-') ? 'descending' : 'ascending'}"` : null;
  const arrow = isSorted ? (choices.sort!.startsWith('-') ? ' ↓' : ' ↑') : '';
  return html`<th scope="col" class="${className}"${sort} title="${column?.what ?? ''}"><a href="${hashWith(choices, { sort: next })}" data-key="sort ${name}">${label}${arrow}</a>${unit}</th>`;
}

export function keyOf(row: Row, { runs }: PageData): string {
  return [row.kind, runs[row.run]!.name, whoOf(row), modeOf(row), usersOf(row) ?? '', caseOf(row)].join('/');
}

function nameCell(row: Row, { data, view, styles, isStatic }: Parts): Markup {
  const name = html`${swatch(styles.get(whoOf(row))!)} ${whoOf(row)}`;
  if (isStatic) return html`<th scope="row"><a href="#${cellAnchor(row)}">${whoOf(row)}</a></th>`;
  const key = keyOf(row, data);
  const isOpen = view.choices.open === key;
  const issues = issuesOf(row, data).length;
  const marker = issues === 0 ? null : html` <span class="issue" title="${countOf(issues, 'known issue')}">⚠</span>`;
  const { beware } = data.runs[row.run]!;
  const warning = beware.length === 0 ? null : html` <span class="issue" title="Beware: ${beware.join(' ')}">!</span>`;
  return html`<th scope="row"><a href="${hashWith(view.choices, { open: isOpen ? null : key })}" data-key="open ${key}" aria-expanded="${String(isOpen)}">${name}</a>${marker}${warning}</th>`;
}

function propertyCell(row: Row, { name, of }: Filter, data: PageData): Markup {
  const className = name === 'users' ? 'number' : SPARE.includes(name) ? 'spare' : '';
  if (name !== 'run') return html`<td class="${className}">${of(row, data)}</td>`;
  const { title, startedAt } = data.runs[row.run]!;
  // The time alone: all of a run's title is wider than the figures.
  return html`<td class="${className}"><span title="${title}">${startedAt.slice(0, data.isReport ? 16 : 10).replace('T', ' ')}</span></td>`;
}

/** More reasons than this stand with the cell. */
const MOST_LIMITS = 2;

/** The bound that is missed with the next number of users, or why that is not known. */
function limitText({ messages }: Row): string {
  const reasons = reasonsOf(messages);
  return enumerate(reasons, { most: MOST_LIMITS, between: '; ' });
}

function verdictChip(row: Row): Markup {
  const { validTrials, trials, verdict, smooth, kind } = row;
  const isTyped = kind === 'typing' || kind === 'carried';
  // That a trial is valid says nothing of how users fared in it.
  if (!isTyped && verdict === 'valid') return html`<small>${countOf(trials, 'trial')} valid</small>`;
  const state = isTyped ? stateOf(row) : 'not-valid';
  const smoothly = !isTyped || smooth === null ? '' : smooth ? ', smooth' : ', not smooth';
  const word = isTyped ? STATES[state].word + smoothly : verdict;
  const once = state === 'functional' && validTrials === 1 ? ` ${HELD_ONCE}` : '';
  const count = validTrials === trials ? once : ` ${validTrials} of ${trials} valid`;
  return html`<span class="chip ${state}" title="${word}">${STATES[state].sign}</span>${smooth === true && isTyped ? html` <span class="chip functional" title="smooth">≈</span>` : null}<small>${count}</small>`;
}

/** The makers of a column's cells, which share an axis. */
function figureCell(column: Column, rows: readonly Row[], parts: Parts): (row: Row) => Markup {
  const { styles, isStatic } = parts;
  const { name } = column;
  const scale = isStatic ? null : scaleOf(rows, column);
  return (row) => {
    if (isStatic) return html`<td class="number">${figureText(row, column, parts)}</td>`;
    if (valueIn(row, name) === null && row.texts[name] === undefined) {
      const why =
        row.validTrials === 0 ? `no figure: no trial is valid (${row.verdict})` : 'not measured, or too few samples';
      return html`<td class="number"><span title="${why}">${NOTHING}</span></td>`;
    }
    const text = figureText(row, column, parts);
    return html`<td class="number drawn"><span title="${wordsOf(row, column)}">${text}</span>${scale && strip(row, column, scale, styles.get(whoOf(row))!)}</td>`;
  };
}

/** As in every other table, with its marks; for readers without a script with its interval, which is not drawn. */
function figureText(row: Row, column: Column, parts: Parts): string {
  const isMarked = row.isOfPlayedCrowd && valueIn(row, column.name) !== null;
  return row.texts[column.name] ?? measuredText(row, column, parts) + (isMarked ? CROWD_MARK : '');
}

function measuredText(row: Row, { name }: Column, { question: { kind }, isStatic = false }: Parts): string {
  const interval = isStatic ? (row.ci95[name] ?? null) : null;
  const scenario = kind === 'faults' || kind === 'costs' ? null : SCENARIOS[kind === 'carried' ? 'typing' : kind];
  const figure = scenario && [...scenario.figures, ...FIGURES].find((each) => each.name === name);
  if (!scenario || !figure) return formatAmountWithin(valueIn(row, name), interval);
  return interval === null ? scenario.text(figure, row) : scenario.textWithin(figure, row);
}

/** Below an opened row: the command that repeats it, its data, its code, and everything that was said of it. */
function moreRow(row: Row, data: PageData, width: number): Markup {
  const run = data.runs[row.run]!;
  const { files, experiment, startedAt, machine, trace, conditions, isSubmitted } = run;
  const downloads = files.map((file, index) => {
    const block = files.length === 1 ? '' : `block ${index + 1}: `;
    return html` · ${block}<a href="runs/${file}/plan.json" download>plan</a> · <a href="runs/${file}.json.gz" download>data</a>`;
  });
  const code = data.frameworks[baseName(whoOf(row))];
  const folders = code?.folders.map((folder) => html`<a href="${data.code}${folder}">${folder}</a> `) ?? [];
  return html`
<tr class="more"><td colspan="${width}"><dl>
${data.isReport ? fact('Trials', html`<a href="#${cellAnchor(row)}">its trials, and every figure</a>`) : fact('Repeat', repeatOf(row, run))}
${fact('Run', html`${experiment}, ${startedAt.slice(0, 10)}${isSubmitted ? ', measured by others' : ''}${downloads}`)}
${fact('Conditions', [machine, ...(trace === '' ? [] : [`trace ${trace}`]), ...conditions].join(' · '))}
${folders.length === 0 ? null : fact('Code', html`${code!.about}: ${folders}`)}
${list('Beware', run.beware)}${list('Reasons', reasonsOf(row.messages))}${list('Notes', notesOf(row.messages))}${list('Known issues', issuesOf(row, data))}</dl></td></tr>`;
}

function repeatOf({ flags }: Row, { file, campaign, repeat }: PageRun): Content {
  if (file === null && campaign === null)
    return 'its experiment is none of the ready-made ones; the plan has every property';
  const asked = repeat ?? (campaign === null ? `run ${file} ${flags}` : `campaign ${campaign}`);
  const command = `./scriptorium ${asked}`.trim();
  return html`<code>${command}</code> <button type="button" data-copy="${command}">copy</button>`;
}

function issuesOf(row: Row, { frameworks }: PageData): string[] {
  return frameworks[baseName(whoOf(row))]?.issues ?? [];
}

function fact(name: string, content: Content): Markup {
  return html`<div><dt>${name}</dt><dd>${content}</dd></div>`;
}

function list(name: string, texts: readonly string[]): Content {
  return texts.length === 0 ? null : fact(name, html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`);
}

/** Rows of unlike runs stand in one table, and must not be read as if they were of one. */
function unlikeNote(rows: readonly Row[], { runs }: PageData): Content {
  const shown = [...new Set(rows.map(({ run }) => run))].map((run) => runs[run]!);
  const unlike = (['machine', 'trace', 'experiment'] as const).filter(
    (name) => new Set(shown.map((run) => run[name])).size > 1,
  );
  const conditions = new Set(shown.map((run) => run.conditions.join())).size > 1 ? ['conditions'] : [];
  const names = [...unlike, ...conditions];
  if (names.length === 0) return null;
  return html`<p class="unlike">! These rows come from ${countOf(shown.length, 'run')} that differ in ${names.join(', ')}. Compare within one run: choose it above.</p>`;
}
