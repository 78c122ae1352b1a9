/** Which document each trial at another's service takes place in: a fresh one, from the experiment's list, or asked for. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameworkAbout, Hosting } from '../../../editors/base/framework.ts';
import { readRecordFile } from '../../../results/formats/record-file.ts';
import { type PlannedTrial, recordPath } from '../../../results/formats/run-directory.ts';
import type { RunFolder } from '../../../results/run-folder/run-folder.ts';
import { UserError } from '../../../results/user-error.ts';
import { attachedTrials, freshDocument, isFresh, namedDocument } from '../../attached/attach.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { serverFor } from '../../experiment/servers.ts';

/** A question of a run to the person who started it. */
export interface Question {
  /** Says what is needed, and what for; a whole sentence. */
  text: string;
  /** The kind of answer, in a word: "link". */
  what: string;
  isAnswer(text: string): boolean;
}

/** Resolves with an answer; rejects if the run is interrupted, or no answer can come any more. */
export type Ask = (question: Question) => Promise<string>;

/** The trial with its document's link, if its framework takes one. */
type GiveDocument = (planned: PlannedTrial) => Promise<PlannedTrial>;

/**
 * The list's documents go to the plan's trials in order, also to those that have run already. A resumed run so gives each
 * other trial its own document. A trial that was interrupted has written into its document, and takes another.
 *
 * @param options.directory of the run
 * @param options.ask   null if nobody can be asked
 * @param options.frameworks those of the plan
 * @throws UserError (exit code 2) if there are fewer fresh documents than trials, and nobody can be asked; or fewer names than trials
 *         at servers that somebody else runs, once any are named; or other names for trials that are measured there
 */
export async function assignDocuments(options: {
  experiment: Pick<Experiment, 'documents' | 'servers' | 'store'>;
  plan: readonly PlannedTrial[];
  directory: string;
  folder: Pick<RunFolder, 'toRun' | 'brokenOff'>;
  ask: Ask | null;
  frameworks: ReadonlyMap<string, { about: Pick<FrameworkAbout, 'hosted' | 'instrument'> }>;
}): Promise<GiveDocument> {
  const { experiment, plan, folder, ask, frameworks } = options;
  const { documents } = experiment;
  const { toRun, brokenOff } = folder;
  await refuseRenamed(options);
  refuseUnnamed(experiment, plan, toRun);
  const aboutOf = ({ framework }: PlannedTrial) => frameworks.get(framework)?.about;
  const hostingOf = (planned: PlannedTrial) => aboutOf(planned)?.hosted;
  const hosted = plan.filter((planned) => hostingOf(planned) !== undefined);
  const linkOf = (planned: PlannedTrial) =>
    brokenOff.includes(planned) ? undefined : documents[hosted.indexOf(planned)];
  const without = toRun.filter((planned) => hosted.includes(planned) && linkOf(planned) === undefined);
  if (without.length > 0 && ask === null) {
    const used = without.filter((planned) => brokenOff.includes(planned)).length;
    throw new UserError(
      `${hosted.length} trials of ${without[0]!.framework} need a fresh document each, but "documents" lists ` +
        `${documents.length}${used === 0 ? '' : `, and ${used} of them served a trial that was interrupted`}: ` +
        'list a link for each trial, or run at a terminal, which asks for the missing links',
    );
  }
  return async (planned) => {
    const hosting = hostingOf(planned);
    // Its servers are its trials' own, so the same name does for all of them.
    if (aboutOf(planned)?.instrument && documents[0] !== undefined) return { ...planned, document: documents[0] };
    if (serverFor(experiment, planned.framework) !== null) {
      return { ...planned, document: namedDocument(experiment, plan, planned) ?? freshDocument(planned) };
    }
    // A database that is reused may hold one that an earlier trial gave the usual name.
    if (hosting === undefined)
      return experiment.store.reuse ? { ...planned, document: freshDocument(planned) } : planned;
    return { ...planned, document: linkOf(planned) ?? (await ask!(questionFor(planned, hosting))) };
  };
}

/** True if the document of a trial that has run can serve no other attempt: a person named it, and the trial's markers stand there now. */
export function isDocumentSpent(
  planned: PlannedTrial,
  { experiment, plan, frameworks }: Pick<Parameters<typeof assignDocuments>[0], 'experiment' | 'plan' | 'frameworks'>,
): boolean {
  if (serverFor(experiment, planned.framework) !== null) return namedDocument(experiment, plan, planned) !== undefined;
  return frameworks.get(planned.framework)?.about.hosted !== undefined && experiment.documents.length > 0;
}

/** A resumed run may name other documents for trials that are left, and for no others: their records tell where they took place. */
async function refuseRenamed({
  experiment,
  plan,
  directory,
  folder,
}: Omit<Parameters<typeof assignDocuments>[0], 'ask' | 'frameworks'>): Promise<void> {
  for (const [index, planned] of attachedTrials(experiment, plan).entries()) {
    const was = folder.brokenOff.includes(planned) ? null : await documentIn(join(directory, planned.directory));
    const name = experiment.documents[index];
    if (was === null || name === was || (name === undefined && isFresh(was, planned))) continue;
    throw new UserError(
      `"documents" (--document) names ${name ?? 'none'} for ${planned.directory}, which was measured in ${was}: name such trials’ documents as before, in their order, or none if they took fresh ones`,
    );
  }
}

/** By its record; null: it has not begun, or was at no server that somebody else runs. */
async function documentIn(trialDirectory: string): Promise<string | null> {
  const record = recordPath(trialDirectory, 'coordinator');
  if (!existsSync(record)) return null;
  for await (const line of readRecordFile(record)) if (line.type === 'trial') return line.document ?? null;
  return null;
}

/** Names are for servers that make no documents on demand: a fresh name beside them would be one that nobody made. */
function refuseUnnamed(
  experiment: Pick<Experiment, 'documents' | 'servers'>,
  plan: readonly PlannedTrial[],
  toRun: readonly PlannedTrial[],
): void {
  const named = experiment.documents.length;
  const unnamed = attachedTrials(experiment, plan).slice(named);
  if (named === 0 || !unnamed.some((planned) => toRun.includes(planned))) return;
  const trials = named + unnamed.length;
  throw new UserError(
    `"documents" (--document) names ${named}, but ${trials} trials at servers that run already need an empty document each: name ${unnamed.length} more, plan fewer trials, or name none, and each trial makes a fresh one`,
  );
}

function questionFor({ cell, trial }: PlannedTrial, { linkForm, isLink }: Hosting): Question {
  return {
    text: `${cell}, trial ${trial}, needs an empty document that anyone with the link may edit (${linkForm}).`,
    what: 'link',
    isAnswer: isLink,
  };
}
