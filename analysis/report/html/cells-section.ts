/** Every cell with its figures and intervals, its trials, reasons, notes and CPU profiles. */
import type { CellSummary } from '../../../results/formats/summary.ts';
import { reasonsOf } from '../../cell/messages.ts';
import { chartsOver, HEADLINE_FIGURES, SUMMARY_FIGURES } from '../../figures/catalogue.ts';
import { type Figure, isHeadline, longUnit, titleOf } from '../../figures/figure.ts';
import { countOf, formatFigureOf, formatInterval, formatOf, HELD_ONCE, NOTHING } from '../../figures/figure-text.ts';
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
  const { summary, trials, run, name } = cell;
  const state = stateOf(summary);
  return html`
<details class="cell" id="${cellAnchor(run, name)}">
  <summary><span class="chip ${state}">${STATES[state].sign}</span> <b>${line}</b> <span class="version">${summary.version}</span>
  ${summary.mode}, ${countOf(summary.users, 'user')} <span class="quiet">${standing(summary)}</span></summary>
  ${sentences('Reasons', summary.reasons)}
  ${sentences('Notes', summary.notes)}
  ${scroll({ label: `Trials of ${line}, ${summary.mode}, ${summary.users} users` }, trialTable(trials))}
  ${summary.validTrials === 0 ? null : figureList(cell)}
</details>`;
}

/** `valid, fully functional`; a cell without a valid trial is neither functional nor not. */
function standing(summary: CellSummary): string {
  if (summary.validTrials === 0) return summary.verdict;
  const state = stateOf(summary);
  const once = state === 'functional' && summary.validTrials === 1 ? `, ${HELD_ONCE}` : '';
  return `${verdictText(summary)}, ${state === 'unknown' ? 'fully functional or not is not known' : STATES[state].word}${once}`;
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
function figureList({ summary }: ReportCell): Markup {
  const nameOf = (figure: Figure) => `${titleOf(figure)}, ${longUnit(figure)}`;
  const converged = summary.converged === null ? NOTHING : summary.converged ? 'yes' : 'no';
  const charted: Table = {
    columns: ['of all valid trials', 'figure', '95 % interval'].map(left),
    rows: CHARTED.map((figure) => [
      nameOf(figure),
      formatFigureOf(figure, summary),
      isHeadline(figure) ? formatInterval(summary.ci95[figure.name], summary, formatOf(figure)) : '',
    ]),
  };
  const further: Table = {
    columns: ['further', 'figure'].map(left),
    rows: [...FURTHER.map((figure) => [nameOf(figure), formatFigureOf(figure, summary)]), ['Converged', converged]],
  };
  return html`
<div class="columns">
${renderHtml(charted)}
${renderHtml(further)}
</div>`;
}
