/** The controls of a page as markup. Each is a link to another address, or sets one. Browser-safe. */
import { type FrameworkStyle, swatch } from '../charts/palette.ts';
import { type Content, html, type Markup } from '../tables/markup.ts';
import { type PageData, TABS } from './page-data.ts';
import {
  ALL,
  BEST,
  type Choices,
  FILTERS,
  type Filter,
  hashWith,
  questionsOf,
  tabsOf,
  type View,
  valuesOf,
} from './selection.ts';

interface Shown {
  data: PageData;
  styles: ReadonlyMap<string, FrameworkStyle>;
}

export function tabLinks({ tab }: View, data: PageData): Markup {
  return html`${tabsOf(data).map((each) => link(TABS[each], { tab: each }, { key: `tab ${each}`, isCurrent: each === tab }))}`;
}

/** Other questions have other rows, but who types, and how, stays chosen; where frameworks type and the next asks of stores, none would be left. */
export function questionLinks({ tab, question, choices }: View, data: PageData): Markup {
  const questions = questionsOf(data, tab);
  if (question === null || questions.length < 2) return html``;
  return html`${questions.map(({ id, title, kind, asksOf, who }) => {
    const changed = {
      tab,
      question: id,
      sort: null,
      open: null,
      chart: null,
      ...((kind !== question.kind || asksOf !== question.asksOf) && { also: null, users: null, run: null }),
      ...(who !== question.who && { who: null, version: null }),
    };
    return link(title, changed, { key: id, isCurrent: id === question.id, from: choices });
  })}`;
}

export function filterControls(view: View, shown: Shown): Markup {
  const isValid = view.choices.valid === 'only';
  const areAllValid = !isValid && view.all.every(({ validTrials }) => validTrials > 0);
  const changed = { valid: isValid ? null : 'only' };
  const valid = link('only valid rows', changed, { key: 'valid', isCurrent: isValid, from: view.choices });
  return html`${FILTERS.map((filter) => control(filter, view, shown))}${areAllValid ? null : valid}`;
}

/** @param options.key finds the link again once it is drawn anew */
function link(
  text: Content,
  changed: Readonly<Record<string, string | null>>,
  { key, isCurrent, from = {} }: { key: string; isCurrent: boolean; from?: Choices },
): Content {
  const current = isCurrent ? html` aria-current="true"` : null;
  return html`<a class="choice" href="${hashWith(from, changed)}" data-key="${key}"${current}>${text}</a> `;
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
function runText(name: string, { runs }: PageData): string {
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
    const style = styles.get(value);
    const text = html`${style === undefined ? null : swatch(style)} ${value}`;
    return link(text, changed, { key: `${name} ${value}`, isCurrent: chosen.has(value), from: choices });
  });
  const heading = name === 'who' ? question!.who : label;
  return html`<div role="group" aria-label="${heading}" class="buttons"><span class="buttons-label">${heading}${chosen.size === 0 ? ': all' : ''}</span> ${toggles}</div>`;
}
