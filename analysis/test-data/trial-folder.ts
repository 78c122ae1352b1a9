/** Material for tests of the views: users with their clocks, and a folder for one trial. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { RecordLine } from '../../results/formats/records.ts';
import { readTrialFigures, type TrialFigures } from '../trial/trial-figures.ts';
import { judge } from '../verdict/judge.ts';
import { openRecords } from '../views/database.ts';
import { at, type HandMadeTrial, type HandMadeUser, writeHandMadeTrial } from './hand-made-trial.ts';
import { askTrial, type OpenTrial } from './opened-together.ts';

/** A user whose clock is the coordinator's. */
export function user(...lines: RecordLine[]): HandMadeUser {
  return measuredUser(
    [0, 10_000, 20_000, 30_000].map((ms) => clock(ms, 0, 0)),
    ...lines,
  );
}

/** A user whose clock runs so that coordinator's = own + offsetMs. */
export function userOff(offsetMs: number, ...lines: RecordLine[]): HandMadeUser {
  return measuredUser(
    [0, 10_000, 20_000, 30_000].map((ms) => clock(ms, offsetMs, 2)),
    ...lines,
  );
}

export function measuredUser(clocks: RecordLine[], ...lines: RecordLine[]): HandMadeUser {
  return { clocks: [], lines: [...clocks, ...lines] };
}

export function clock(ms: number, offsetMs: number, errorMs: number): RecordLine {
  return { type: 'clock', atMs: at(ms), offsetMs, errorMs };
}

/** The figures of a valid trial. */
export function figuresOf(users: HandMadeUser[], server?: RecordLine[]): Promise<TrialFigures> {
  return askTrial({ users, server }, figuresFrom);
}

/** @param sql of one table or view, and of its rows for this trial */
export function rowsOf(users: HandMadeUser[], sql: string, phases?: HandMadeTrial['phases']): Promise<object[]> {
  return askTrial({ users, phases }, ({ records }) => records.rows(sql));
}

/** The figures of an open trial, which is valid. */
export async function figuresFrom({ records, verdict }: OpenTrial): Promise<TrialFigures> {
  expect(await verdict()).toMatchObject({ reasons: [] });
  return (await readTrialFigures(records))!;
}

/** Makes folders, each with the trial that it is given, and removes all of them after the test file. */
export function useTrialFolders(): (trial?: HandMadeTrial) => Promise<string> {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));
  return async (trial) => {
    const folder = await mkdtemp(join(tmpdir(), 'views-'));
    folders.push(folder);
    if (trial !== undefined) await writeHandMadeTrial(folder, trial);
    return folder;
  };
}

/** Of the valid trial in a folder. */
export async function figuresIn(folder: string): Promise<TrialFigures> {
  await using records = await openRecords([folder]);
  expect([...(await judge(records)).values()]).toMatchObject([{ reasons: [] }]);
  return (await readTrialFigures(records))!;
}
