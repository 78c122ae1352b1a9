/** Judges the trials of an earlier run by today's checks, and says where that changes their verdicts. */
import type { Verdict } from '../../results/formats/verdict.ts';
import type { RecordsDatabase } from '../views/database.ts';
import { judge } from './judge.ts';
import { completeVersion1, type RecordedThen } from './version-1.ts';

/** The verdict of today on each trial that is open, by its name; where it differs from the run's, a note tells. */
export async function judgeAnew(
  records: RecordsDatabase,
  recorded: readonly RecordedThen[],
): Promise<Map<string, Verdict>> {
  await completeVersion1(records, recorded);
  const today = await judge(records);
  return new Map(recorded.map(({ trial, verdict }) => [trial, noteChange(verdict, today.get(trial)!)]));
}

/** The verdict of today, with a note where it is another than the run's: from what to what, and why. */
export function noteChange(earlier: Verdict, today: Verdict): Verdict {
  if (earlier.verdict === today.verdict) return today;
  const saying = ({ reasons }: Verdict) => reasons.map(({ message }) => message).join('; ');
  const why = today.verdict === 'valid' ? `no check of today says that ${saying(earlier)}` : saying(today);
  const message = `its verdict changed from ${earlier.verdict} to ${today.verdict} when it was judged anew: ${why}`;
  return { ...today, notes: [...today.notes, { code: 'verdict-changed', message }] };
}
