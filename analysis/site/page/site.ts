/** The script of the site: draws what the page's address asks for. Every control is a link to another address, or sets one. */
import { ChartPanel } from '../../charts/page/chart-panel.ts';
import { onThemeChange } from '../../charts/page/theme.ts';
import { assignStyles, type FrameworkStyle, swatch } from '../../charts/palette.ts';
import { type Content, html, type Markup } from '../../tables/markup.ts';
import { unpackData } from '../packed-data.ts';
import {
  ALL,
  BEST,
  baseName,
  type Choices,
  FILTERS,
  type Filter,
  hashWith,
  questionsOf,
  readChoices,
  type View,
  valuesOf,
  viewOf,
} from '../selection.ts';
import { type SiteData, TABS, type Tab } from '../site-data.ts';
import { rowsTable } from './rows-table.ts';
import { siteCharts } from './site-charts.ts';

const byId = (id: string) => document.getElementById(id)!;

interface Shown {
  data: SiteData;
  styles: ReadonlyMap<string, FrameworkStyle>;
}

function drawSite(data: SiteData): void {
  const names = [...new Set(data.rows.map(({ who }) => who))];
  const styles = assignStyles(
    names,
    Object.fromEntries(
      names.flatMap((name) => {
        const known = data.frameworks[name] ?? data.frameworks[baseName(name)];
        return known === undefined ? [] : [[name, known.colour]];
      }),
    ),
  );
  const panels = [0, 1, 2].map((index) => new ChartPanel(`chart-${index}`, { isLinked: false }));
  byId('chart-panels').append(...panels.map(({ element }) => element));
  const show = () => drawView({ data, styles }, panels);

  addEventListener('hashchange', show);
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    const { choices } = viewOf(data, readChoices(location.hash));
    location.hash = hashWith(choices, { [target.dataset.filter!]: target.value });
  });
  onThemeChange(show);
  show();
}

function drawView({ data, styles }: Shown, panels: readonly ChartPanel[]): void {
  const view = viewOf(data, readChoices(location.hash));
  const { tab, question } = view;
  byId('tabs').innerHTML = tabLinks(view).text;
  for (const part of document.querySelectorAll<HTMLElement>('[data-tab]')) part.hidden = part.dataset.tab !== tab;
  byId('table').hidden = question === null;
  keepFocus(() => {
    byId('questions').innerHTML = questionLinks(view, data).text;
    byId('filters').innerHTML =
      question === null
        ? ''
        : html`${FILTERS.map((filter) => control(filter, view, { data, styles }))}${validLink(view)}`.text;
    byId('rows').innerHTML = question === null ? '' : rowsTable({ data, view, question, styles }).text;
  });
  const charts = question === null ? [] : siteCharts({ view, question, styles });
  for (const [index, panel] of panels.entries()) {
    const model = charts[index];
    panel.element.hidden = model === undefined;
    if (model !== undefined) panel.show(model, new Set());
  }
}

/** The control that had the focus has it again, though it is a new element. */
function keepFocus(change: () => void): void {
  const key = (document.activeElement as HTMLElement | null)?.dataset.key;
  change();
  if (key !== undefined) document.querySelector<HTMLElement>(`[data-key=${CSS.escape(key)}]`)?.focus();
}

function tabLinks({ tab }: View): Markup {
  return html`${(Object.keys(TABS) as Tab[]).map((each) => link(TABS[each], { tab: each }, { isCurrent: each === tab }))}`;
}

/** Other questions have other rows, but who types, and how, stays chosen. */
function questionLinks({ tab, question, choices }: View, data: SiteData): Markup {
  const questions = questionsOf(data, tab);
  if (question === null || questions.length < 2) return html``;
  return html`${questions.map(({ id, title, kind }) => {
    const changed = {
      tab,
      question: id,
      sort: null,
      open: null,
      ...(kind !== question.kind && { also: null, users: null, run: null }),
    };
    return link(title, changed, { isCurrent: id === question.id, from: choices });
  })}`;
}

function link(
  text: Content,
  changed: Readonly<Record<string, string | null>>,
  { isCurrent, from = {} }: { isCurrent: boolean; from?: Choices },
): Content {
  const current = isCurrent ? html` aria-current="true"` : null;
  return html`<a class="choice" href="${hashWith(from, changed)}" data-key="${Object.values(changed).join(' ')}"${current}>${text}</a> `;
}

/** A filter that has nothing to choose is left out. */
function control(filter: Filter, view: View, { data, styles }: Shown): Content {
  const { name, label, isMany = false } = filter;
  const { choices } = view;
  const values = valuesOf(filter, data, view);
  const chosen = choices[name] ?? ALL;
  if (values.length < 2 && chosen === ALL) return null;
  if (isMany) return manyControl(filter, values, view, styles);
  const first = view.question?.kind === 'carried' && name === 'run' ? [BEST] : [];
  const options = [...first, ALL, ...values].map(
    (value) =>
      html`<option value="${value}"${value === chosen ? html` selected` : null}>${name === 'run' ? runText(value, data) : value}</option>`,
  );
  return html`<label>${label} <select data-filter="${name}" data-key="filter ${name}">${options}</select></label> `;
}

/** A run by its question, and when and where it was asked. */
function runText(name: string, { runs }: SiteData): string {
  if (name === BEST) return 'the best founded of each';
  return runs.find((run) => run.name === name)?.title ?? name;
}

/** Pressing one of all leaves that one alone; the last one that is taken back leaves all. */
function manyControl(
  { name, label }: Filter,
  values: readonly string[],
  { choices, question }: View,
  styles: Shown['styles'],
): Content {
  const chosen = new Set((choices[name] ?? ALL).split(',').filter((value) => value !== ALL));
  const toggles = values.map((value) => {
    const rest = chosen.has(value) ? [...chosen].filter((each) => each !== value) : [...chosen, value];
    const changed = { [name]: rest.join(',') || ALL };
    const isCurrent = chosen.has(value);
    const style = styles.get(value);
    return html`<a class="choice" href="${hashWith(choices, changed)}" data-key="${name} ${value}"${isCurrent ? html` aria-current="true"` : null}>${style === undefined ? null : swatch(style)} ${value}</a> `;
  });
  const heading = name === 'who' ? question!.who : label;
  return html`<div role="group" aria-label="${heading}" class="buttons"><span class="buttons-label">${heading}${chosen.size === 0 ? ': all' : ''}</span> ${toggles}</div>`;
}

function validLink({ choices }: View): Content {
  const isOn = choices.valid === 'only';
  return link('only valid rows', { valid: isOn ? null : 'only' }, { isCurrent: isOn, from: choices });
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-copy]') : null;
  if (button === null) return;
  void navigator.clipboard.writeText(button.dataset.copy!).then(() => {
    button.textContent = 'copied';
  });
});
void unpackData<SiteData>(JSON.parse(byId('report-data').textContent!)).then(drawSite);
