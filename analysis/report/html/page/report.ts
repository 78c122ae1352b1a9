/** The script of `report.html`: draws the charts of the data that the page holds. */

import { contrastOf, isEmpty, type NamedCell, nameCells, timeChart, usersChart } from '../../../charts/chart-model.ts';
import { type ChartModel, onOneAxis } from '../../../charts/forms/form.ts';
import { ChartPanel, choice, lineToggles } from '../../../charts/page/chart-panel.ts';
import { coloursOf } from '../../../charts/palette.ts';
import { answerChart } from '../../../charts/range-chart.ts';
import { chartsOver } from '../../../figures/catalogue.ts';
import type { ChartedFigure } from '../../../figures/figure.ts';
import { groupByTier, type Tier } from '../../../scenarios/cell.ts';
import type { ReportData } from '../../report-data.ts';
import { openPage } from './charted-page.ts';

interface Entry {
  panel: ChartPanel;
  /** Common to the charts of all tiers. */
  chart: string;
  id: string;
  modelOf(state: State): ChartModel;
  /** True if it is of one number of users. */
  isOfUsers: boolean;
  /** The figure, or the samples that it is a quantile of; null of the answer, which is always shown. */
  about: string | null;
}

interface State {
  mode: string;
  /** Of the answer, and of the charts over time. */
  users: number;
  hidden: Set<string>;
  charts: (typeof CHOICES)[number];
}

/** A report of so few cells shows a few charts at first, those in which the cells differ most: most would have two points. */
const FEW_CELLS = 2;
const FEW_CHARTS = 2;
const CHOICES = ['a few', 'all'] as const;

const data: ReportData = JSON.parse(document.querySelector('#report-data')!.textContent!);
const cells: NamedCell[] = nameCells(data.cells, coloursOf(data.runs.map(({ environment }) => environment)));
const modes = [...new Set(data.cells.map(({ parameters }) => parameters.mode))];
const userCounts = [...new Set(data.cells.map(({ parameters }) => parameters.users))].sort((a, b) => a - b);

/** Each chart once for each tier; the ids of a report of one tier need not say which. */
const tiers = groupByTier(data.cells, ({ tier }) => tier).map(({ tier, title }) => ({
  tier,
  suffix: title === null ? '' : `-${tier}`,
}));

/** The chart of a tier, on one axis with those of the others. */
function besideOthers(tier: Tier, chartOf: (tier: Tier) => ChartModel): ChartModel {
  return onOneAxis(tiers.map((each) => chartOf(each.tier)))[tiers.findIndex((each) => each.tier === tier)]!;
}

/** Quantiles of the same samples say much the same. */
function subjectOf({ name, source }: ChartedFigure): string {
  return source.pooled === 'quantile' ? source.samples : name;
}

const entries: Entry[] = [
  ...tiers.map(({ tier, suffix }) => ({
    chart: 'key-to-screens',
    suffix,
    section: 'answer',
    modelOf: ({ mode, users }: State) => besideOthers(tier, (tier) => answerChart(cells, { mode, users, tier })),
    isOfUsers: true,
    about: null,
  })),
  ...chartsOver('users').flatMap((figure) =>
    tiers.map(({ tier, suffix }) => ({
      chart: figure.chart.id,
      suffix,
      section: figure.chart.section as string,
      modelOf: ({ mode }: State) => besideOthers(tier, (tier) => usersChart(figure, cells, { mode, tier })),
      isOfUsers: false,
      about: subjectOf(figure),
    })),
  ),
  ...chartsOver('time').flatMap((figure) =>
    tiers.map(({ tier, suffix }) => ({
      chart: `${figure.chart.id}-over-time`,
      suffix,
      section: 'time',
      modelOf: ({ mode, users }: State) =>
        besideOthers(tier, (tier) => timeChart(figure, cells, { mode, users, tier })),
      isOfUsers: true,
      about: subjectOf(figure),
    })),
  ),
].map(({ section, suffix, ...entry }) => {
  const id = entry.chart + suffix;
  const panel = new ChartPanel(id);
  document.querySelector(`#${section}-panels`)!.append(panel.element);
  return { ...entry, id, panel };
});

