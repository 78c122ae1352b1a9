/** A run's answer in sentences: who types smoothly with how many users, and how long text takes to the others' screens. */

import { QUICKNESS } from '../figures/catalogue.ts';
import { figureOf } from '../figures/figure.ts';
import { countOf, joined, NOTHING, ONE_TRIAL } from '../figures/figure-text.ts';
import type { TypingCell } from '../scenarios/cell.ts';

/** How a framework did, from best to worst; completes "… is". */
const STANDINGS = [
  'smooth',
  'fully functional',
  'fully functional, but not smooth',
  'not fully functional',
  'valid, but not judged',
  'not judged',
] as const;
type Standing = (typeof STANDINGS)[number];

/** With more frameworks a sentence has numbers and ends in the place of names. */
const MOST_NAMED = 4;
const WAY = 'from key to the others’ screens (median)';

/** A sentence or two for each number of users and mode; none if no trial has run. */
export function answerOf(cells: readonly TypingCell[]): string[] {
  const hasModes = new Set(cells.map(({ parameters }) => parameters.mode)).size > 1;
  const groups = Map.groupBy(cells, ({ parameters: { mode, users } }) => `${mode} ${users}`);
  return [...groups.values()].map((group) => {
    const { mode, users } = group[0]!.parameters;
    const ofEach = group.length === 1 ? '' : ' of each';
    const told = group.filter(({ validTrials }) => validTrials > 0);
    const isOnce = told.length > 0 && told.every(({ validTrials }) => validTrials === 1);
    const once = isOnce ? `, in ${ONE_TRIAL}${ofEach},` : '';
    const where = `With ${countOf(users, 'user')}${hasModes ? ` in ${mode}` : ''}${once}`;
    const byStanding = Map.groupBy(group, standingOf);
    const standings = STANDINGS.filter((standing) => byStanding.has(standing));
    if (standings.length === 1) return `${where} ${allOf(group)} ${standings[0]}${timesOf(group, ': ')}.`;
    const parts = standings.map((standing) => {
      const names = byStanding.get(standing)!.map(({ parameters }) => parameters.framework);
      const who = names.length > MOST_NAMED ? `${names.length} of ${group.length}` : joined(names);
      return `${who} ${names.length === 1 ? 'is' : 'are'} ${standing}`;
    });
    return `${where} ${parts.join('; ')}.${timesOf(group, ' It took ')}${timesOf(group, '') === '' ? '' : '.'}`;
  });
}

/** A cell whose trials are not valid has no answer; a framework that failed them is not functional. */
function standingOf({ smooth, fullyFunctional, validTrials, trials }: TypingCell): Standing {
  if (fullyFunctional === false) return 'not fully functional';
  if (smooth === true) return 'smooth';
  if (fullyFunctional === null) {
    return validTrials === trials ? 'valid, but not judged' : 'not judged';
  }
  return smooth === false ? 'fully functional, but not smooth' : 'fully functional';
}

function allOf(group: readonly TypingCell[]): string {
  const [first] = group;
  if (group.length === 1) return `${first!.parameters.framework} is`;
  return group.length === 2 ? 'both are' : `all ${group.length} are`;
}

/** `yjs 39 ms, loro 57 ms from key to …`; empty if none was measured. */
function timesOf(group: readonly TypingCell[], before: string): string {
  if (group.every((cell) => medianOf(cell) === null)) return '';
  const times = (group.length > MOST_NAMED ? endsOf(group) : group).map((cell) => {
    const median = medianOf(cell);
    const time = median === null ? NOTHING : `${median.toFixed(0)} ms`;
    return group.length === 1 ? time : `${cell.parameters.framework} ${time}`;
  });
  return `${before}${times.join(group.length > MOST_NAMED ? ' to ' : ', ')} ${WAY}`;
}

/** The quickest and the slowest. */
function endsOf(group: readonly TypingCell[]): TypingCell[] {
  const known = group.filter((cell) => medianOf(cell) !== null);
  const sorted = known.toSorted((a, b) => medianOf(a)! - medianOf(b)!);
  return [sorted[0]!, ...sorted.slice(1).slice(-1)];
}

function medianOf(cell: TypingCell): number | null {
  return figureOf(cell, QUICKNESS);
}
