/** The script of the status page: follows the run by server-sent events, and keeps what it saw last when the run ends. */

import {
  type ChartCell,
  nameCells,
  stylesOfCells,
  trialChart,
  usersChart,
} from '../../../analysis/charts/chart-model.ts';
import { ChartPanel } from '../../../analysis/charts/page/chart-panel.ts';
import { element } from '../../../analysis/charts/page/theme.ts';
import { chartsOver } from '../../../analysis/figures/catalogue.ts';
import { TIERS, type TypingCell } from '../../../analysis/scenarios/cell.ts';
import type { RunStatus } from '../run-status.ts';

/** The countdown. */
const TEXT_PERIOD_MS = 500;
/** Charts cost the machine that is measured something, and their buckets are ten seconds long. */
const CHARTS_PERIOD_MS = 5000;

let status: RunStatus | null = null;
let cells: ChartCell[] = [];
let mode: string | null = null;
let isConnected = true;

const latestPanels = chartsOver('time').map((figure) => ({
  figure,
  panel: addPanel(`${figure.chart.id}-over-time`, 'latest'),
}));
/** Which tiers there are is known with the first cell; the panels of others stay hidden. */
const cellPanels = chartsOver('users').flatMap((figure) =>
  TIERS.map((tier) => ({ figure, tier, panel: addPanel(`${figure.chart.id}-${tier}`, 'cell') })),
);

function addPanel(id: string, section: 'latest' | 'cell'): ChartPanel {
  const panel = new ChartPanel(id);
  panel.element.hidden = true;
  byId(`${section}-panels`).append(panel.element);
  return panel;
}

function byId(id: string): HTMLElement {
  return document.getElementById(id)!;
}

function say(id: string, text: string): void {
  const place = byId(id);
  // A screen reader reads what changes; most of the time nothing does.
  if (place.textContent !== text) place.textContent = text;
}

function shown(value: number | null | undefined, digits: number, unit = ''): string {
  return typeof value === 'number' ? `${value.toFixed(digits)}${unit}` : '–';
}

function stateText({ current, trials, ended }: RunStatus): string {
  if (ended) {
    const judged = trials.filter(({ verdict }) => verdict !== null).length;
    return `The run has ended. Trials that ran: ${judged} of ${trials.length}.`;
  }
  if (!isConnected) return 'The connection to the run is lost; what was finished lies in the folder below.';
  if (current === null) return 'Between trials.';
  const { planned, phase, phaseEndsAtMs } = current;
  const leftS = phaseEndsAtMs === null ? null : Math.max(0, Math.ceil((phaseEndsAtMs - Date.now()) / 1000));
  return `${planned.cell}, trial ${planned.trial}: ${phase}${leftS === null ? '' : `, ${leftS} s left`}`;
}

function drawText(): void {
  if (status === null) return;
  const { experiment, directory, trials, current, ended, latest, reportPath } = status;
  document.title = `Scriptorium: ${experiment}${ended ? ' (ended)' : ''}`;
  say('title', experiment);
  say('directory', directory);
  say('state', stateText(status));
  say('users', shown(current?.planned.users, 0));
  say('throughput', shown(current?.figures.throughputPercent, 1, ' %'));
  say('local', shown(current?.figures.localLatencyMs, 0, ' ms'));
  say('end-to-end', shown(current?.figures.endToEndLatencyMs, 0, ' ms'));
  say('latest-title', current === null && latest !== null ? 'The last trial' : 'The trial that runs');
  byId('tiles').hidden = ended;
  if (reportPath !== null && byId('report').hidden) showReport(reportPath);
  // By name: a search that goes on tells of kept trials, too, in an order of its own.
  const runs = (row: { cell: string; trial: number }) =>
    current?.planned.cell === row.cell && current.planned.trial === row.trial;
  byId('trials').replaceChildren(
    ...trials.map(({ cell, trial, verdict, reasons }) => {
      const word = verdict ?? (runs({ cell, trial }) ? 'running' : ended ? 'not run' : 'to come');
      return element('tr', {}, [
        element('th', { scope: 'row' }, [cell]),
        element('td', {}, [String(trial)]),
        element('td', {}, [[word, ...reasons].join(': ')]),
      ]);
    }),
  );
}

/** A browser may refuse to follow a link from a server's page to a file, so the path stands there to be copied. */
function showReport(path: string): void {
  byId('report').append('Report: ', element('a', { href: encodeURI(`file://${path}`) }, [path]));
  byId('report').hidden = false;
}

function drawLatest(): void {
  const latest = status?.latest ?? null;
  byId('latest-note').hidden = latest !== null && latest.series.length > 0;
  if (latest === null) return;
  for (const { figure, panel } of latestPanels) panel.show(trialChart(figure, latest, status?.colours));
}

function drawCells(): void {
  say('cells-note', cells.length > 0 ? '' : 'None yet.');
  if (mode === null) return;
  const named = nameCells(cells, stylesOfCells(cells, status?.colours));
  for (const { figure, tier, panel } of cellPanels) {
    panel.show(usersChart(figure, named, { mode, tier }));
  }
}

function takeCells(summarized: readonly TypingCell[]): void {
  cells = summarized.map((cell) => ({ ...cell, run: 0 }));
  const modes = [...new Set(cells.map(({ parameters }) => parameters.mode))];
  mode = mode !== null && modes.includes(mode) ? mode : (modes[0] ?? null);
  if (modes.length > 1) byId('modes').replaceChildren(modeButtons(modes));
  drawCells();
}

/** A button for each mode; pressing another takes its place. */
function modeButtons(modes: readonly string[]): HTMLElement {
  const buttons = modes.map((each) => {
    const button = element('button', { type: 'button', 'aria-pressed': String(each === mode) }, [each]);
    button.addEventListener('click', () => {
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      mode = each;
      drawCells();
    });
    return button;
  });
  const label = element('span', { class: 'buttons-label', 'aria-hidden': 'true' }, ['Mode']);
  return element('div', { role: 'group', 'aria-label': 'Mode', class: 'buttons' }, [label, ...buttons]);
}

const events = new EventSource('events');
events.onmessage = ({ data }) => {
  const isFirst = status === null;
  status = JSON.parse(data) as RunStatus;
  drawText();
  if (isFirst || status.ended) drawLatest();
  // Their colours come with the status.
  if (isFirst) drawCells();
  // Nothing comes after the end, and no one is there to connect to again.
  if (status.ended) events.close();
};
events.addEventListener('cells', ({ data }) => takeCells(JSON.parse(data) as TypingCell[]));
events.onerror = () => {
  events.close();
  isConnected = false;
  drawText();
};
setInterval(drawText, TEXT_PERIOD_MS);
setInterval(() => {
  if (document.visibilityState === 'visible' && status?.ended === false) drawLatest();
}, CHARTS_PERIOD_MS);
document.addEventListener('visibilitychange', drawLatest);
