/** The script of `report.html`: draws the charts of the data that the page holds. */

import { groupByTier, type Tier } from '../../../cell/cell.ts';
import { isEmpty, type NamedCell, nameCells, timeChart, usersChart } from '../../../charts/chart-model.ts';
import { type ChartModel, onOneAxis } from '../../../charts/forms/form.ts';
import { ChartPanel, choice, lineToggles } from '../../../charts/page/chart-panel.ts';
import { coloursOf } from '../../../charts/palette.ts';
import { answerChart } from '../../../charts/range-chart.ts';
import { chartsOver } from '../../../figures/catalogue.ts';
import type { ReportData } from '../../report-data.ts';
import { openPage } from './charted-page.ts';

interface Entry {
  panel: ChartPanel;
  id: string;
  modelOf(state: State): ChartModel;
  /** True if it is of one number of users. */
  isOfUsers: boolean;
}

interface State {
  mode: string;
  /** Of the answer, and of the charts over time. */
  users: number;
  hidden: Set<string>;
}

const data: ReportData = JSON.parse(document.querySelector('#report-data')!.textContent!);
const cells: NamedCell[] = nameCells(data.cells, coloursOf(data.runs.map(({ environment }) => environment)));
const modes = [...new Set(data.cells.map(({ summary }) => summary.mode))];
const userCounts = [...new Set(data.cells.map(({ summary }) => summary.users))].sort((a, b) => a - b);

/** Each chart once for each tier; the ids of a report of one tier need not say which. */
const tiers = groupByTier(data.cells, ({ summary }) => summary.tier).map(({ tier, title }) => ({
  tier,
  suffix: title === null ? '' : `-${tier}`,
}));

/** The chart of a tier, on one axis with those of the others. */
function besideOthers(tier: Tier, chartOf: (tier: Tier) => ChartModel): ChartModel {
  return onOneAxis(tiers.map((each) => chartOf(each.tier)))[tiers.findIndex((each) => each.tier === tier)]!;
}

const entries: Entry[] = [
  ...tiers.map(({ tier, suffix }) => ({
    id: `key-to-screens${suffix}`,
    section: 'answer',
    modelOf: ({ mode, users }: State) => besideOthers(tier, (tier) => answerChart(cells, { mode, users, tier })),
    isOfUsers: true,
  })),
  ...chartsOver('users').flatMap((figure) =>
    tiers.map(({ tier, suffix }) => ({
      id: `${figure.chart.id}${suffix}`,
      section: figure.chart.section as string,
      modelOf: ({ mode }: State) => besideOthers(tier, (tier) => usersChart(figure, cells, { mode, tier })),
      isOfUsers: false,
    })),
  ),
  ...chartsOver('time').flatMap((figure) =>
    tiers.map(({ tier, suffix }) => ({
      id: `${figure.chart.id}-over-time${suffix}`,
      section: 'time',
      modelOf: ({ mode, users }: State) =>
        besideOthers(tier, (tier) => timeChart(figure, cells, { mode, users, tier })),
      isOfUsers: true,
    })),
  ),
].map(({ section, ...entry }) => {
  const panel = new ChartPanel(entry.id);
  document.querySelector(`#${section}-panels`)!.append(panel.element);
  return { ...entry, panel };
});

const state: State = { mode: modes[0] ?? '', users: userCounts.at(-1) ?? 1, hidden: new Set() };

function showAll(): void {
  for (const { panel, modelOf } of entries) panel.show(modelOf(state), state.hidden);
  for (const section of document.querySelectorAll('.panels')) {
    const missing = [...section.querySelectorAll<HTMLElement>('.panel[hidden] h3')].map(
      ({ textContent }) => textContent,
    );
    section.nextElementSibling!.textContent =
      missing.length === 0 ? '' : `Not measured, or too few samples, in ${state.mode}: ${missing.join('; ')}.`;
  }
}

function addControls(): void {
  const toolbar = document.querySelector('#toolbar')!;
  if (modes.length > 1) {
    toolbar.append(
      choice({
        label: 'Mode',
        values: modes,
        chosen: state.mode,
        onChoose(mode) {
          state.mode = mode;
          showAll();
        },
      }),
    );
  }
  const lines = [...new Map(cells.map(({ line, style }) => [line, style]))].map(([name, style]) => ({ name, style }));
  toolbar.append(lineToggles({ lines, hidden: state.hidden, onChange: showAll }));
  if (userCounts.length > 1) {
    toolbar.append(
      choice({
        label: 'Users',
        values: userCounts,
        chosen: state.users,
        onChoose(users) {
          state.users = users;
          showAll();
        },
      }),
    );
  }
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
