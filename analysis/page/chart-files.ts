/** The charts of a page that are files of their own. */
import type { ChartModel } from '../charts/forms/form.ts';
import { chartsOf } from './charts.ts';
import type { PageData } from './page-data.ts';
import { ALL, type Choices, modeOf, usersOf, viewOf, wholeView } from './selection.ts';
import { stylesOf } from './styles.ts';

/**
 * Every chart that has something to show, for every mode, and those of one number of users for every one.
 *
 * @returns by the names of their files, without an ending: `local-median-optquill`, `local-median-over-time-optquill-4`
 */
export function chartFiles(data: PageData): ReadonlyMap<string, ChartModel> {
  const styles = stylesOf(data);
  const files = new Map<string, ChartModel>();
  for (const question of data.questions) {
    const { rows } = wholeView(data, question);
    for (const mode of new Set(rows.map(modeOf))) {
      const counts = new Set(rows.filter((row) => modeOf(row) === mode).flatMap((row) => usersOf(row) ?? []));
      for (const count of [null, ...counts]) {
        const asked: Choices = { tab: question.tab, question: question.id, run: ALL };
        const chosen = { ...(mode !== '' && { mode }), ...(count !== null && { users: String(count) }) };
        const view = viewOf(data, { ...asked, ...chosen });
        for (const { id, users, model } of chartsOf({ data, styles, view, question }, { isWhole: true })) {
          // A view of one number of users has no chart over them.
          if (count !== null && users === null) continue;
          files.set([id, mode, users].filter((part) => part !== null && part !== '').join('-'), model);
        }
      }
    }
  }
  return files;
}
