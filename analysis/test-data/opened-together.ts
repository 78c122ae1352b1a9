/** Hand-made trials that tests ask about at once, in one database: opening it costs most. */
import { basename } from 'node:path';
import type { Verdict } from '../../results/formats/verdict.ts';
import { temporaryFolder } from '../../tests/folders.ts';
import { judge } from '../verdict/judge.ts';
import { openRecords, type RecordsDatabase } from '../views/database.ts';
import { type HandMadeTrial, writeHandMadeTrial } from './hand-made-trial.ts';

/** One trial among those that are open. */
export interface OpenTrial {
  /** Its rows alone, of every table and view. */
  records: RecordsDatabase;
  verdict(): Promise<Verdict>;
}

interface Question {
  trial: HandMadeTrial;
  answer(open: OpenTrial): Promise<void>;
  fail(error: unknown): void;
}

/** Of a macro with arguments every row is of any trial. */
const FROM_VIEW = /\bFROM (\w+)\b(?!\()/g;

let waiting: Question[] = [];

/** The answer of a hand-made trial's records. */
export function askTrial<Answer>(trial: HandMadeTrial, ask: (open: OpenTrial) => Promise<Answer>): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  if (waiting.length === 0) setImmediate(answerWaiting);
  waiting.push({ trial, answer: async (open) => resolve(await ask(open)), fail: reject });
  return promise;
}

async function answerWaiting(): Promise<void> {
  const questions = waiting;
  waiting = [];
  await using directory = await temporaryFolder();
  try {
    const folders = questions.map((_, index) => directory.in(`x-${index}`));
    await Promise.all(questions.map(({ trial }, index) => writeHandMadeTrial(folders[index]!, trial)));
    await using records = await openRecords(folders);
    let verdicts: ReturnType<typeof judge> | undefined;
    const open = (trial: string): OpenTrial => ({
      records: only(records, trial),
      verdict: async () => {
        verdicts ??= judge(records);
        return (await verdicts).get(trial)!;
      },
    });
    await Promise.all(questions.map(({ answer, fail }, index) => answer(open(basename(folders[index]!))).catch(fail)));
  } catch (error) {
    for (const { fail } of questions) fail(error);
  }
}

function only(records: RecordsDatabase, trial: string): RecordsDatabase {
  const restricted = (sql: string) => sql.replace(FROM_VIEW, `FROM (FROM $1 WHERE trial = '${trial}')`);
  return {
    ...records,
    rows: (sql) => records.rows(restricted(sql)),
    // At once: another trial's query on the same connection would end a stream.
    async scan(sql, visit) {
      const rows = await records.rows<Record<string, number>>(restricted(sql));
      visit(Object.keys(rows[0] ?? {}).map((column) => rows.map((row) => row[column]!)));
    },
  };
}
