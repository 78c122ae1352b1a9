/** Judges a trial by the files that it left. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecordFile } from '../../results/formats/record-file.ts';
import { type RecordOf, recordName } from '../../results/formats/records.ts';
import { recordPath, VERDICT_FILE, writeJson } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { keepHistory, ofType } from './history.ts';
import { judge } from './verdict.ts';

const CONVERGED = { reached: true, 'not-reached': false, 'not-compared': null } as const;

/** Judges a trial whose records are closed, and writes its `verdict.json`. */
export async function judgeTrialFiles(directory: string): Promise<Verdict> {
  const coordinator = await Array.fromAsync(readRecordFile(recordPath(directory, recordName({ role: 'coordinator' }))));
  const [trial] = ofType(coordinator, 'trial') as [RecordOf<'trial'>];
  const history = keepHistory({
    expected: trial.processes ?? [],
    writers: trial.writers ?? 0,
    clockErrorLimitMs: trial.clockErrorLimitMs ?? Number.POSITIVE_INFINITY,
  });
  history.faults = ofType(coordinator, 'fault').flatMap(({ code, message }) =>
    code === undefined ? [] : [{ code, message }],
  );
  const [convergence] = ofType(coordinator, 'convergence');
  history.converged = convergence === undefined ? null : CONVERGED[convergence.proof];
  for (const file of await readdir(join(directory, 'records'))) {
    const name = file.split('.')[0]!;
    history.add(name, await Array.fromAsync(readRecordFile(recordPath(directory, name))));
  }
  const verdict = judge(history);
  await writeJson(join(directory, VERDICT_FILE), verdict);
  return verdict;
}
