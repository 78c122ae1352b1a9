/** Files of a trial: its records, the files that its processes hand in, and the result of a crowd's replay. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Timer } from '../../infra/clock.ts';
import { openRecordWriter, type RecordWriter } from '../../results/formats/record-file.ts';
import { type RecordLine, recordName, SCHEMA_VERSION } from '../../results/formats/records.ts';
import {
  cellMode,
  DOCUMENTS_FOLDER,
  type PlannedTrial,
  recordPath,
  SAVED_STATE_ENDING,
} from '../../results/formats/run-directory.ts';
import { writeFileAtomically } from '../../results/formats/write-file.ts';
import { countCompany } from '../experiment/company.ts';
import type { Member } from './coordinator.ts';
import { hasServer, type TrialOptions } from './trial-options.ts';
import type { TrialProcesses } from './trial-processes.ts';
import { type TrialUser, writersAmong } from './trial-users.ts';

export interface TrialRecords {
  /** Aborts with the disk's error as soon as there is one. */
  failed: AbortSignal;
  /** @param name the record's name, as `recordName` forms it */
  write(name: string, lines: RecordLine[]): void;
  /** Resolves once every line is in its file; rejects with the disk's error. */
  close(): Promise<void>;
}

export function openTrialRecords(directory: string): TrialRecords {
  const writers = new Map<string, RecordWriter>();
  const disk = new AbortController();
  return {
    failed: disk.signal,
    write(name: string, lines: RecordLine[]) {
      if (disk.signal.aborted) return;
      let writer = writers.get(name);
      if (writer === undefined) {
        writer = openRecordWriter(recordPath(directory, name), { onError: (error) => disk.abort(error) });
        writers.set(name, writer);
      }
      writer.write(lines);
    },
    async close() {
      const closed = await Promise.allSettled([...writers.values()].map((writer) => writer.close()));
      const failure = closed.find((result) => result.status === 'rejected');
      if (failure !== undefined) throw failure.reason;
    },
  };
}

/** The first lines of the coordinator's record: what the trial is, and what its verdict is judged by. */
export function openingLines(options: TrialOptions, trialUsers: readonly TrialUser[], atMs: number): RecordLine[] {
  const { planned, version, source, crowd, experiment } = options;
  const { cell, framework, users, probes, trial, seed } = planned;
  const mode = cellMode(planned);
  const processes = [
    ...(hasServer(source) ? [recordName({ role: 'server' })] : []),
    ...trialUsers.map(({ number }) => recordName({ role: 'user', user: number })),
  ];
  const ofCrowd = {
    crowd: crowd?.kind,
    crowdRestsOnOrder: crowd?.kind === 'recorded' ? crowd.restsOnOrder : undefined,
    crowdPatched: crowd?.patched,
  };
  const document = source.foreign === undefined ? undefined : planned.document;
  const writers = writersAmong(trialUsers);
  const expected = {
    processes,
    writers,
    probes,
    document,
    store: planned.store,
    servers: planned.servers,
    affinity: experiment.affinity === 'document' ? ('document' as const) : undefined,
    ...countCompany(planned),
    ...ofCrowd,
    clockErrorLimitMs: experiment.limits.clockErrorMs,
  };
  return [
    {
      type: 'process',
      schemaVersion: SCHEMA_VERSION,
      role: 'coordinator',
      framework,
      frameworkVersion: version,
      mode,
      node: process.version,
      chrome: null,
      atMs,
    },
    { type: 'trial', atMs, cell, framework, mode, users, trial, seed, ...expected },
  ];
}

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
export const replaySchema = z.object({ modelDigest: z.string().nullable(), problem: z.string().nullable() });
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

/** Lines of what else is on the machine, and of its speed. A person who interrupts does not wait for it. */
export async function surroundingLines(
  { signal, measureSpeed, lookAround }: Pick<TrialOptions, 'signal' | 'measureSpeed' | 'lookAround'>,
  timer: Timer,
): Promise<RecordLine[]> {
  if (signal.aborted) return [];
  const around = await lookAround?.();
  const speed = await measureSpeed?.();
  const measured = speed ? [{ type: 'machine-speed', atMs: timer.nowMs(), ...speed } as const] : [];
  return around ? [around, ...measured] : measured;
}
