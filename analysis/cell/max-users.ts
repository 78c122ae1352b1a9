/** The most users that each framework carried, and what limited the next number. Browser-safe. */
import type { Cell, TypingCell } from '../scenarios/cell.ts';
import { CRITERION_CODES, isReason, sentenceOf } from './messages.ts';

export interface MaxUsers {
  /** Index into the report's runs. */
  run: number;
  framework: string;
  mode: string;
  /** The largest fully functional user count below which none was not; null if there is none. */
  maxUsers: number | null;
  /** True if one trial says so. */
  heldOnce: boolean;
  /** Every user count that ran, in ascending order. */
  ran: number[];
  /** The next larger user count that ran and was not shown to be fully functional; null if there is none. */
  next: { users: number; verdict: Cell['verdict']; limitedBy: string[] } | null;
}

/** One entry per run, framework and mode, in the order of the cells. */
export function maxUsersOf({ cells }: { cells: readonly (TypingCell & { run: number })[] }): MaxUsers[] {
  const groups = Map.groupBy(cells, ({ run, parameters: { framework, mode } }) =>
    JSON.stringify([run, framework, mode]),
  );
  return [...groups.values()].map((group) => {
    const sorted = group.toSorted((a, b) => a.parameters.users - b.parameters.users);
    const failed = sorted.findIndex(({ fullyFunctional }) => fullyFunctional === false);
    const carried = failed === -1 ? sorted : sorted.slice(0, failed);
    const best = carried.findLast(({ fullyFunctional }) => fullyFunctional === true);
    const next = sorted.find(({ parameters: { users } }) => best === undefined || users > best.parameters.users);
    const { run, parameters } = sorted[0]!;
    return {
      run,
      framework: parameters.framework,
      mode: parameters.mode,
      maxUsers: best?.parameters.users ?? null,
      heldOnce: best?.validTrials === 1,
      ran: sorted.map(({ parameters: { users } }) => users),
      next:
        next === undefined ? null : { users: next.parameters.users, verdict: next.verdict, limitedBy: limitsOf(next) },
    };
  });
}

/** Missed bounds; where there are none, which figure is not known, and why trials do not count. */
function limitsOf({ messages }: Cell): string[] {
  const { paper, smooth } = CRITERION_CODES;
  const missed = messages.filter(({ code }) => code === paper.missed);
  if (missed.length > 0) return missed.map(({ text }) => text);
  const unknown = messages.filter(({ code }) => code === paper.unknown);
  const ofTrials = messages.filter((message) => isReason(message) && message.code !== smooth.missed);
  return [...unknown, ...ofTrials].map(sentenceOf);
}
