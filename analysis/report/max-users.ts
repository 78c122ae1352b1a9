/** How many users a framework carried in a run, what limited it, and which user count most cells have. */
import type { CellSummary } from '../../results/formats/summary.ts';
import { MISSED, NOT_SMOOTH, UNKNOWN } from '../cell/fully-functional.ts';
import type { ReportData } from './report-data.ts';

export interface MaxUsers {
  /** Index into the report's runs. */
  run: number;
  framework: string;
  mode: string;
  /** The largest fully functional user count below which none was not; null if there is none. */
  maxUsers: number | null;
  /** Every user count that ran, in ascending order. */
  ran: number[];
  /** The next larger user count that ran and was not shown to be fully functional; null if there is none. */
  next: { users: number; verdict: CellSummary['verdict']; limitedBy: string[] } | null;
}

/** One entry per run, framework and mode, in the order of the cells. */
export function maxUsersOf(data: Pick<ReportData, 'cells'>): MaxUsers[] {
  const groups = Map.groupBy(data.cells, ({ run, summary }) => JSON.stringify([run, summary.framework, summary.mode]));
  return [...groups.values()].map((cells) => {
    const summaries = cells.map(({ summary }) => summary).sort((a, b) => a.users - b.users);
    const failed = summaries.findIndex(({ fullyFunctional }) => fullyFunctional === false);
    const carried = failed === -1 ? summaries : summaries.slice(0, failed);
    const best = carried.findLast(({ fullyFunctional }) => fullyFunctional === true);
    const next = summaries.find(({ users }) => best === undefined || users > best.users);
    const { framework, mode } = summaries[0]!;
    return {
      run: cells[0]!.run,
      framework,
      mode,
      maxUsers: best?.users ?? null,
      ran: summaries.map(({ users }) => users),
      next: next === undefined ? null : { users: next.users, verdict: next.verdict, limitedBy: limitsOf(next) },
    };
  });
}

/** Missed bounds; where there are none, which figure is not known, and why trials do not count. */
function limitsOf({ reasons, notes }: CellSummary): string[] {
  const missed = reasons.filter((reason) => reason.startsWith(MISSED)).map((reason) => reason.slice(MISSED.length));
  if (missed.length > 0) return missed;
  const ofTrials = reasons.filter((reason) => !reason.startsWith(NOT_SMOOTH));
  return [...notes.filter((note) => note.startsWith(UNKNOWN)), ...ofTrials];
}

/** The user count at which most cells have valid trials, so that most can be compared; of equals the largest. */
export function chooseUsers({ cells }: Pick<ReportData, 'cells'>): number | null {
  const valid = cells.filter(({ summary }) => summary.validTrials > 0);
  const counts = Map.groupBy(valid, ({ summary }) => summary.users);
  const [best] = [...counts].sort(([usersA, a], [usersB, b]) => b.length - a.length || usersB - usersA);
  return best?.[0] ?? null;
}
