/** A chart with its heading, its switch of the axis, its legend, and the table behind it. */

import { html } from '../../tables/markup.ts';
import { renderHtml } from '../../tables/render.ts';
import { describeChart, headingOf, hintOf, isEmpty } from '../chart-model.ts';
import { type ChartModel, type Picture, tableOf } from '../forms/form.ts';
import { beginsLogarithmic } from '../forms/scale.ts';
import { cssColour, INK, swatch } from '../palette.ts';
import { BOTTOM_PX, drawPlot, plotOf } from '../plot.ts';
import { svgImage } from '../svg-chart.ts';
import { copyOrSave, csvOf, pngOf } from './copy-chart.ts';
import { type DrawnChart, showFiguresAtMouse } from './hover.ts';
import { element, themeNow } from './theme.ts';

/** How long a button says what it did. */
const DONE_MS = 2000;
/** A chart is drawn a little before it comes into view. */
const VIEW_MARGIN = '200px';
/** Around a plot: the title of its axis above it, and half a label beside it. */
const TOP_PX = 24;
const RIGHT_PX = 16;

export class ChartPanel {
  readonly element: HTMLElement;
  readonly #title: HTMLElement;
  readonly #hint = element('p', { class: 'hint' });
  readonly #logSwitch = element('button', { type: 'button', class: 'switch', 'aria-pressed': 'false' }, ['log']);
  readonly #frame = element('div', { class: 'plot', role: 'img' });
  readonly #legend = element('p', { class: 'legend', 'aria-hidden': 'true' });
  readonly #absent = element('p', { class: 'absent' });
  readonly #table: HTMLElement;
  readonly #details: HTMLDetailsElement;
  readonly #anchor: HTMLElement;

  #model: ChartModel | null = null;
  #picture: Picture | null = null;
  #drawn: DrawnChart | null = null;
  /** The reader's choice of the axis; null before there is one. */
  #wantsLog: boolean | null = null;
  #isInView = false;

  /** @param id unique in the page */
  constructor(id: string) {
    const titled = { 'aria-labelledby': `${id}-title` };
    this.#title = element('h3', { id: `${id}-title` });
    this.#table = element('div', { class: 'scroll', tabindex: '0', role: 'region', ...titled });
    this.#details = element('details', {}, [element('summary', {}, ['Figures']), this.#table]);
    this.#anchor = element('a', { class: 'anchor', 'aria-label': 'Link to this chart' }, ['#']);
    this.element = element('figure', { id, class: 'panel', ...titled }, [
      element('div', { class: 'panel-head' }, [
        element('div', {}, [this.#title, this.#hint]),
        element('div', { class: 'tools' }, [this.#logSwitch, ...this.#copyButtons(), this.#anchor]),
      ]),
      this.#frame,
      this.#legend,
      this.#absent,
      this.#details,
    ]);
    this.#listen();
  }

  /**
   * Takes what is to be seen; it is drawn when it comes into view. Nothing to draw hides the panel.
   *
   * @param address that leads to the chart; by default the page's, with the panel's id
   */
  show(model: ChartModel, address = `#${this.element.id}`): void {
    // A panel that shows another figure begins with the axis of that.
    if (model.title !== this.#model?.title || model.unit !== this.#model.unit) this.#wantsLog = null;
    this.#model = model;
    this.#anchor.setAttribute('href', address);
    this.element.hidden = isEmpty(model);
    this.#redraw();
  }

  /** Draws at once, as wide as there is room. */
  draw(): void {
    const [model, picture] = [this.#model, this.#picture];
    const right = this.#frame.clientWidth - RIGHT_PX;
    if (model === null || picture === null || this.element.hidden || this.#drawn?.plot.right === right) return;
    const plot = plotOf(picture, { right, top: TOP_PX, paint: cssColour });
    this.#frame.innerHTML =
      html`<svg width="${right + RIGHT_PX}" height="${plot.bottom + BOTTOM_PX}" fill="${cssColour(INK)}" aria-hidden="true">
${drawPlot(picture, plot)}<g class="at-mouse"></g></svg>`.text;
    this.#drawn = { model, picture, plot };
  }

  get #isLog(): boolean {
    return this.#wantsLog ?? (this.#model !== null && beginsLogarithmic(this.#model));
  }

  #listen(): void {
    this.#logSwitch.addEventListener('click', () => {
      this.#wantsLog = !this.#isLog;
      this.#redraw();
    });
    this.#details.addEventListener('toggle', () => this.#fillTable());
    const drawIfInView = () => {
      if (this.#isInView) this.draw();
    };
    const observer = new IntersectionObserver(
      ([entry]) => {
        this.#isInView = entry?.isIntersecting ?? false;
        drawIfInView();
      },
      { rootMargin: VIEW_MARGIN },
    );
    observer.observe(this.element);
    new ResizeObserver(drawIfInView).observe(this.#frame);
    showFiguresAtMouse(this.#frame, () => this.#drawn);
  }

  #copyButtons(): HTMLElement[] {
    const button = (kind: string, make: (model: ChartModel) => Blob | Promise<Blob>) => {
      const made = element('button', { type: 'button', 'aria-label': `Copy as ${kind}` }, [kind]);
      made.addEventListener('click', async () => {
        if (this.#model === null) return;
        made.textContent = await copyOrSave(await make(this.#model), `${this.element.id}.${kind.toLowerCase()}`);
        setTimeout(() => {
          made.textContent = kind;
        }, DONE_MS);
      });
      return made;
    };
    return [
      button('PNG', (model) => pngOf(svgImage(model, { isLog: this.#isLog, theme: themeNow() }))),
      button('CSV', (model) => new Blob([csvOf(model)], { type: 'text/plain' })),
    ];
  }

  #redraw(): void {
    this.#drawn = null;
    if (this.#model === null) return;
    this.#picture = this.#model.form.layOut(this.#model, this.#isLog);
    this.#describe(this.#model, this.#picture);
    if (this.#isInView) this.draw();
  }

  #describe(model: ChartModel, { legend, needsLegend, absent, heightPx }: Picture): void {
    this.#describeHead(model);
    this.#frame.setAttribute('aria-label', describeChart(model));
    this.#legend.innerHTML =
      html`${legend.map(({ words, sign }) => html`<span>${sign ? swatch(sign) : null} ${words}</span>`)}`.text;
    this.#legend.classList.toggle('needed', needsLegend);
    this.#absent.textContent = absent.map((cell) => `✕ ${cell}`).join(' · ');
    this.#frame.style.height = `${TOP_PX + heightPx + BOTTOM_PX}px`;
    this.#fillTable();
  }

  #describeHead(model: ChartModel): void {
    this.#title.textContent = headingOf(model);
    this.#hint.textContent = hintOf(model, this.#isLog);
    this.#logSwitch.hidden = model.scale === null;
    this.#logSwitch.setAttribute('aria-pressed', String(this.#isLog));
    this.#logSwitch.setAttribute('aria-label', `${model.title}: logarithmic axis`);
  }

  #fillTable(): void {
    if (!this.#details.open || this.#model === null) return;
    const { title, unit, of } = this.#model;
    this.#table.innerHTML = renderHtml(tableOf(this.#model), { caption: `${title}, ${unit}, ${of}` }).text;
  }
}
