/** Which user count the tables of one user count are for. */
import type { ReportData } from './report-data.ts';

/** The user count at which most cells have valid trials, so that most can be compared; of equals the largest. */
export function chooseUsers({ cells }: Pick<ReportData, 'cells'>): number | null {
  const valid = cells.filter(({ summary }) => summary.validTrials > 0);
  const counts = Map.groupBy(valid, ({ summary }) => summary.users);
  const [best] = [...counts].sort(([usersA, a], [usersB, b]) => b.length - a.length || usersB - usersA);
  return best?.[0] ?? null;
}
