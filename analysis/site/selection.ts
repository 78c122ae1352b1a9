/** The rows that a reader sees, and their order: the choices are the page's address, so that every state has a link. Browser-safe. */
import { naturally, TIER_TITLES } from '../scenarios/cell.ts';
import { type SiteData, type SiteFigure, type SiteQuestion, type SiteRow, TABS, type Tab } from './site-data.ts';

/** As they stand behind `#`; a choice that is not made is absent. */
export type Choices = Readonly<Record<string, string>>;

export interface Filter {
  name: string;
  label: string;
  /** True if several values can be chosen at once, with commas between them. */
  isMany?: boolean;
  of(row: SiteRow, data: SiteData): string;
}

export const FILTERS: readonly Filter[] = [
  { name: 'run', label: 'run', of: ({ run }, { runs }) => runs[run]!.name },
  { name: 'who', label: 'framework', isMany: true, of: ({ who }) => who },
  { name: 'version', label: 'version', of: ({ version }) => version },
  { name: 'tier', label: 'server', of: ({ tier }) => (tier === 'unknown' ? '' : TIER_TITLES[tier]) },
  { name: 'mode', label: 'mode', of: ({ mode }) => mode },
  { name: 'users', label: 'users', of: ({ users }) => (users === null ? '' : String(users)) },
  { name: 'also', label: 'case', of: ({ also }) => also },
  { name: 'trace', label: 'trace', of: ({ run }, { runs }) => runs[run]!.trace },
  { name: 'machine', label: 'machine', of: ({ run }, { runs }) => runs[run]!.machine },
];

/** The choice of no value, where a tab would begin with one. */
export const ALL = 'all';

/** The choice of the best-founded row of each framework instead of a run, where rows say how many users it carried. */
export const BEST = 'best';

export interface View {
  tab: Tab;
  /** Null on a tab without rows. */
  question: SiteQuestion | null;
  choices: Choices;
  /** The rows of the question, before any filter. */
  all: SiteRow[];
  /** Those that the filters leave, in order. */
  rows: SiteRow[];
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
export function viewOf(data: SiteData, asked: Choices): View {
  const tab = (Object.keys(TABS) as Tab[]).find((each) => each === asked.tab) ?? 'typing';
  const questions = questionsOf(data, tab);
  const question = questions.find(({ id }) => id === asked.question) ?? questions[0] ?? null;
  if (question === null) return { tab, question, choices: asked, all: [], rows: [] };
  const own = data.rows.filter(({ kind }) => kind === question.kind);
  const all = tab === 'versions' ? ofSeveralVersions(own) : own;
  const choices = { ...firstChoices(data, tab, all), ...asked };
  const rows = (choices.run === BEST ? bestFounded(all) : all).filter((row) => passes(row, data, choices));
  return { tab, question, choices, all, rows: sorted(rows, data, choices) };
}

/** Those of a tab; versions are asked what typing is asked. */
export function questionsOf({ questions }: SiteData, tab: Tab): SiteQuestion[] {
  const shown = tab === 'versions' ? 'typing' : tab;
  return questions.filter((question) => question.tab === shown && (tab !== 'versions' || question.kind === 'typing'));
}

/** The framework without its version: `yjs` of `yjs@13.5.53`. */
export function baseName(who: string): string {
  return who.replace(/(?<=.)@.*$/, '');
}

function ofSeveralVersions(rows: readonly SiteRow[]): SiteRow[] {
  const groups = Map.groupBy(rows, ({ who }) => baseName(who));
  return [...groups.values()].filter((own) => new Set(own.map(({ version }) => version)).size > 1).flat();
}

/** The most users that a row tells of: with which it held, or did not. */
function triedIn({ figures }: SiteRow): number {
  return figures.next?.value ?? figures.carried?.value ?? 0;
}

/**
 * Of each framework and mode the row of blocks with the most users, then the newest search; one of other runs if there is
 * neither. Of equal ones the row that knows, then the newest.
 */
function bestFounded(rows: readonly SiteRow[]): SiteRow[] {
  const rank = ({ also }: SiteRow) => ['blocks', 'search', 'other'].findIndex((way) => also.startsWith(way));
  const known = ({ figures }: SiteRow) => Number(figures.carried !== undefined);
  const bestFirst = rows.toSorted(
    (a, b) => rank(a) - rank(b) || (rank(a) === 1 ? 0 : triedIn(b) - triedIn(a) || known(b) - known(a)),
  );
  const groups = Map.groupBy(bestFirst, ({ who, mode }) => JSON.stringify([who, mode]));
  const chosen = [...groups.values()].map((own) => {
    const ways = [...Map.groupBy(own, rank).values()].map(([best]) => best!);
    return ways.filter((row) => rank(row) < 2 || ways.length === 1);
  });
  return chosen.toSorted(([a], [b]) => rank(a!) - rank(b!) || triedIn(b!) - triedIn(a!)).flat();
}

/** Like beside like: the run that compares most; on the tab of versions, most of one framework. */
function firstChoices({ runs }: SiteData, tab: Tab, all: readonly SiteRow[]): Choices {
  // Of the editor with which the most users were tried.
  const [largest] = all.toSorted((a, b) => triedIn(b) - triedIn(a));
  if (largest?.kind === 'carried') return { run: BEST, mode: largest.mode };
  const groups = runs.flatMap(({ name }, run) => {
    const own = all.filter((row) => row.run === run).map(({ who }) => who);
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
export function passes(row: SiteRow, data: SiteData, choices: Choices, without?: string): boolean {
  if (choices.valid === 'only' && row.validTrials === 0) return false;
  return FILTERS.every(({ name, isMany, of }) => {
    const chosen = choices[name];
    if (chosen === undefined || chosen === ALL || chosen === BEST || name === without) return true;
    const value = of(row, data);
    return isMany ? chosen.split(',').includes(value) : value === chosen;
  });
}

/** The values that a filter offers beside the other choices, and the chosen one. */
export function valuesOf(filter: Filter, data: SiteData, { all, choices }: View): string[] {
  const rows = all.filter((row) => passes(row, data, choices, filter.name));
  const values = [...rows.map((row) => filter.of(row, data)), ...(choices[filter.name]?.split(',') ?? [])];
  const known = new Set(values.filter((value) => value !== '' && value !== ALL && value !== BEST));
  return filter.name === 'run' ? [...known] : [...known].sort(naturally);
}

/** `-name` is downwards. A row without the figure comes last, whichever the direction. */
function sorted(rows: readonly SiteRow[], data: SiteData, { sort = '' }: Choices): SiteRow[] {
  const name = sort.replace(/^-/, '');
  const sign = sort.startsWith('-') ? -1 : 1;
  if (name === '') return [...rows];
  const filter = FILTERS.find((each) => each.name === name);
  return rows.toSorted((a, b) => {
    if (filter !== undefined) return sign * naturally(filter.of(a, data), filter.of(b, data));
    const [x, y] = [shownValue(a, name), shownValue(b, name)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return sign * (x - y);
  });
}

export function shownValue({ figures }: SiteRow, column: string): SiteFigure['value'] {
  return figures[column]?.value ?? null;
}
