/** What a recorded user typed, second by second. A recording has all that falls due: on a virtual clock nobody is late. */
import type { RecordOf } from '../../results/formats/records.ts';
import type { Assignment } from '../trial/protocol.ts';
import { makeSchedule } from '../users/typing/schedule.ts';

const SECOND_MS = 1000;

/**
 * @param startMs  when typing began, on the record's clock
 * @param typingMs how long it lasted
 */
export function plannedTyping(
  { user, users, seed, typing, writes }: Pick<Assignment, 'user' | 'users' | 'seed' | 'typing' | 'writes'>,
  startMs: number,
  typingMs: number,
): RecordOf<'typing'>[] {
  if (!writes) return [];
  const { dueMs } = makeSchedule({ ...typing, user, users, seed });
  const edits: number[] = Array.from({ length: Math.ceil(typingMs / SECOND_MS) }, () => 0);
  for (let k = 0; dueMs(k) < typingMs; k++) edits[Math.floor(dueMs(k) / SECOND_MS)]!++;
  return edits.map((count, second) => ({
    type: 'typing',
    atMs: startMs + (second + 0.5) * SECOND_MS,
    offered: count,
    performed: count,
    skipped: 0,
    sigilsSkipped: 0,
    formats: 0,
    lagMs: [],
    driverLagMs: [],
  }));
}
