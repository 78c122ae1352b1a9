/** Which document each trial of a hosted framework takes place in: a fresh one, from the experiment's list, or asked for. */
import type { Hosting } from '../../editors/base/framework.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { UserError } from '../../results/user-error.ts';
import type { KnownFramework } from './rules/rule.ts';

/** Asks a person for the link of a fresh document, and waits for it; rejects where the run is interrupted. */
export type AskForDocument = (planned: PlannedTrial, hosting: Hosting) => Promise<string>;

export interface TrialDocuments {
  /** The trial with its document's link, where its framework takes one. */
  give(planned: PlannedTrial): Promise<PlannedTrial>;
}

/**
 * The list's documents go to the plan's trials in order, whether these have run already or not: so a run that is resumed
 * gives each of the others the document that it was meant to have. A trial that was interrupted has written into its own,
 * and takes another.
 *
 * @param options.toRun the plan's trials that are still to be run
 * @param options.begun those of them that were interrupted
 * @param options.ask   null where nobody can be asked
 * @throws UserError (exit code 2) where there are fewer fresh documents than trials, and nobody can be asked
 */
export function assignDocuments(options: {
  plan: readonly PlannedTrial[];
  toRun: readonly PlannedTrial[];
  begun: readonly PlannedTrial[];
  documents: readonly string[];
  frameworks: readonly KnownFramework[];
  ask: AskForDocument | null;
}): TrialDocuments {
  const { plan, toRun, begun, documents, frameworks, ask } = options;
  const hostingOf = ({ framework }: PlannedTrial) => frameworks.find(({ name }) => name === framework)?.about.hosted;
  const hosted = plan.filter((planned) => hostingOf(planned) !== undefined);
  const linkOf = (planned: PlannedTrial) => (begun.includes(planned) ? undefined : documents[hosted.indexOf(planned)]);
  const without = toRun.filter((planned) => hosted.includes(planned) && linkOf(planned) === undefined);
  if (without.length > 0 && ask === null) {
    const used = without.filter((planned) => begun.includes(planned)).length;
    throw new UserError(
      `${hosted.length} trials of ${without[0]!.framework} need a fresh document each, but "documents" lists ` +
        `${documents.length}${used === 0 ? '' : `, and ${used} of them served a trial that was interrupted`}: ` +
        'list a link for each trial, or run at a terminal, where you are asked for what is missing',
      { exitCode: 2 },
    );
  }
  return {
    async give(planned) {
      const hosting = hostingOf(planned);
      if (hosting === undefined) return planned;
      return { ...planned, document: linkOf(planned) ?? (await ask!(planned, hosting)) };
    },
  };
}
