/**
 * A report as a page: the site of its own runs, of whatever scenario. Its tables are static, so that it reads without a script; with one,
 * a reader chooses, sorts and sees charts. Browser-safe.
 */
import type { ScenarioName } from '../../results/formats/documents.ts';
import type { PublishedStudy } from '../../results/published/study.ts';
import { FEW_COUNTS } from '../charts/chart-model.ts';
import { coloursOf } from '../charts/palette.ts';
import { chartsOver } from '../figures/catalogue.ts';
import { BUSY_MACHINE_PERCENT } from '../figures/criterion.ts';
import { BUSY_MARK, countOf, MARK, NOTHING } from '../figures/figure-text.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { type Content, html, type Markup } from '../tables/markup.ts';
import { renderHtml } from '../tables/render.ts';
import { type CaptionedTable, left } from '../tables/table.ts';
import { aboutSection, methodSection, type ReportedRun, runLine } from './about-section.ts';
import { cellsSection, type ReportedCell } from './cells-section.ts';
import type { PageData, Question, Row } from './page-data.ts';
import { pageRun } from './page-run.ts';
import { QUESTIONS, REST } from './questions.ts';
import { replicatesOf, rowsOf } from './rows.ts';
import { CROWD_MARK, rowsTable } from './rows-table.ts';
import { askedRows, wholeView } from './selection.ts';
import { choices, type PageFiles, renderPage, scroll, section, tableSection } from './shell.ts';
import { stylesOf } from './styles.ts';
import { wordLink, wordsSection } from './words-section.ts';

/** A report as data: tables, CSV files and the page are views of it. Null is "not measured" or "too few samples", never 0. */
export interface ReportData<Of extends ReportedCell = ReportedCell> {
  scenario: ScenarioName;
  runs: ReportedRun[];
  /** In the order of the plans; cells of different runs are never pooled. */
  cells: Of[];
  /** Others' numbers, to be shown clearly apart; null if they were not asked for. */
  published: PublishedStudy | null;
  /**
   * Sentences on the trials that were left out, with the reason, and on all else that the run noted. Empty if every trial
   * of every plan is whole and valid, and nothing is noted.
   */
  problems: string[];
}

/** With the parts of its page that depend on the scenario. */
export interface Reported extends ReportData {
  /** Sentences that answer what most readers ask; none of documents. */
  answer: readonly string[];
  /** Beside the figures: faults, growth, others' figures. */
  tables: readonly CaptionedTable[];
  /** Sentences in the place of tables. */
  remarks: readonly string[];
  publishedTables: readonly CaptionedTable[];
}

/** Renders a report; the same one gives the same bytes. */
export function reportPage(report: Reported, { glossary, ...files }: PageFiles): string {
  const { runs, scenario: name, cells, tables, remarks, problems, published, publishedTables } = report;
  const scenario = SCENARIOS[name];
  const data = pageDataOf(report);
  const runName = (index: number) => (runs.length > 1 ? html`<b>Run ${index + 1}</b> ` : null);
  const sections: readonly Section[] = [
    ['answer', 'Answer', answerSection(report.answer)],
    ['problems', 'Noted', problemList(problems)],
    ['figures', 'Figures', cells.length === 0 ? null : figuresSection(data, scenario)],
    ['', '', [tables.map((table) => tableSection(table)), remarks.map((text) => html`<p class="note">${text}</p>`)]],
    ['cells', 'Every cell', cellsSection(cells, name)],
    ['published', 'Published', published && publishedSection(published, publishedTables)],
    ['runs', 'Environment', aboutSection(runs)],
    ['method', 'Method', scenario.isTyping ? methodSection() : null],
    ['meanings', 'Meanings', scenario.isTyping ? null : tableSection(meaningsTable(scenario))],
    ['words', 'Words', scenario.isTyping ? wordsSection(glossary) : null],
  ];
  const told = sections.filter(([, , content]) => content !== null);
  return renderPage({
    ...files,
    title: [...new Set(runs.map(({ experiment }) => experiment))].join(', '),
    lines: [
      ...(scenario.title === null ? [] : [scenario.title]),
      ...runs.map((run, index) => [runName(index), runLine(run)]),
    ],
    nav: told.filter(([id]) => id !== '').map(([id, text]) => [id, text] as const),
    sections: told.map(([, , content]) => content),
    data,
  });
}

