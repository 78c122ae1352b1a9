/** What the processes of a trial hand in besides their records, and the files that it becomes. */
import { join } from 'node:path';
import { recordName } from '../../results/formats/records.ts';
import { DOCUMENTS_FOLDER, SAVED_STATE_ENDING } from '../../results/formats/run-directory.ts';
import { writeFileAtomically } from '../../results/formats/write-file.ts';
import type { Member } from './coordinator.ts';

/** Of the files in `documents/` that hold what users' clients sent. */
export const SENT_ENDING = '.sent.json';

/** The name of a member's record, and of its other files. */
export function memberName({ role, user }: Pick<Member, 'role' | 'user'>): string {
  return recordName(user === null ? { role } : { role, user });
}

/** Writes the CPU profiles, which these members were asked for, one after the other, as they come. */
export async function keepProfiles(profiled: readonly Member[], directory: string, signal: AbortSignal): Promise<void> {
  for (const member of profiled) {
    const { profile } = await member.expect('cpu-profile', signal);
    if (profile === null) continue;
    await writeFileAtomically(join(directory, 'profiles', `${memberName(member)}.cpuprofile`), profile);
  }
}

/**
 * Has all members hand in their records' ends and their documents, and writes the documents.
 *
 * @param options.isEvidence whether each document is wanted, as it is where they may differ; else one is enough
 */
export async function collectOutcomes(options: {
  members: readonly Member[];
  directory: string;
  isEvidence: boolean;
  signal: AbortSignal;
}): Promise<void> {
  const { members, directory, isEvidence, signal } = options;
  for (const member of members) member.send({ type: 'collect', withContents: isEvidence || member.user === 0 });
  for (const member of members) {
    const { contents, editorContents, savedState, sent } = await member.expect('outcome', signal);
    const path = join(directory, DOCUMENTS_FOLDER, memberName(member));
    if (sent !== undefined) await writeFileAtomically(`${path}${SENT_ENDING}`, JSON.stringify(sent));
    if (contents !== null) await writeFileAtomically(`${path}.json`, contents);
    if (editorContents !== null) await writeFileAtomically(`${path}.editor.json`, editorContents);
    if (savedState !== null)
      await writeFileAtomically(`${path}${SAVED_STATE_ENDING}`, Buffer.from(savedState, 'base64'));
  }
}
