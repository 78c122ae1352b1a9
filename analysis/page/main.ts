/** The script of every page of results: draws what the page's address asks for, with the charts. */
import { ChartPanel } from '../charts/page/chart-panel.ts';
import type { FrameworkStyle } from '../charts/palette.ts';
import { chartsOf, type PageChart } from './charts.ts';
import { filterControls, questionLinks, tabLinks } from './controls.ts';
import { unpackData } from './packed-data.ts';
import type { PageData } from './page-data.ts';
import { rowsTable } from './rows-table.ts';
import { type Choices, hashWith, readChoices, type View, viewOf } from './selection.ts';
import { stylesOf } from './styles.ts';

const byId = (id: string) => document.getElementById(id);

class ResultsPage {
  readonly #data: PageData;
  readonly #styles: ReadonlyMap<string, FrameworkStyle>;
  /** By their ids: each stays while choices change. */
  readonly #panels = new Map<string, ChartPanel>();
  /** As the last address that was no place in the page asked. */
  #asked: Choices = {};

  constructor(data: PageData) {
    this.#data = data;
    this.#styles = stylesOf(data);
  }

  open(): void {
    // They are for readers without a script, and for paper.
    byId('tables')?.setAttribute('hidden', '');
    const show = () => this.#show();
    addEventListener('hashchange', () => {
      if (isPlace()) openDetails(location.hash);
      else show();
    });
    document.addEventListener('change', ({ target }) => {
      if (!(target instanceof HTMLSelectElement)) return;
      const { choices } = this.#view();
      location.hash = hashWith(choices, { [target.dataset.filter!]: target.value });
    });
    const usePaper = (isPaper: boolean) => document.documentElement.classList.toggle('paper', isPaper);
    addEventListener('beforeprint', () => {
      usePaper(true);
      for (const panel of this.#panels.values()) panel.draw();
    });
    addEventListener('afterprint', () => usePaper(false));
    show();
    openDetails(location.hash);
    byId(this.#asked.chart ?? '')?.scrollIntoView();
  }

  #view(): View {
    if (!isPlace()) this.#asked = readChoices(location.hash);
    return viewOf(this.#data, this.#asked);
  }

  #show(): void {
    const view = this.#view();
    const { question } = view;
    const shown = { data: this.#data, styles: this.#styles };
    for (const part of document.querySelectorAll<HTMLElement>('[data-tab]'))
      part.hidden = part.dataset.tab !== view.tab;
    byId('figures')!.hidden = question === null;
    keepFocus(() => {
      fill('tabs', tabLinks(view, this.#data).text);
      if (question === null) return;
      fill('questions', questionLinks(view, this.#data).text);
      fill('filters', filterControls(view, shown).text);
      fill('rows', rowsTable({ ...shown, view, question }).text);
    });
    if (question === null) return;
    this.#showCharts(chartsOf({ ...shown, view, question }), view.choices);
  }

  /** These and no others, in this order. */
  #showCharts(charts: readonly PageChart[], choices: Choices): void {
    for (const { element } of this.#panels.values()) element.hidden = true;
    for (const { id, model } of charts) {
      const panel = this.#panels.get(id) ?? new ChartPanel(id);
      this.#panels.set(id, panel);
      byId('chart-panels')!.append(panel.element);
      panel.show(model, hashWith(choices, { chart: id }));
    }
  }
}

/** True if the address leads to a place in the page, and asks for nothing. */
function isPlace(): boolean {
  return byId(location.hash.slice(1)) !== null;
}

/** A link to a closed part of the page would show nothing of it. */
function openDetails(hash: string): void {
  const place = byId(hash.slice(1));
  if (place instanceof HTMLDetailsElement) place.open = true;
}

function fill(id: string, markup: string): void {
  const place = byId(id);
  if (place !== null) place.innerHTML = markup;
}

/** The control that had the focus has it again, though it is a new element. */
function keepFocus(change: () => void): void {
  const key = (document.activeElement as HTMLElement | null)?.dataset.key;
  change();
  if (key !== undefined) document.querySelector<HTMLElement>(`[data-key=${CSS.escape(key)}]`)?.focus();
}

/** Of the site packed, of a report as it is. */
async function readData(): Promise<PageData> {
  const data: PageData | string = JSON.parse(byId('report-data')!.textContent!);
  return typeof data === 'string' ? await unpackData<PageData>(data) : data;
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  // A second click does not change the address.
  openDetails(target.closest<HTMLAnchorElement>('a[href^="#"]')?.hash ?? '');
  const button = target.closest<HTMLElement>('[data-copy]');
  if (button === null) return;
  void navigator.clipboard.writeText(button.dataset.copy!).then(() => {
    button.textContent = 'copied';
  });
});
void readData().then((data) => {
  if (data.rows.length > 0) new ResultsPage(data).open();
});