/** The rows are the cells, whole. */
export function pageDataOf({ scenario, runs, cells }: ReportData): PageData {
  const rows = runs.flatMap((_, run) => {
    const own = cells.filter((cell) => cell.run === run);
    return rowsOf({ summary: { scenario, cells: own }, replicates: own.map(replicatesOf), foundBy: '' }, run);
  });
  const colours = coloursOf(runs.map(({ environment }) => environment));
  return {
    isReport: true,
    runs: runs.map((run, index) => ({
      ...pageRun({
        name: `${index + 1}`,
        summary: { ...run, scenario, cells: cells.filter((cell) => cell.run === index) },
        experiment: run.plan,
        asked: [...(runs.length > 1 ? [`run ${index + 1}`] : []), run.experiment],
      }),
      ...{ files: [], file: null, campaign: null, beware: [] },
    })),
    questions: questionsOf(scenario, cells).filter((question) => askedRows({ rows }, question).length > 0),
    // Tables beside the figures tell of faults.
    rows: rows.filter(({ kind }) => kind !== 'faults').map((row) => ({ ...row, series: row.series.map(charted) })),
    frameworks: Object.fromEntries(
      Object.entries(colours).map(([name, colour]) => [name, { colour, about: '', folders: [], issues: [] }]),
    ),
    code: '',
  };
}

const OVER_TIME = chartsOver('time').map(({ name }) => name);

/** Of figures over time, which are most of a large report, those that charts show. */
function charted({ figures, ...point }: Row['series'][number]): Row['series'][number] {
  return { ...point, figures: Object.fromEntries(OVER_TIME.map((name) => [name, figures[name] ?? null])) };
}

/** Those of one tab, as a report has no other. How many users were carried is asked first, if it was to be found. */
function questionsOf(scenario: ScenarioName, cells: readonly ReportedCell[]): Question[] {
  const { tab } = QUESTIONS.find(({ kind }) => kind === scenario)!;
  const own = [...QUESTIONS, REST].filter(({ kind }) => kind === scenario).map((question) => ({ ...question, tab }));
  const carried = QUESTIONS.filter(({ kind }) => kind === 'carried' && SCENARIOS[scenario].isTyping);
  const counts = new Set(cells.map(({ parameters }) => parameters.users));
  return counts.size > FEW_COUNTS ? [...carried, ...own] : [...own, ...carried];
}

type Section = readonly [id: string, name: string, section: Content];

/** Most readers come for it, so it stands before everything else. */
function answerSection(sentences: readonly string[]): Content {
  if (sentences.length === 0) return null;
  const answers = sentences.map((sentence) => html`<p class="answer">${sentence}</p>`);
  return section('answer', 'Answer', answers);
}

function problemList(problems: readonly string[]): Content {
  if (problems.length === 0) return null;
  return html`<details class="problems" id="problems" open><summary>${countOf(problems.length, 'thing')} left out or noted</summary>
<ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul></details>`;
}

function figuresSection(data: PageData, { isTyping, legend }: Scenario): Markup {
  const styles = stylesOf(data);
  const tables = data.questions.map((question) => {
    const table = rowsTable({ data, view: wholeView(data, question), question, styles, isStatic: true });
    return html`<h3>${question.title}</h3>${table}`;
  });
  const notes = isTyping ? TYPING_NOTES : legend;
  const content = html`${choices()}
  <noscript><p class="note">The charts need JavaScript. The tables hold every figure without it.</p></noscript>
  <div id="tables">${tables}<p class="note">In brackets: the 95 % interval over trials; without one: fewer than ${MIN_TRIALS} trials have the figure.</p></div>
  ${notes.map((note) => html`<p class="note">${note}</p>`)}`;
  return section('figures', 'Figures', content);
}

const TYPING_NOTES: readonly Content[] = [
  html`Local latency: from sending a ${wordLink('sigil')}’s last key to its showing on the own screen; end-to-end: on another’s. User
  figures are per user, the driver’s for all users together. ${NOTHING}: not measured, or too few samples. ${BUSY_MARK}: the machine was
  over ${BUSY_MACHINE_PERCENT} % busy, so the latency is partly its own. ${MARK}: the last calibration missed its bound on
  it. ${CROWD_MARK}: beside a played crowd, which was not shown to equal live users in every figure.`,
];

function publishedSection(study: PublishedStudy, tables: Reported['publishedTables']): Markup {
  const { authors, title, year, url, source, conditions, missing } = study;
  const heading = `Published elsewhere: ${authors[0] ?? title}${authors.length > 1 ? ' et al.' : ''} ${year}`;
  const content = html`<p>None of these numbers were measured in the runs above: they come from other machines and other versions.
  ${authors.join(', ')}: <a href="${url}">${title}</a>, ${year}. ${source}</p>
  ${list(conditions)}
  ${tables.map(
    ({ title: caption, notes, ...table }) => html`
${scroll({ label: caption }, renderHtml(table, { caption }))}
${list(notes)}`,
  )}
  ${missing.length === 0 ? null : html`<p class="note">Not taken over:</p>${list(missing)}`}`;
  return section('published', heading, content, html` id="published" class="published"`);
}

function list(texts: readonly string[]): Content {
  return texts.length === 0 ? null : html`<ul class="note">${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
}

function meaningsTable({ figures }: Scenario): CaptionedTable {
  return {
    id: 'meanings',
    title: 'What the figures mean',
    columns: ['figure', 'unit', 'what it is', 'name in summary.json'].map(left),
    rows: figures.map(({ name, label, unit, what }) => [label, unit, what, name]),
    notes: [],
  };
}
