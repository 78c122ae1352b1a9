/** The script of every page of results: draws what the page's address asks for, with the charts. */
import { onThemeChange, usePaper } from '../charts/page/theme.ts';
import type { FrameworkStyle } from '../charts/palette.ts';
import { chartsOf, type PageChart } from './charts.ts';
import { filterControls, questionLinks, tabLinks } from './controls.ts';
import { unpackData } from './packed-data.ts';
import type { PageData, Question } from './page-data.ts';
import { type Figure, Panels } from './panels.ts';
import { rowsTable } from './rows-table.ts';
import { type Choices, hashWith, modeOf, readChoices, usersOf, type View, viewOf, wholeView } from './selection.ts';
import { stylesOf } from './styles.ts';

const byId = (id: string) => document.getElementById(id);

/** A chart of a question, for other programs. */
interface Found {
  chart: PageChart;
  figure: Figure;
}

class ResultsPage {
  readonly #data: PageData;
  readonly #styles: ReadonlyMap<string, FrameworkStyle>;
  readonly #panels = new Panels(byId('chart-panels')!);
  /** As the last address that was no place in the page asked. */
  #asked: Choices = {};
  #allFigures: ReadonlyMap<string, Found> | null = null;

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
    onThemeChange(show);
    addEventListener('beforeprint', () => {
      usePaper(true);
      show();
      this.#panels.drawAll();
    });
    addEventListener('afterprint', () => {
      usePaper(false);
      show();
    });
    show();
    openDetails(location.hash);
    byId(this.#asked.chart ?? '')?.scrollIntoView();
    globalThis.reportPage = {
      figures: () => [...this.#figures().values()].map(({ figure }) => figure),
      isolate: ({ name }) => this.#panels.isolate(this.#figures().get(name)!.chart),
      drawn: (panel) => this.#panels.drawn(panel),
    };
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
    this.#panels.show(chartsOf({ ...shown, view, question }), (id) => hashWith(view.choices, { chart: id }));
  }

  /** By the names of their files. */
  #figures(): ReadonlyMap<string, Found> {
    if (this.#allFigures !== null) return this.#allFigures;
    const all = this.#data.questions.flatMap((question) => {
      const { rows } = wholeView(this.#data, question);
      const modes = new Set(rows.map(modeOf));
      return [...modes].flatMap((mode) => this.#figuresOf(question, mode));
    });
    this.#allFigures = new Map(all.map((found) => [found.figure.name, found]));
    return this.#allFigures;
  }

  #figuresOf(question: Question, mode: string): Found[] {
    const asked: Choices = { tab: question.tab, question: question.id, run: 'all', ...(mode !== '' && { mode }) };
    const viewWith = (changed: Choices) => viewOf(this.#data, { ...asked, ...changed });
    const counts = new Set(viewWith({}).rows.flatMap((row) => usersOf(row) ?? []));
    const views = [viewWith({}), ...[...counts].map((users) => viewWith({ users: String(users) }))];
    return views.flatMap((view, index) => {
      const charts = chartsOf({ data: this.#data, styles: this.#styles, view, question }, { isWhole: true });
      // A view of one number of users has no chart over them.
      return charts
        .filter(({ users }) => index === 0 || users !== null)
        .map((chart) => {
          const name = [chart.id, mode, chart.users].filter((part) => part !== null && part !== '').join('-');
          return { chart, figure: { panel: chart.id, name } };
        });
    });
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
