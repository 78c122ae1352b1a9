/** One trial of a run: the verdict of today's checks, with the figures of a valid trial. */
import type { AnyPlannedTrial } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { readVerdict } from '../../results/run-folder/run-files.ts';
import { readTrial } from '../trial/analyse-trial.ts';
import type { TrialFigures } from '../trial/trial-figures.ts';
import { SHORT_OF_CORES } from '../verdict/checks.ts';
import { unreadable } from '../verdict/judge.ts';
import type { TrialJudgement } from './cell.ts';

/** A trial that has run. Only a valid one has figures. */
export interface JudgedTrial extends TrialJudgement {
  figures: TrialFigures | null;
}

/**
 * Judges a trial that a run has ended; `unknown` if the run gave no verdict, or the records cannot be read.
 *
 * @param options.keeps true: a `figures.json` that is missing or out of date is written
 */
export async function judgeTrial(
  { trial }: Pick<AnyPlannedTrial, 'trial'>,
  trialDirectory: string,
  { keeps = false }: { keeps?: boolean } = {},
): Promise<JudgedTrial> {
  const recorded = await readVerdict(trialDirectory);
  const today = await readTrial(trialDirectory, { keeps });
  const verdict = typeof recorded === 'string' ? unreadable(recorded) : noteChange(recorded, today.verdict);
  return {
    trial,
    verdict: verdict.verdict,
    reasons: verdict.reasons.map(({ message }) => message),
    notes: verdict.notes.map(({ message }) => message),
    converged: verdict.converged,
    version: today.version,
    figures: verdict.verdict === 'valid' ? today.measured : null,
    isShortOfCores: verdict.notes.some(({ code }) => SHORT_OF_CORES.some((short) => short === code)),
  };
}

/** The verdict of today, with a note where it is another than the run's: from what to what, and why. */
function noteChange(earlier: Verdict, today: Verdict): Verdict {
  if (earlier.verdict === today.verdict) return today;
  const saying = ({ reasons }: Verdict) => reasons.map(({ message }) => message).join('; ');
  const why = today.verdict === 'valid' ? `no check of today says that ${saying(earlier)}` : saying(today);
  const message = `its verdict changed from ${earlier.verdict} to ${today.verdict} when it was judged anew: ${why}`;
  return { ...today, notes: [...today.notes, { code: 'verdict-changed', message }] };
}
