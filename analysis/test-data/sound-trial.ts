/** Material for tests: a trial in which nothing is wrong, to be spoilt by a test and judged. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { CHECKS } from '../verdict/checks.ts';
import { judge } from '../verdict/judge.ts';
import { openRecords } from '../views/database.ts';
import { at, type HandMadeTrial, type HandMadeUser, writeHandMadeTrial } from './hand-made-trial.ts';

/** Trials that wait to be judged together. */
let waiting: { trial: HandMadeTrial; settle: (verdict: Promise<Verdict>) => void }[] = [];

/** The verdict on the records of this trial. Opening a database costs most, so trials that are judged at once share one. */
export async function judged(trial: HandMadeTrial, checks = CHECKS): Promise<Verdict> {
  if (checks !== CHECKS) return (await judgeTogether([trial], checks))[0]!;
  const { promise, resolve } = Promise.withResolvers<Verdict>();
  if (waiting.length === 0) setImmediate(() => judgeWaiting());
  waiting.push({ trial, settle: resolve });
  return await promise;
}

function judgeWaiting(): void {
  const batch = waiting;
  waiting = [];
  const verdicts = judgeTogether(batch.map(({ trial }) => trial));
  for (const [index, { settle }] of batch.entries()) settle(verdicts.then((all) => all[index]!));
}

/** The verdicts on these trials, in their order. */
async function judgeTogether(trials: readonly HandMadeTrial[], checks = CHECKS): Promise<Verdict[]> {
  const directory = await mkdtemp(join(tmpdir(), 'judge-'));
  try {
    const folders = trials.map((_, index) => join(directory, `x-${index}`));
    await Promise.all(trials.map((trial, index) => writeHandMadeTrial(folders[index]!, trial)));
    await using records = await openRecords(folders);
    const verdicts = await judge(records, checks);
    return folders.map((folder) => verdicts.get(basename(folder))!);
  } finally {
    await rm(directory, { recursive: true });
  }
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
