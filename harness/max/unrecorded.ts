/** The trials of a search whose crowd cannot be recorded: kept, so that no later command records it in vain. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { readJson } from '../../results/run-folder/run-files.ts';
import { type Attempt, cellOf } from './outcome.ts';
import { EDGE_TRIALS, type SearchBounds, type Attempt as Tried } from './search.ts';

const UNRECORDED_FILE = 'unrecorded.json';

const unrecordedSchema = z.array(z.object({ trial: z.string(), why: z.string() }));

export class UnrecordedTrials {
  /** To be removed by a person who wants them tried again. */
  readonly path: string;
  readonly #whyOf: Map<string, string>;

  private constructor(path: string, known: z.infer<typeof unrecordedSchema>) {
    this.path = path;
    this.#whyOf = new Map(known.map(({ trial, why }) => [trial, why]));
  }

  /** Those that earlier commands left in a search's run folder. @throws UserError (2) if their file is damaged */
  static async in(directory: string): Promise<UnrecordedTrials> {
    const path = join(directory, UNRECORDED_FILE);
    return new UnrecordedTrials(path, existsSync(path) ? await readJson(path, unrecordedSchema) : []);
  }

  has({ directory }: PlannedTrial): boolean {
    return this.#whyOf.has(directory);
  }

  async add({ directory }: PlannedTrial, why: string): Promise<void> {
    this.#whyOf.set(directory, why);
    await writeJson(
      this.path,
      Array.from(this.#whyOf, ([trial, reason]) => ({ trial, why: reason })),
    );
  }

  /** The attempts at trials of a plan, in its order: those that have ended, and these, of which nothing is known. */
  among(plan: readonly PlannedTrial[], ended: readonly Attempt[]): Attempt[] {
    const endedAt = new Map(ended.map((attempt) => [attempt.planned.directory, attempt]));
    return plan.flatMap((planned) => {
      const why = this.#whyOf.get(planned.directory);
      return endedAt.get(planned.directory) ?? (why === undefined ? [] : unrecorded(planned, why));
    });
  }
}

function unrecorded(planned: PlannedTrial, why: string): Attempt {
  const judged = {
    ...({ trial: planned.trial, verdict: 'invalid', converged: null, version: null, figures: null } as const),
    messages: [{ code: 'crowd-not-recorded', rank: 'decides' as const, text: why }],
    isShortOfCores: false,
  };
  return { planned, outcome: 'unknown', why: [why], cell: cellOf(planned, judged), isUnrecorded: true };
}

/**
 * Attempts as the search's rules see them. A crowd of so many users cannot be recorded for another trial either: it answers for all
 * that its count still lacks.
 */
export function triedIn(
  attempts: readonly Pick<Attempt, 'planned' | 'outcome' | 'isUnrecorded'>[],
  { edgeTrials = EDGE_TRIALS }: Pick<SearchBounds, 'edgeTrials'>,
): Tried[] {
  return [...Map.groupBy(attempts, ({ planned: { users } }) => users)].flatMap(([users, own]) => {
    const tried = own.map(({ outcome }): Tried => ({ users, outcome }));
    const lacking = own.some(({ isUnrecorded }) => isUnrecorded) ? Math.max(0, edgeTrials - own.length) : 0;
    return [...tried, ...Array.from({ length: lacking }, (): Tried => ({ users, outcome: 'unknown' }))];
  });
}
