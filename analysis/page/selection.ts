/** The rows that a reader sees, and their order: the choices are the page's address, so that every state has a link. Browser-safe. */

import { SCENARIOS } from '../scenarios/catalogue.ts';
import { naturally, TIER_TITLES } from '../scenarios/cell.ts';
import { parameterText } from '../scenarios/cell-name.ts';
import type { ScenarioParameter } from '../scenarios/scenario.ts';
import { type PageData, type Question, type Row, TABS, type Tab } from './page-data.ts';

/** As they stand behind `#`; a choice that is not made is absent. */
export type Choices = Readonly<Record<string, string>>;

export interface Filter {
  name: string;
  label: string;
  /** True if several values can be chosen at once, with commas between them. */
  isMany?: boolean;
  of(row: Row, data: PageData): string;
}

export const FILTERS: readonly Filter[] = [
  { name: 'run', label: 'run', of: ({ run }, { runs }) => runs[run]!.name },
  { name: 'who', label: 'framework', isMany: true, of: whoOf },
  { name: 'version', label: 'version', of: ({ version }) => version },
  { name: 'tier', label: 'server', of: ({ tier }) => (tier === 'unknown' ? '' : TIER_TITLES[tier]) },
  { name: 'mode', label: 'mode', of: modeOf },
  { name: 'users', label: 'users', of: (row) => String(usersOf(row) ?? '') },
  { name: 'also', label: 'case', of: caseOf },
  { name: 'trace', label: 'trace', of: ({ run }, { runs }) => runs[run]!.trace },
  { name: 'machine', label: 'machine', of: ({ run }, { runs }) => runs[run]!.machine },
];

/** The framework, engine or store that was measured. */
export function whoOf({ parameters }: Pick<Row, 'parameters'>): string {
  return String(Object.values(parameters)[0]);
}

export function modeOf({ parameters }: Pick<Row, 'parameters'>): string {
  return String(parameters.mode ?? '');
}

/** Null of a row that is of no number of users, or of several. */
export function usersOf({ parameters: { users } }: Pick<Row, 'parameters'>): number | null {
  return typeof users === 'number' ? users : null;
}

/** All other parameters: `edits, 3 times`, or a fault. */
export function caseOf({ kind, parameters: { mode: _mode, users: _users, ...parameters } }: Row): string {
  const [, ...others] = Object.entries(parameters);
  return others.map(([name, value]) => parameterText(PARAMETERS.get(`${kind} ${name}`) ?? {}, value)).join(', ');
}

const PARAMETERS = new Map<string, ScenarioParameter>(
  Object.values(SCENARIOS).flatMap(({ name: kind, parameters }) =>
    parameters.map((parameter) => [`${kind} ${parameter.name}`, parameter] as const),
  ),
);

/** The choice of no value, where a tab would begin with one. */
export const ALL = 'all';

/** The choice of the best-founded row of each framework instead of a run, where rows say how many users it carried. */
export const BEST = 'best';

export interface View {
  tab: Tab;
  /** Null on a tab without rows. */
  question: Question | null;
  choices: Choices;
  /** The rows of the question, before any filter. */
  all: Row[];
  /** Those that the filters leave, in order. */
  rows: Row[];
}

