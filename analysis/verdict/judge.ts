/** Judges trials by their records alone. */
import type { Json } from '@duckdb/node-api';
import type { AskedFaultKind } from '../../results/formats/fault-records.ts';
import type { RecordOf } from '../../results/formats/records.ts';
import type { Reason, Verdict } from '../../results/formats/verdict.ts';
import type { Check } from './check.ts';
import { CHECKS } from './checks.ts';

/** The records' database, as far as judging asks it. */
interface Records {
  rows<Row extends Record<string, Json>>(sql: string): Promise<Row[]>;
}

/** The code of a reason that says that a check could not be made, so that what it would have found is not known. */
const CHECK_FAILED = 'check-failed';

const CONVERGED: Record<RecordOf<'convergence'>['proof'], boolean | null> = {
  reached: true,
  'not-reached': false,
  'not-compared': null,
};

/**
 * The verdict on a trial whose files cannot be read, or are not there.
 *
 * @param directory the trial's: the reason is kept and handed on, so it names files from there
 */
export function unreadable(message: string, directory: string): Verdict {
  return {
    schemaVersion: 1,
    verdict: 'unknown',
    reasons: [{ code: 'unreadable', message: message.replaceAll(`${directory}/`, '') }],
    notes: [],
    converged: null,
  };
}

/** A reason, and how it weighs among the others of its trial. */
export type Finding = Reason & Pick<Check, 'makes' | 'slowness' | 'voids'>;

/**
 * The verdict on each trial that is open, by its name. A finding that a fault explains, which the experiment asked for, is a note.
 *
 * @param checks all of them; tests pass others
 */
export async function judge(records: Records, checks: readonly Check[] = CHECKS): Promise<Map<string, Verdict>> {
  const trials = await records.rows<{ trial: string }>('SELECT unnest(enum_range(NULL::trial_name)) AS trial');
  const findings = new Map(trials.map(({ trial }) => [trial, [] as Finding[]]));
  const asked = await readAskedFaults(records);
  for (const check of checks) {
    try {
      const rows = await records.rows<CheckedRow>(`FROM ${check.view} ORDER BY ALL`);
      for (const [trial, ofTrial] of Map.groupBy(rows, ({ trial }) => trial)) {
        findings.get(trial)!.push(...findingsOf(check, ofTrial, asked.get(trial) ?? []));
      }
    } catch (error) {
      const message = `the check ${check.view} could not be made: ${(error as Error).message}`;
      for (const ofTrial of findings.values()) ofTrial.push({ code: CHECK_FAILED, message, makes: 'unknown' });
    }
  }
  const proofs = await records.rows<{ trial: string; proof: keyof typeof CONVERGED }>(
    'SELECT trial, proof FROM proofs',
  );
  const converged = new Map(proofs.map(({ trial, proof }) => [trial, CONVERGED[proof]]));
  return new Map(
    [...findings].map(([trial, found]) => [trial, verdictFrom(found, converged.get(trial) ?? null)] as const),
  );
}

type CheckedRow = Record<string, Json> & { trial: string };

/** @param asked the faults that were asked for in the rows' trial */
function findingsOf(check: Check, rows: readonly CheckedRow[], asked: readonly AskedFaultKind[]): Finding[] {
  const { makes, slowness, voids, explainedBy = [] } = check;
  const isExplained = asked.some((kind) => explainedBy.includes(kind));
  return check
    .reasons(rows)
    .map(({ code, message }) =>
      isExplained
        ? { code, message: `after what was asked to break: ${message}`, makes: 'note' }
        : { code, message, makes, slowness, voids },
    );
}

async function readAskedFaults(records: Records): Promise<Map<string, AskedFaultKind[]>> {
  const rows = await records.rows<{ trial: string; kind: AskedFaultKind }>('SELECT trial, kind FROM asked_faults');
  const groups = Map.groupBy(rows, ({ trial }) => trial);
  return new Map([...groups].map(([trial, faults]) => [trial, faults.map(({ kind }) => kind)]));
}

/**
 * The verdict on a trial by what was found. The first of these that applies:
 * - *failed*, if a finding is a failure of the framework that no other explains or voids;
 * - *invalid*, if one makes the trial unfit, or explains such a failure;
 * - *unknown*, if something cannot be known, or could not be checked;
 * - *valid* otherwise.
 */
export function verdictFrom(findings: readonly Finding[], converged: boolean | null): Verdict {
  const isExplained =
    findings.some(({ slowness }) => slowness === 'could be') &&
    findings.some(({ slowness }) => slowness === 'explains');
  const isVoid = findings.some(({ voids }) => voids) && findings.some(({ makes }) => makes === 'failed');
  // A busy machine is a note by itself, but a reason where it explains what went wrong.
  const isReason = ({ makes, slowness, voids }: Finding) =>
    makes !== 'note' || (isExplained && slowness === 'explains') || (isVoid && voids === true);
  const say = (given: readonly Finding[]) => given.map(({ code, message }) => ({ code, message }));
  return {
    schemaVersion: 1,
    verdict: standingFrom(findings, { isExplained, isVoid }),
    reasons: say([
      ...findings.filter((finding) => isReason(finding) && finding.makes !== 'unknown'),
      ...findings.filter(({ makes }) => makes === 'unknown'),
    ]),
    notes: say(findings.filter((finding) => !isReason(finding))),
    converged,
  };
}

function standingFrom(
  findings: readonly Finding[],
  { isExplained, isVoid }: { isExplained: boolean; isVoid: boolean },
): Verdict['verdict'] {
  const failures = findings.filter(({ makes }) => makes === 'failed');
  if (!isVoid && failures.some(({ slowness }) => slowness !== 'could be' || !isExplained)) return 'failed';
  if (failures.length > 0 || findings.some(({ makes }) => makes === 'invalid')) return 'invalid';
  return findings.some(({ makes }) => makes === 'unknown') ? 'unknown' : 'valid';
}
