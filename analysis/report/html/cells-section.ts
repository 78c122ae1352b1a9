/** Every cell with its figures and intervals, its trials, reasons, notes and CPU profiles. */

import { notesOf, reasonsOf } from '../../cell/messages.ts';
import { chartsOver, HEADLINE_FIGURES, SUMMARY_FIGURES } from '../../figures/catalogue.ts';
import { type Figure, isHeadline, longUnit, titleOf } from '../../figures/figure.ts';
import { countOf, formatFigureOf, formatInterval, formatOf, HELD_ONCE, NOTHING } from '../../figures/figure-text.ts';
import type { Cell } from '../../scenarios/cell.ts';
import { INTERVAL_MEANING } from '../../statistics/interval.ts';
import { type Content, html, type Markup } from '../../tables/markup.ts';
import { renderHtml } from '../../tables/render.ts';
import { left, right, type Table } from '../../tables/table.ts';
import type { NamedReportCell, ReportCell, ReportTrial } from '../report-data.ts';
import { verdictText } from './figures-section.ts';
import { scroll } from './page-shell.ts';
import { cellAnchor, STATES } from './verdict-section.ts';
import { stateOf } from './verdicts.ts';

const CHARTED = chartsOver('users');
/** The figures that no chart against users shows. */
const FURTHER = SUMMARY_FIGURES.filter((figure) => !CHARTED.some(({ name }) => name === figure.name));

export function cellsSection(cells: readonly NamedReportCell[]): Content {
  if (cells.length === 0) return null;
  return html`
<section id="cells" aria-labelledby="cells-title">
  <h2 id="cells-title">Every cell</h2>
  <p class="note">${INTERVAL_MEANING}</p>
  ${cells.map(cellDetails)}
</section>`;
}

function cellDetails({ line, cell }: NamedReportCell): Markup {
  const { parameters, ran, run, name, messages } = cell;
  const state = stateOf(cell);
  return html`
<details class="cell" id="${cellAnchor(run, name)}">
  <summary><span class="chip ${state}">${STATES[state].sign}</span> <b>${line}</b> <span class="version">${cell.version}</span>
  ${parameters.mode}, ${countOf(parameters.users, 'user')} <span class="quiet">${standing(cell)}</span></summary>
  ${sentences('Reasons', reasonsOf(messages))}
  ${sentences('Notes', notesOf(messages))}
  ${scroll({ label: `Trials of ${line}, ${parameters.mode}, ${parameters.users} users` }, trialTable(ran))}
  ${cell.validTrials === 0 ? null : figureList(cell)}
</details>`;
}

/** `valid, fully functional`; a cell without a valid trial is neither functional nor not. */
function standing(cell: Cell): string {
  if (cell.validTrials === 0) return cell.verdict;
  const state = stateOf(cell);
  const once = state === 'functional' && cell.validTrials === 1 ? `, ${HELD_ONCE}` : '';
  return `${verdictText(cell)}, ${state === 'unknown' ? 'fully functional or not is not known' : STATES[state].word}${once}`;
}

function sentences(title: string, texts: readonly string[]): Content {
  if (texts.length === 0) return null;
  return html`<h4>${title}</h4><ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
}

function trialTable(trials: readonly ReportTrial[]): Markup {
  const headings = HEADLINE_FIGURES.map((figure) => right(titleOf(figure), longUnit(figure)));
  return renderHtml({
    columns: [left('trial'), left('verdict'), left('CPU profiles'), ...headings],
    rows: trials.map(({ trial, verdict, messages, figures, cpuProfiles }) => [
      trial,
      verdict,
      cpuProfiles.length === 0
        ? NOTHING
        : cpuProfiles.map((path) => html`<a href="${encodeURI(path)}">${profileName(path)}</a> `),
      ...(figures === null
        ? [reasonsOf(messages).join('; ')]
        : HEADLINE_FIGURES.map((figure) => formatOf(figure)(figures[figure.name] ?? null))),
    ]),
  });
}

/** `user-000` of `trials/yjs-optquill-4-1/profiles/user-000.cpuprofile`. */
function profileName(path: string): string {
  return path
    .split('/')
    .at(-1)!
    .replace(/\.cpuprofile$/, '');
}

/** The page's style aligns the numbers of both tables: with a class at each, a large report would be a twentieth heavier. */
function figureList(cell: ReportCell): Markup {
  const nameOf = (figure: Figure) => `${titleOf(figure)}, ${longUnit(figure)}`;
  const converged = cell.converged === null ? NOTHING : cell.converged ? 'yes' : 'no';
  const charted: Table = {
    columns: ['of all valid trials', 'figure', '95 % interval'].map(left),
    rows: CHARTED.map((figure) => [
      nameOf(figure),
      formatFigureOf(figure, cell),
      isHeadline(figure) ? formatInterval(cell.ci95[figure.name] ?? null, cell, formatOf(figure)) : '',
    ]),
  };
  const further: Table = {
    columns: ['further', 'figure'].map(left),
    rows: [...FURTHER.map((figure) => [nameOf(figure), formatFigureOf(figure, cell)]), ['Converged', converged]],
  };
  return html`
<div class="columns">
${renderHtml(charted)}
${renderHtml(further)}
</div>`;
}
