/** The charts that a page shows, each in a panel that stays while choices change; and what other programs take of them. */
import { ChartPanel } from '../charts/page/chart-panel.ts';
import { element, usePaper } from '../charts/page/theme.ts';
import type { PageChart } from './charts.ts';

/** The open page's interface for other programs: image files and tests. */
export interface ReportPage {
  /** Every chart that has something to show, for every mode, and those of one number of users for every one. */
  figures(): Figure[];
  /** Shows nothing but this chart, drawn as for paper. */
  isolate(figure: Figure): void;
  /** The lines of a chart as drawn now: name and points, each with its figure, null for a gap. */
  drawn(panel: string): { name: string; points: { x: number; value: number | null }[] }[];
}

export interface Figure {
  /** The id of its element. */
  panel: string;
  /** A file name without ending. */
  name: string;
}

declare global {
  var reportPage: ReportPage;
}

export class Panels {
  readonly #place: HTMLElement;
  readonly #panels = new Map<string, ChartPanel>();

  constructor(place: HTMLElement) {
    this.#place = place;
  }

  /** These and no others, in this order. @param addressOf of a panel with that id */
  show(charts: readonly PageChart[], addressOf: (id: string) => string): void {
    const shown = new Set(charts.map(({ id }) => id));
    for (const [id, { element }] of this.#panels) if (!shown.has(id)) element.hidden = true;
    for (const { id, model } of charts) {
      const panel = this.#panelOf(id);
      panel.element.hidden = false;
      this.#place.append(panel.element);
      panel.show(model, addressOf(id));
    }
  }

  /** Those that are out of view, too. */
  drawAll(): void {
    for (const panel of this.#panels.values()) panel.draw();
  }

  drawn(id: string): ReturnType<ReportPage['drawn']> {
    const datasets = this.#panels.get(id)?.draw()?.data.datasets ?? [];
    return datasets.map(({ label = '', data }) => ({
      name: label,
      points: data.map(({ x, y, point }) => ({ x: point.x, value: Number.isNaN(x + y) ? null : point.value })),
    }));
  }

  isolate({ id, model }: PageChart): void {
    usePaper(true);
    const panel = this.#panelOf(id);
    panel.element.hidden = false;
    let alone = document.querySelector('#alone');
    if (alone === null) {
      alone = element('div', { id: 'alone' });
      document.body.replaceChildren(alone);
    }
    alone.replaceChildren(panel.element);
    panel.show(model);
    panel.draw();
  }

  #panelOf(id: string): ChartPanel {
    const panel = this.#panels.get(id) ?? new ChartPanel(id);
    this.#panels.set(id, panel);
    return panel;
  }
}