export function readChoices(hash: string): Choices {
  const pairs = new URLSearchParams(hash.replace(/^#/, ''));
  return Object.fromEntries([...pairs].filter(([, value]) => value !== ''));
}

/** The address with some choices changed; null takes one back. */
export function hashWith(choices: Choices, changed: Readonly<Record<string, string | null>>): string {
  const merged = Object.entries({ ...choices, ...changed }).filter(
    (pair): pair is [string, string] => pair[1] !== null,
  );
  return `#${new URLSearchParams(merged)}`;
}

/** Choices that the data does not know are as if they were not made. */
export function viewOf(data: PageData, asked: Choices): View {
  const asking = data.questions.find(({ id }) => id === asked.question) ?? data.questions[0];
  const tab = (Object.keys(TABS) as Tab[]).find((each) => each === asked.tab) ?? asking?.tab ?? 'typing';
  const questions = questionsOf(data, tab);
  const question = questions.find(({ id }) => id === asked.question) ?? questions[0] ?? null;
  if (question === null) return { tab, question, choices: asked, all: [], rows: [] };
  const own = askedRows(data, question);
  const all = tab === 'versions' ? ofSeveralVersions(own) : own;
  const choices = { ...firstChoices(data, tab, all), ...asked };
  const rows = all.filter((row) => passes(row, data, choices));
  return { tab, question, choices, all, rows: sorted(choices.run === BEST ? bestFounded(rows) : rows, data, choices) };
}

/** All rows of a question, as a page shows them that nobody filters. */
export function wholeView(data: PageData, { id, tab }: Question): View {
  return viewOf(data, { tab, question: id, run: ALL, mode: ALL });
}

/** Those of a tab that some run answers, where the tab’s runs answer any; versions are asked what typing is asked. */
export function questionsOf(data: PageData, tab: Tab): Question[] {
  const shown = tab === 'versions' ? 'typing' : tab;
  const all = data.questions.filter(
    (question) => question.tab === shown && (tab !== 'versions' || question.kind === 'typing'),
  );
  const answered = all.filter((question) => askedRows(data, question).length > 0);
  return answered.length > 0 ? answered : all.filter(({ asksOf }) => asksOf === undefined);
}

/** All rows of a question: those of its kind, of runs that it asks. */
export function askedRows({ rows }: Pick<PageData, 'rows'>, { kind, asksOf }: Question): Row[] {
  const own = rows.filter((row) => row.kind === kind);
  if (asksOf === undefined) return own;
  const asked = new Set(own.filter((row) => asksOf.some((name) => valueIn(row, name) !== null)).map(({ run }) => run));
  return own.filter(({ run }) => asked.has(run));
}

/** Those that have something to show; capabilities are no rows. */
export function tabsOf(data: PageData): Tab[] {
  const isOfQuestions = (tab: Tab) => data.questions.some((question) => question.tab === tab);
  return (Object.keys(TABS) as Tab[]).filter((tab) => !isOfQuestions(tab) || questionsOf(data, tab).length > 0);
}

/** The framework without its version: `yjs` of `yjs@13.5.53`. */
export function baseName(who: string): string {
  return who.replace(/(?<=.)@.*$/, '');
}

function ofSeveralVersions(rows: readonly Row[]): Row[] {
  const groups = Map.groupBy(rows, (row) => baseName(whoOf(row)));
  return [...groups.values()].filter((own) => new Set(own.map(({ version }) => version)).size > 1).flat();
}

/** The most users that a row tells of: with which it held, or did not. */
function triedIn({ figures }: Row): number {
  return figures.next ?? figures.carried ?? 0;
}

/**
 * How the most users were found, the best-founded first: a ladder of edits that are sent one by one; a search in one sitting. What asks
 * otherwise comes last: blocks, which repeat one count, and a ladder whose senders gather their edits.
 */
const WAYS = ['ladder, each', 'search', 'other'];
const SEARCH = WAYS.indexOf('search');

function rankOf(row: Row): number {
  const way = WAYS.findIndex((start) => caseOf(row).startsWith(start));
  return way === -1 ? WAYS.length : way;
}

/**
 * Of each framework and mode the ladder of the most sittings, and of these that with the most users, then the newest search; another row
 * if there is neither. Of equal ones the row that knows, then the newest.
 */
function bestFounded(rows: readonly Row[]): Row[] {
  const known = ({ figures }: Row) => Number((figures.carried ?? null) !== null);
  // So that the ladders shown are of one machine, as in README.
  const sittings = (row: Row) => (rankOf(row) < SEARCH ? row.trials : 0);
  const bestFirst = rows.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      (rankOf(a) === SEARCH ? 0 : sittings(b) - sittings(a) || triedIn(b) - triedIn(a) || known(b) - known(a)),
  );
  const groups = Map.groupBy(bestFirst, (row) => JSON.stringify([whoOf(row), modeOf(row)]));
  const chosen = [...groups.values()].map((own) => {
    const ways = [...Map.groupBy(own, rankOf).values()].map(([best]) => best!);
    return ways.filter((row, index) => index === 0 || rankOf(row) <= SEARCH);
  });
  return chosen.toSorted(([a], [b]) => rankOf(a!) - rankOf(b!) || triedIn(b!) - triedIn(a!)).flat();
}

/** More rows of several modes are too many for one picture. */
const MOST_TOGETHER = 16;

/** Like beside like: in a large report the first mode; else the run that compares most; on the tab of versions, most of one framework. */
function firstChoices({ runs, isReport }: PageData, tab: Tab, all: readonly Row[]): Choices {
  if (isReport) {
    const isMixed = new Set(all.map(modeOf)).size > 1;
    return isMixed && all.length > MOST_TOGETHER ? { mode: modeOf(all[0]!) } : {};
  }
  // Of the editor with which the most users were tried.
  const [largest] = all.toSorted((a, b) => triedIn(b) - triedIn(a));
  if (largest?.kind === 'carried') return { run: BEST, mode: modeOf(largest) };
  const groups = runs.flatMap(({ name }, run) => {
    const own = all.filter((row) => row.run === run).map(whoOf);
    return tab === 'versions'
      ? [...Map.groupBy(own, baseName).values()].map((names) => ({ name, names: new Set(names) }))
      : [{ name, names: new Set(own) }];
  });
  const most = Math.max(0, ...groups.map(({ names }) => names.size));
  const best = groups.find(({ names }) => names.size === most);
  if (best === undefined || most === 0) return {};
  return tab === 'versions' ? { run: best.name, who: [...best.names].join(','), sort: 'version' } : { run: best.name };
}

/** @param without a filter that is left out, so that its other values can be offered */
export function passes(row: Row, data: PageData, choices: Choices, without?: string): boolean {
  if (choices.valid === 'only' && row.validTrials === 0) return false;
  return FILTERS.every(({ name, isMany, of }) => {
    const chosen = choices[name];
    if (chosen === undefined || chosen === ALL || chosen === BEST || name === without) return true;
    const value = of(row, data);
    return isMany ? chosen.split(',').includes(value) : value === chosen;
  });
}

/** The values that a filter offers beside the other choices, and the chosen one. */
export function valuesOf(filter: Filter, data: PageData, { all, choices }: View): string[] {
  const rows = all.filter((row) => passes(row, data, choices, filter.name));
  const chosen = choices[filter.name] ?? '';
  const values = [...rows.map((row) => filter.of(row, data)), ...(filter.isMany ? chosen.split(',') : [chosen])];
  const known = new Set(values.filter((value) => value !== '' && value !== ALL && value !== BEST));
  return filter.name === 'run' ? [...known] : [...known].sort(naturally);
}

/** `-name` is downwards. A row without the figure comes last, whichever the direction. */
function sorted(rows: readonly Row[], data: PageData, { sort = '' }: Choices): Row[] {
  const name = sort.replace(/^-/, '');
  const sign = sort.startsWith('-') ? -1 : 1;
  if (name === '') return [...rows];
  const filter = FILTERS.find((each) => each.name === name);
  return rows.toSorted((a, b) => {
    if (filter !== undefined) return sign * naturally(filter.of(a, data), filter.of(b, data));
    const [x, y] = [valueIn(a, name), valueIn(b, name)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return sign * (x - y);
  });
}

export function valueIn({ figures }: Pick<Row, 'figures'>, column: string): number | null {
  return figures[column] ?? null;
}
