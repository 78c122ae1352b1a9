/** Files that a trial's processes hand in beside their records, and the result of a crowd's replay. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { recordName } from '../../results/formats/records.ts';
import { DOCUMENTS_FOLDER, type PlannedTrial, SAVED_STATE_ENDING } from '../../results/formats/run-directory.ts';
import { writeFileAtomically } from '../../results/formats/write-file.ts';
import type { Member } from './member.ts';
import type { TrialProcesses } from './trial-processes.ts';

/** Ending of the files in `documents/` that hold messages of users' clients. */
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
 * @param options.isEvidence true if each document is wanted, because they may differ; else one is enough
 */
export async function collectOutcomes(options: {
  members: readonly Member[];
  directory: string;
  isEvidence: boolean;
  signal: AbortSignal;
}): Promise<void> {
  const { members, directory, isEvidence, signal } = options;
  const take = async (member: Member) => {
    member.send({ type: 'collect', withContents: isEvidence || member.user === 0 });
    const { contents, editorContents, savedState, sent } = await member.expect('outcome', signal);
    const path = join(directory, DOCUMENTS_FOLDER, memberName(member));
    if (sent !== undefined) await writeFileAtomically(`${path}${SENT_ENDING}`, JSON.stringify(sent));
    if (contents !== null) await writeFileAtomically(`${path}.json`, contents);
    if (editorContents !== null) await writeFileAtomically(`${path}.editor.json`, editorContents);
    if (savedState !== null)
      await writeFileAtomically(`${path}${SAVED_STATE_ENDING}`, Buffer.from(savedState, 'base64'));
  };
  // Last, the one beside whom somebody joins: for that newcomer it types a key, which must reach no document before.
  const [others, last] = [members.filter(({ user }) => user !== 0), members.filter(({ user }) => user === 0)];
  const handIns = await Promise.allSettled(others.map(take));
  await Promise.all(last.map(take));
  for (const { reason } of handIns.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[])
    throw reason;
}

/** In the trial's folder: what the replay found. */
export const REPLAY_FILE = 'replay.json';

/** Digest of the document, as in `DocumentState`; null if there was none in the end, for this reason. */
const replaySchema = z.object({ modelDigest: z.string().nullable(), problem: z.string().nullable() });
export type Replay = z.infer<typeof replaySchema>;

/** @throws TrialFailure if the process that does it ends badly */
export async function proveCrowd(options: {
  processes: Pick<TrialProcesses, 'run'>;
  planned: Pick<PlannedTrial, 'framework'>;
  recording: string;
  directory: string;
}): Promise<Replay> {
  const { processes, planned, recording, directory } = options;
  const args = ['--framework', planned.framework, '--recording', recording, '--trial', directory];
  await processes.run('replay', 'harness/crowd/replay-main.ts', args);
  return replaySchema.parse(JSON.parse(await readFile(join(directory, REPLAY_FILE), 'utf8')));
}
