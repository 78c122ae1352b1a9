/** The common part of all reports' pages with charts: paper, images and tests. */
import type { ChartModel } from '../../../charts/forms/form.ts';
import type { ChartPanel } from '../../../charts/page/chart-panel.ts';
import { element, onThemeChange, usePaper } from '../../../charts/page/theme.ts';

/** The open page's interface for other programs: image files and tests. */
export interface ReportPage {
  /** Every chart that has something to show, for every mode, and over time for every user count. */
  figures(): Figure[];
  /** Shows nothing but this chart, drawn as for paper. */
  isolate(figure: Figure): void;
  /** The lines of a chart as drawn now: name and points, each with its figure, null for a gap. */
  drawn(panel: string): { name: string; points: { x: number; value: number | null }[] }[];
}

export interface Figure {
  /** The id of its element. */
  panel: string;
  /** Null where charts have no modes. */
  mode: string | null;
  /** Null where the number of users is an axis, or there is none. */
  users: number | null;
  /** A file name without ending. */
  name: string;
}

declare global {
  var reportPage: ReportPage;
}

interface ChartedPage {
  /** By the ids of their elements. */
  panels: ReadonlyMap<string, ChartPanel>;
  figures: ReportPage['figures'];
  modelOf(figure: Figure): ChartModel;
  /** Names of lines that are not shown. */
  hidden: ReadonlySet<string>;
  /** Shows every panel as the reader has chosen. */
  showAll(): void;
}

/** Shows the charts, and answers `reportPage`. */
export function openPage({ panels, figures, modelOf, hidden, showAll }: ChartedPage): void {
  showAll();
  onThemeChange(showAll);
  addEventListener('beforeprint', () => {
    usePaper(true);
    showAll();
    for (const panel of panels.values()) panel.draw();
  });
  addEventListener('afterprint', () => {
    usePaper(false);
    showAll();
  });
  globalThis.reportPage = {
    figures,
    isolate(figure) {
      usePaper(true);
      const panel = panels.get(figure.panel)!;
      let alone = document.querySelector('#alone');
      if (alone === null) {
        alone = element('div', { id: 'alone' });
        document.body.replaceChildren(alone);
      }
      alone.replaceChildren(panel.element);
      panel.show(modelOf(figure), hidden);
      panel.draw();
    },
    drawn(id) {
      const datasets = panels.get(id)?.draw()?.data.datasets ?? [];
      return datasets.map(({ label = '', data }) => ({
        name: label,
        points: data.map(({ x, y, point }) => ({ x: point.x, value: Number.isNaN(x + y) ? null : point.value })),
      }));
    },
  };
}
