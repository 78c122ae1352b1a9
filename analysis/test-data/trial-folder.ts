/** Material for tests of the views: users with their clocks, and a folder for one trial. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { RecordLine } from '../../results/formats/records.ts';
import { readTrialFigures, type TrialFigures } from '../trial/trial-figures.ts';
import { judge } from '../verdict/judge.ts';
import { openRecords } from '../views/database.ts';
import { at, type HandMadeTrial, type HandMadeUser, writeHandMadeTrial } from './hand-made-trial.ts';

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

interface TrialFolder {
  /** Another for each test. */
  directory: string;
  figuresOf(users: HandMadeUser[], server?: RecordLine[]): Promise<TrialFigures>;
  rowsOf(users: HandMadeUser[], sql: string, phases?: HandMadeTrial['phases']): Promise<object[]>;
}

/** A folder for each test of a file, which is removed after it. */
export function useTrialFolder(): TrialFolder {
  const trial: TrialFolder = {
    directory: '',
    async figuresOf(users, server) {
      await writeHandMadeTrial(trial.directory, { users, server });
      return await figuresIn(trial.directory);
    },
    async rowsOf(users, sql, phases) {
      await writeHandMadeTrial(trial.directory, { users, phases });
      await using records = await openRecords([trial.directory]);
      return await records.rows(sql);
    },
  };
  beforeEach(async () => {
    trial.directory = await mkdtemp(join(tmpdir(), 'views-'));
  });
  afterEach(() => rm(trial.directory, { recursive: true }));
  return trial;
}

/** Of the valid trial in a folder. */
export async function figuresIn(folder: string): Promise<TrialFigures> {
  await using records = await openRecords([folder]);
  expect([...(await judge(records)).values()]).toMatchObject([{ reasons: [] }]);
  return (await readTrialFigures(records))!;
}
