/** A chart with its heading, its switch of the axis, its legend, and the table behind it. */

import { type ChartModel, describeChart, isEmpty } from '../chart-model.ts';
import { html } from '../markup.ts';
import { countOf, formatTick } from '../numbers.ts';
import { swatch } from '../swatch.ts';
import { chartTable } from './chart-table.ts';
import { drawChart, shownLines } from './draw-chart.ts';
import { element } from './element.ts';
import { type PlotChart, showsBound } from './marks.ts';
import { currentTheme } from './theme.ts';

/** A row must hold a name and two points; the rest is the axis. */
const ROW_HEIGHT_PX = 30;
const ROWS_BASE_PX = 64;
const LINES_HEIGHT_PX = 280;

export interface Panel {
  readonly element: HTMLElement;
  /** Takes what is to be seen; it is drawn when it comes into view. Nothing to draw hides the panel. */
  show(model: ChartModel, hidden: ReadonlySet<string>): void;
  /** Draws at once; null where there is nothing to draw. */
  draw(): PlotChart | null;
}

/** @param id unique in the page */
export function createPanel(id: string): Panel {
  const title = element('h3', { id: `${id}-title` });
  const hint = element('p', { class: 'hint' });
  const logSwitch = element('button', { type: 'button', class: 'switch', 'aria-pressed': 'false' }, ['log']);
  const canvas = element('canvas', { role: 'img' });
  const frame = element('div', { class: 'canvas' }, [canvas]);
  const legend = element('p', { class: 'legend', 'aria-hidden': 'true' });
  const absent = element('p', { class: 'absent' });
  const table = element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-labelledby': `${id}-title` });
  const details = element('details', {}, [element('summary', {}, ['Figures']), table]);
  const panel = element('figure', { id, class: 'panel', 'aria-labelledby': `${id}-title` }, [
    element('div', { class: 'panel-head' }, [element('div', {}, [title, hint]), logSwitch]),
    frame,
    legend,
    absent,
    details,
  ]);

  let model: ChartModel | null = null;
  let hidden: ReadonlySet<string> = new Set();
  let chart: PlotChart | null = null;
  let isLog: boolean | null = null;
  let isInView = false;

  const draw = (): PlotChart | null => {
    if (model === null || isEmpty(model)) return null;
    chart ??= drawChart(canvas, { model, hidden, isLog: isLog ?? false, theme: currentTheme() });
    return chart;
  };
  const describe = () => {
    if (model === null) return;
    const { form, scale, bound, unit } = model;
    title.textContent = `${model.title}, ${unit}`;
    const farBound =
      bound !== null && !showsBound(model, isLog ?? false)
        ? ` · bound: ${formatTick(bound.value)} ${unit}, far off`
        : '';
    hint.textContent = `${model.of} · ${model.hint}${farBound}`;
    logSwitch.hidden = scale === null;
    logSwitch.setAttribute('aria-pressed', String(isLog));
    logSwitch.setAttribute('aria-label', `${model.title}: logarithmic axis`);
    const shown = { ...model, lines: shownLines({ model, hidden }) };
    canvas.setAttribute('aria-label', describeChart(shown));
    legend.innerHTML = form === 'rows' ? rowsLegend(shown) : linesLegend(shown);
    // In rows each cell without figures says so at its place.
    absent.textContent = (form === 'rows' ? [] : shown.absent).map((cell) => `✕ ${cell}`).join(' · ');
    legend.classList.toggle('needed', form === 'rows');
    frame.style.height = `${form === 'rows' ? ROWS_BASE_PX + ROW_HEIGHT_PX * shown.lines.length : LINES_HEIGHT_PX}px`;
    if (details.open) table.replaceChildren(chartTable(model));
  };
  const redraw = () => {
    chart = null;
    describe();
    if (isInView) draw();
  };

  logSwitch.addEventListener('click', () => {
    isLog = !isLog;
    redraw();
  });
  details.addEventListener('toggle', () => {
    if (details.open && model !== null) table.replaceChildren(chartTable(model));
  });
  new IntersectionObserver(
    ([entry]) => {
      isInView = entry?.isIntersecting ?? false;
      if (isInView) draw();
    },
    { rootMargin: '200px' },
  ).observe(panel);

  return {
    element: panel,
    show(shown, without) {
      model = shown;
      hidden = without;
      isLog ??= shown.scale === 'log';
      panel.hidden = isEmpty(shown);
      redraw();
    },
    draw,
  };
}

/** Which point is which user count, where two share a row. */
function rowsLegend({ lines }: ChartModel): string {
  const counts = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const signs = counts.length === 1 ? ['●'] : ['○', '●'];
  return counts.map((count, index) => `<span>${signs[index]} ${countOf(count, 'user')}</span>`).join('');
}

function linesLegend({ lines }: ChartModel): string {
  return html`${lines.map(({ name, style }) => html`<span>${swatch(style)} ${name}</span>`)}`.text;
}
