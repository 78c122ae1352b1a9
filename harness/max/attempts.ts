/** The trials of a search, judged one by one from their records. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { summarizeCell } from '../../analysis/cell/cells.ts';
import { judgeTrial } from '../../analysis/cell/judged-trial.ts';
import { readTrial } from '../../analysis/trial/analyse-trial.ts';
import { type PlannedTrial, VERDICT_FILE } from '../../results/formats/run-directory.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { type Criterion, outcomeOf, type TrialOutcome } from './outcome.ts';

/** A trial of the search that has ended. */
export interface Attempt extends TrialOutcome {
  planned: PlannedTrial;
  /** Figures of this trial alone, whatever its verdict; null if not known. */
  figures: CellSummary;
}

/** Judges each trial once, however often it is asked for. */
export class Attempts {
  readonly #directory: string;
  readonly #criterion: Criterion;
  readonly #known = new Map<string, Attempt>();

  constructor(options: { directory: string; criterion: Criterion }) {
    this.#directory = options.directory;
    this.#criterion = options.criterion;
  }

  /** Those of the trials that have ended, in their order. */
  async of(plan: readonly PlannedTrial[]): Promise<Attempt[]> {
    const ended = plan.filter(({ directory }) => existsSync(join(this.#directory, directory, VERDICT_FILE)));
    const attempts: Attempt[] = [];
    for (const planned of ended) {
      const attempt = this.#known.get(planned.directory) ?? (await this.#judge(planned));
      this.#known.set(planned.directory, attempt);
      attempts.push(attempt);
    }
    return attempts;
  }

  async #judge(planned: PlannedTrial): Promise<Attempt> {
    const { framework, mode, users } = planned;
    const directory = join(this.#directory, planned.directory);
    const judged = await judgeTrial(planned, directory, { keeps: true });
    // A trial that does not count shows a used-up resource, too.
    const figures = judged.figures ?? (await readTrial(directory, { keeps: true })).measured;
    // The search's result tells the tier; its counts are judged one by one.
    const identity = { framework, tier: 'unknown' as const, mode, users };
    const outcome = outcomeOf(judged, summarizeCell(identity, [judged]), this.#criterion);
    return { planned, ...outcome, figures: summarizeCell(identity, [{ ...judged, figures }]) };
  }
}
