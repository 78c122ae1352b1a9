/** Material for tests: a trial in which nothing is wrong, to be spoilt by a test and judged. */
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { temporaryFolder } from '../../tests/folders.ts';
import type { Check } from '../verdict/check.ts';
import { judge } from '../verdict/judge.ts';
import { openRecords } from '../views/database.ts';
import { at, type HandMadeTrial, type HandMadeUser, writeHandMadeTrial } from './hand-made-trial.ts';
import { askTrial } from './opened-together.ts';

/** The verdict on the records of this trial. */
export async function judged(trial: HandMadeTrial, checks?: readonly Check[]): Promise<Verdict> {
  if (checks === undefined) return await askTrial(trial, ({ verdict }) => verdict());
  await using directory = await temporaryFolder();
  await writeHandMadeTrial(directory.path, trial);
  await using records = await openRecords([directory.path]);
  const [verdict] = (await judge(records, checks)).values();
  return verdict!;
}

/** 60 characters put in, 10 taken out; 101 are what two such users leave. */
export const settled: RecordOf<'settled'> = {
  type: 'settled',
  atMs: at(25_000),
  modelDigest: 'model',
  shownModelDigest: 'shown',
  editorDigest: 'shown',
  editorTextDigest: 'text',
  screenTextDigest: 'text',
  characters: 101,
  insertedCharacters: 60,
  deletedCharacters: 10,
  typedCharacters: 60,
  savedStateBytes: 1,
  quillStateBytes: 1,
};

/** A user whose clock is known within `clock`. */
export function user(...lines: RecordLine[]): HandMadeUser {
  return { clocks: [], lines: [clock(15_000, 0.3), ...lines] };
}

export function clock(atMs: number, errorMs: number, offsetMs = 0): RecordLine {
  return { type: 'clock', atMs: at(atMs), offsetMs, errorMs };
}

/** A sound trial of two users, each of whom put in 60 characters and took out 10: 1 + 120 − 20 = 101 are left. */
export function soundTrial(given: Partial<HandMadeTrial> = {}): HandMadeTrial {
  return { users: [user(settled), user(settled)], server: [], clockErrorLimitMs: 5, ...given };
}
