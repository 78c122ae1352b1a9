/** Every cell of a report with its figures and intervals, its trials, reasons, notes and CPU profiles. */
import type { ScenarioName } from '../../results/formats/documents.ts';
import { notesOf, reasonsOf } from '../cell/messages.ts';
import { type CellFigure, longUnit, titleOf } from '../figures/figure.ts';
import { countOf, formatAmount, formatInterval, formatOf, HELD_ONCE, NOTHING } from '../figures/figure-text.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { Cell, CellTrial } from '../scenarios/cell.ts';
import { parameterText } from '../scenarios/cell-name.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { INTERVAL_MEANING } from '../statistics/interval.ts';
import { type Content, html, type Markup } from '../tables/markup.ts';
import { renderHtml } from '../tables/render.ts';
import { left, right } from '../tables/table.ts';
import { cellAnchor, STATES, stateOf } from './cell-state.ts';
import { scroll, section } from './shell.ts';

export interface ReportedTrial extends CellTrial {
  /** From the report's folder to files that Chrome DevTools opens, with `/`; absent: none. */
  cpuProfiles?: readonly string[];
}

export interface ReportedCell extends Cell {
  /** Index into the report's runs. */
  run: number;
  ran: readonly ReportedTrial[];
}

export function cellsSection(cells: readonly ReportedCell[], name: ScenarioName): Content {
  if (cells.length === 0) return null;
  const content = html`<p class="note">${INTERVAL_MEANING}</p>
  ${cells.map((cell) => cellDetails(cell, SCENARIOS[name]))}`;
  return section('cells', 'Every cell', content);
}

function cellDetails(cell: ReportedCell, scenario: Scenario): Markup {
  const { version, messages, validTrials } = cell;
  const [who, ...others] = scenario.parameters.flatMap((parameter) => {
    const value = cell.parameters[parameter.name];
    return value === undefined ? [] : [parameterText(parameter, value)];
  });
  const state = stateOf(cell);
  const chip = scenario.isTyping ? html`<span class="chip ${state}">${STATES[state].sign}</span> ` : null;
  return html`
<details class="cell" id="${cellAnchor(cell)}">
  <summary>${chip}<b>${who!}</b> <span class="version">${version}</span>
  ${others.join(', ')} <span class="quiet">${standing(cell, scenario)}</span></summary>
  ${sentences('Reasons', reasonsOf(messages))}
  ${sentences('Notes', notesOf(messages))}
  ${scroll({ label: `Trials of ${[who, ...others].join(', ')}` }, trialTable(cell, scenario))}
  ${validTrials === 0 ? null : figureList(cell, scenario)}
</details>`;
}

/** `valid, fully functional`; a cell without a valid trial is neither functional nor not. */
function standing(cell: Cell, { isTyping }: Scenario): string {
  const { verdict, validTrials, trials } = cell;
  if (validTrials === 0) return verdict;
  const counted = validTrials === trials ? verdict : `${validTrials} of ${countOf(trials, 'trial')} valid`;
  if (!isTyping) return counted;
  const state = stateOf(cell);
  const once = state === 'functional' && validTrials === 1 ? `, ${HELD_ONCE}` : '';
  return `${counted}, ${state === 'unknown' ? 'fully functional or not is not known' : STATES[state].word}${once}`;
}

function sentences(title: string, texts: readonly string[]): Content {
  if (texts.length === 0) return null;
  return html`<h4>${title}</h4><ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
}

function trialTable({ ran, ...cell }: ReportedCell, { withIntervals, text }: Scenario): Markup {
  const hasProfiles = ran.some(({ cpuProfiles = [] }) => cpuProfiles.length > 0);
  const isKnown = ({ name }: CellFigure) => ran.some(({ figures }) => (figures?.[name] ?? null) !== null);
  const known = withIntervals.filter(isKnown);
  return renderHtml({
    columns: [
      left('trial'),
      left('verdict'),
      ...(hasProfiles ? [left('CPU profiles')] : []),
      ...known.map((figure) => right(titleOf(figure), longUnit(figure))),
      ...(known.length === 0 ? [left('reason')] : []),
    ],
    rows: ran.map(({ trial, verdict, messages, figures, cpuProfiles = [] }) => [
      trial,
      verdict,
      ...(hasProfiles ? [profileLinks(cpuProfiles)] : []),
      ...(figures === null || known.length === 0
        ? [reasonsOf(messages).join('; ')]
        : known.map((figure) => text(figure, { ...cell, figures, missedBounds: [] }))),
    ]),
  });
}

function profileLinks(paths: readonly string[]): Content {
  return paths.length === 0
    ? NOTHING
    : paths.map((path) => html`<a href="${encodeURI(path)}">${path.replace(/^.*\/|\.cpuprofile$/g, '')}</a> `);
}

/** The page's style aligns the numbers of both tables: with a class at each, a large report would be a twentieth heavier. */
function figureList(cell: ReportedCell, { figures, withIntervals, isTyping, text }: Scenario): Markup {
  const nameOf = (figure: CellFigure) => `${titleOf(figure)}, ${longUnit(figure)}`;
  const intervalOf = (figure: CellFigure) =>
    formatInterval(cell.ci95[figure.name] ?? null, cell, isTyping ? formatOf(figure) : formatAmount);
  const isTold = ({ name, isSeldom }: CellFigure) => isSeldom !== true || name in cell.figures;
  const further = figures.filter((figure) => isTold(figure) && !withIntervals.includes(figure));
  const converged = cell.converged === null ? NOTHING : cell.converged ? 'yes' : 'no';
  return html`
<div class="columns">
${renderHtml({
  columns: ['of all valid trials', 'figure', '95 % interval'].map(left),
  rows: withIntervals.map((figure) => [nameOf(figure), text(figure, cell), intervalOf(figure)]),
})}
${
  further.length === 0
    ? null
    : renderHtml({
        columns: ['further', 'figure'].map(left),
        rows: [...further.map((figure) => [nameOf(figure), text(figure, cell)]), ['Converged', converged]],
      })
}
</div>`;
}
