/** The top of the report: verdicts at a glance. */

import { swatch } from '../../charts/palette.ts';
import { countOf, HELD_ONCE, NOTHING } from '../../figures/figure-text.ts';
import { type Content, html, type Markup } from '../../tables/markup.ts';
import type { NamedReportCell } from '../report-data.ts';
import {
  type CellState,
  groupVerdicts,
  headline,
  type LineVerdict,
  limitState,
  stateOf,
  type VerdictGroup,
} from './verdicts.ts';

/** Sign and word say the same as the colour. */
export const STATES: Record<CellState, { sign: string; word: string }> = {
  functional: { sign: '✓', word: 'fully functional' },
  limited: { sign: '✗', word: 'not fully functional' },
  'not-valid': { sign: '!', word: 'not valid' },
  unknown: { sign: '?', word: 'not known' },
};

/** More reasons than this stand with the cell, below. */
const MAX_REASONS = 2;

export function verdictSection(verdicts: readonly LineVerdict[], problems: readonly string[]): Markup {
  if (verdicts.length === 0)
    return html`<section><h2>Verdicts</h2><p>No trial has run yet.</p>${problemList(problems)}</section>`;
  const groups = groupVerdicts(verdicts);
  return html`
<section id="verdicts" aria-labelledby="verdicts-title">
  <h2 id="verdicts-title">Verdicts</h2>
  <ul class="headlines">${groups.map((group) => html`<li><b>${group.name}</b> ${headline(group)}</li>`)}</ul>
  <div class="verdict-tables" style="--user-counts:${Math.max(...verdicts.map(({ ran }) => ran.length))}">${groups.map(groupTable)}</div>
  <p class="key">${Object.entries(STATES).map(
    ([state, { sign, word }]) => html`<span><span class="chip ${state}">${sign}</span> ${word}</span>`,
  )}</p>
  ${problemList(problems)}
</section>`;
}

function groupTable({ name, verdicts }: VerdictGroup): Markup {
  return html`
<div class="scroll" tabindex="0" role="region" aria-label="Verdicts, ${name}">
<table class="verdicts" role="table">
  <caption>${name}</caption>
  <thead><tr><th scope="col">framework</th><th scope="col">users</th>
  <th scope="col" class="number">carried</th><th scope="col">what limited it</th></tr></thead>
  <tbody>${verdicts.map(verdictRow)}</tbody>
</table>
</div>`;
}

function verdictRow(verdict: LineVerdict): Markup {
  const { line, version, cells, maxUsers, heldOnce } = verdict;
  return html`
<tr role="row">
  <th scope="row" role="rowheader">${swatch(cells[0]!.style)} ${line} <span class="version">${version}</span></th>
  <td class="chips" role="cell">${cells.map(cellChip)}</td>
  <td class="number" role="cell">${maxUsers ?? NOTHING}${heldOnce ? html` <small>${HELD_ONCE}</small>` : null}</td>
  <td class="reason" role="cell">${limitText(verdict)}</td>
</tr>`;
}

function cellChip({ cell }: NamedReportCell): Markup {
  const { users } = cell.parameters;
  const state = stateOf(cell);
  const { sign, word: ofState } = STATES[state];
  const word = state === 'functional' && cell.validTrials === 1 ? HELD_ONCE : ofState;
  return html`<a class="chip ${state}" href="#${cellAnchor(cell.run, cell.name)}" title="${countOf(users, 'user')}: ${word}"><span class="hidden">${word} with </span>${users} <span aria-hidden="true">${sign}</span></a> `;
}

function limitText(verdict: LineVerdict): Content {
  const { next, maxUsers } = verdict;
  const state = limitState(verdict);
  if (next === null || state === null)
    return html`<span class="quiet">nothing up to ${countOf(maxUsers!, 'user')}</span>`;
  const { users, limitedBy } = next;
  const shown = limitedBy.slice(0, MAX_REASONS);
  const more = limitedBy.length > MAX_REASONS ? `; and ${limitedBy.length - MAX_REASONS} more` : '';
  return html`<b>${users}:</b> ${shown.length === 0 ? STATES[state].word : shown.join('; ')}${more}`;
}

/** The id of a cell's own place in the page. */
export function cellAnchor(run: number, name: string): string {
  return `cell-${run + 1}-${name}`;
}

function problemList(problems: readonly string[]): Content {
  if (problems.length === 0) return null;
  return html`<details class="problems" open><summary>${countOf(problems.length, 'thing')} left out or noted</summary>
<ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul></details>`;
}
