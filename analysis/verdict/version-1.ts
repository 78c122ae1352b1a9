/**
 * Records of version 1 do not hold all that a verdict needs: the faults that ended a trial, the proof of convergence, how
 * well clocks must be known. They are taken from where they stood then, and put in the records' place.
 */
import type { Verdict } from '../../results/formats/verdict.ts';
import type { RecordsDatabase } from '../views/database.ts';
import { CHECKS } from './checks.ts';
import { CHECK_FAILED } from './judge.ts';

export interface RecordedThen {
  /** Of the folder. */
  trial: string;
  /** What the run judged. */
  verdict: Verdict;
  /** The experiment's; null where it has none. */
  clockErrorLimitMs: number | null;
}

/**
 * Gives the coordinators' records of version 1 the lines that they would have in the next version. Assumed is that a
 * reason that no check gives was a fault, that the proof was made or refuted as the verdict says, and that where it says
 * neither, of a trial without a fault not all documents could be compared.
 */
export async function completeVersion1(records: RecordsDatabase, recorded: readonly RecordedThen[]): Promise<void> {
  const { quotedString } = await import('@duckdb/node-api');
  const old = await records.rows<{ trial: string }>(
    "SELECT trial FROM processes WHERE process::VARCHAR = 'coordinator' AND schemaVersion = 1",
  );
  const names = new Set(old.map(({ trial }) => trial));
  for (const { trial, verdict, clockErrorLimitMs } of recorded) {
    if (!names.has(trial)) continue;
    const add = (type: string, values: Record<string, string>) =>
      records.rows(
        `INSERT INTO lines (trial, process, type, atMs, json)
         VALUES (${[trial, 'coordinator', type, '0', JSON.stringify(values)].map(quotedString).join(', ')})`,
      );
    for (const { code, message } of verdict.reasons) {
      if (!FOUND_BY_CHECKS.has(code)) await add('fault', { code, message });
    }
    if (verdict.converged !== null) await add('convergence', { proof: verdict.converged ? 'reached' : 'not-reached' });
    if (clockErrorLimitMs === null) continue;
    await records.rows(
      `UPDATE trials SET clockErrorLimitMs = ${clockErrorLimitMs} WHERE trial = ${quotedString(trial)}`,
    );
  }
}

const FOUND_BY_CHECKS = new Set([CHECK_FAILED, ...CHECKS.flatMap(({ code }) => code ?? [])]);
