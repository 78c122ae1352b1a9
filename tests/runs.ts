/** Runs for tests: an observer that only notes, runners that write verdicts only, and real runs in Node. */
import { join } from 'node:path';
import { syntheticReport } from '../analysis/test-data/synthetic-report.ts';
import { DOCUMENT_RECORD } from '../analysis/trial/analyse-trial.ts';
import { discoverFrameworks, findFrameworks } from '../frameworks/discover.ts';
import { resolveExperiment } from '../harness/experiment/experiment-file.ts';
import type { Runner } from '../harness/fleets/runner.ts';
import { type RunObserver, type RunOptions, runExperiment } from '../harness/run/run.ts';
import type { DocumentState } from '../harness/trial/protocol.ts';
import type { TrialOptions } from '../harness/trial/trial-options.ts';
import { openRecordWriter, readRecordFile } from '../results/formats/record-file.ts';
import type { RecordLine } from '../results/formats/records.ts';
import { type PlannedTrial, recordPath, VERDICT_FILE } from '../results/formats/run-directory.ts';
import type { Summary } from '../results/formats/summary.ts';
import type { Reason, Verdict } from '../results/formats/verdict.ts';
import { writeJson } from '../results/formats/write-file.ts';

/** Aborts never. */
export const never = new AbortController().signal;

/** @param notices gets what a person would be told */
export function quietObserver(notices: string[] = []): RunObserver {
  const nothing = () => {};
  return {
    onNotice: (text) => notices.push(text),
    onWarning: (text) => notices.push(text),
    onTrial: nothing,
    onVerdict: nothing,
    onPhase: nothing,
    onRecords: nothing,
  };
}

/** Properties of a trial that tests seldom ask for. */
export const QUIET_TRIAL: Pick<TrialOptions, 'show' | 'signal' | 'observer'> = {
  show: false,
  signal: never,
  observer: quietObserver(),
};

/** Findings that a trial may have where tests run beside it: its keys come late. */
const PACE = ['crowd-late', 'driver-saturated', 'driver-stalled', 'machine-busy'];

/** The codes of what was found in a trial, but for its pace, which the machine of the tests decides. */
export function codesButPace(found: readonly Reason[]): string[] {
  return found.map(({ code }) => code).filter((code) => !PACE.includes(code));
}

/** The state of a document that is the same in model, editor and on the screen. */
export const AGREED: DocumentState = {
  modelDigest: 'model',
  shownModelDigest: 'shown',
  editorDigest: 'shown',
  editorTextDigest: 'text',
  screenTextDigest: 'text',
  characters: 1,
};

/** The plan's entry of a trial. */
export const PLANNED = {
  cell: 'yjs-noquill-4',
  framework: 'yjs',
  mode: 'noquill',
  users: 4,
  trial: 1,
  seed: 1,
  directory: 'trials/yjs-noquill-4-1',
} satisfies PlannedTrial;

/** The cell of such trials, with figures, and its one trial. */
export function cellWithFigures() {
  const of = { frameworks: [PLANNED.framework], modes: [PLANNED.mode], userCounts: [PLANNED.users] };
  return syntheticReport({ ...of, trials: 1, seconds: 20 }).cells[0]!;
}

/** A verdict that needs no records. */
export const NOT_VALID: Verdict = { schemaVersion: 1, verdict: 'invalid', reasons: [], notes: [], converged: null };

/** The runner of trials that only leave a verdict, beside an empty record. */
export function verdictRunner(options: {
  environment?: object;
  /** Gives the verdict, or throws. */
  verdictOf?: (planned: PlannedTrial, directory: string) => Verdict;
  onClose?: () => void;
}): Runner {
  const { environment = { fleet: 'local' }, verdictOf = () => NOT_VALID, onClose } = options;
  return {
    environment,
    async runTrial(planned, directory) {
      const verdict = verdictOf(planned, directory);
      // Without a line; by this name, none of typing is looked for in it.
      await openRecordWriter(recordPath(directory, DOCUMENT_RECORD)).close();
      await writeJson(join(directory, VERDICT_FILE), verdict);
      return verdict;
    },
    close: async () => onClose?.(),
  };
}

/** Runs an experiment file's content for real, one trial of each cell in Node unless it says otherwise. */
export async function runFile(file: object, directory: string, options: Partial<RunOptions> = {}): Promise<Summary> {
  const content = { modes: ['node'], trials: 1, ...file };
  const experiment = resolveExperiment(content, { frameworks: await discoverFrameworks() });
  const frameworks = await findFrameworks(experiment.frameworks);
  const run = { experiment, frameworks, directory, resume: false, observer: quietObserver() };
  return runExperiment({ ...QUIET_TRIAL, ...run, ...options });
}

/** The lines of one record of a trial. */
export function recordLines(trialDirectory: string, name: string): Promise<RecordLine[]> {
  return Array.fromAsync(readRecordFile(recordPath(trialDirectory, name)));
}