const areFew = data.cells.length <= FEW_CELLS;
const state: State = {
  mode: modes[0] ?? '',
  users: userCounts.at(-1) ?? 1,
  hidden: new Set(),
  charts: areFew ? 'a few' : 'all',
};

function showAll(): void {
  const models = new Map(entries.map((entry) => [entry, entry.modelOf(state)]));
  const chosen = state.charts === 'all' ? entries : telling(models);
  for (const [entry, model] of models) {
    entry.panel.show(model, state.hidden);
    if (!chosen.includes(entry)) entry.panel.element.hidden = true;
  }
  for (const panels of document.querySelectorAll('.panels')) {
    const inside = [...models].filter(([{ panel }]) => panels.contains(panel.element));
    const missing = inside
      .filter(([, model]) => isEmpty(model))
      .map(([{ panel }]) => panel.element.querySelector('h3')!.textContent);
    panels.nextElementSibling!.textContent =
      missing.length === 0 ? '' : `Not measured, or too few samples, in ${state.mode}: ${missing.join('; ')}.`;
    const isLeftOut = inside.every(([entry]) => !chosen.includes(entry));
    panels.closest('section')?.toggleAttribute('hidden', isLeftOut);
  }
}

/** The answer, and those in which cells differ most, over time if there is any, each of another subject. */
function telling(models: ReadonlyMap<Entry, ChartModel>): Entry[] {
  const drawn = [...models].filter(([{ about }, model]) => about !== null && !isEmpty(model));
  const overTime = drawn.filter(([{ isOfUsers }]) => isOfUsers);
  const ranked = (overTime.length > 0 ? overTime : drawn).sort((a, b) => contrastOf(b[1]) - contrastOf(a[1]));
  const subjects = [...Map.groupBy(ranked, ([{ about }]) => about).values()].slice(0, FEW_CHARTS);
  const charts = subjects.map(([first]) => first![0].chart);
  return entries.filter(({ about, chart }) => about === null || charts.includes(chart));
}

const toolbar = document.querySelector('#toolbar')!;

function addControls(): void {
  addChoice('Mode', 'mode', modes);
  if (areFew) addChoice('Charts', 'charts', CHOICES);
  const lines = [...new Map(cells.map(({ line, style }) => [line, style]))].map(([name, style]) => ({ name, style }));
  toolbar.append(lineToggles({ lines, hidden: state.hidden, onChange: showAll }));
  addChoice('Users', 'users', userCounts);
}

/** Nothing, if there is nothing to choose. */
function addChoice<Key extends 'mode' | 'charts' | 'users'>(
  label: string,
  key: Key,
  values: readonly State[Key][],
): void {
  if (values.length < 2) return;
  const onChoose = (value: State[Key]) => {
    state[key] = value;
    showAll();
  };
  toolbar.append(choice({ label, values, chosen: state[key], onChoose }));
}

const byId = new Map(entries.map((entry) => [entry.id, entry]));
const stateOf = (mode: string | null, users: number | null): State => ({
  ...state,
  mode: mode ?? state.mode,
  users: users ?? state.users,
});

if (data.cells.length > 0) addControls();
openPage({
  panels: new Map(entries.map(({ id, panel }) => [id, panel])),
  hidden: state.hidden,
  showAll: data.cells.length > 0 ? showAll : () => {},
  modelOf: ({ panel, mode, users }) => byId.get(panel)!.modelOf(stateOf(mode, users)),
  figures: () =>
    modes.flatMap((mode) =>
      entries.flatMap(({ id, modelOf, isOfUsers }) =>
        (isOfUsers ? userCounts : [null]).flatMap((users) =>
          isEmpty(modelOf(stateOf(mode, users)))
            ? []
            : { panel: id, mode, users, name: [id, mode, users].filter((part) => part !== null).join('-') },
        ),
      ),
    ),
});
