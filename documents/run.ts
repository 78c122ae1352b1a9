/** Runs an experiment of a document scenario, by the loop of all runs. */
import { join } from 'node:path';
import { analyseTrial, DOCUMENT_RECORD } from '../analysis/trial/analyse-trial.ts';
import type { Frameworks } from '../frameworks/framework.ts';
import { reportRun } from '../harness/analysis.ts';
import type { ReportedRun } from '../harness/analysis-main.ts';
import type { DocumentExperiment } from '../harness/experiment/document-experiments.ts';
import type { Runner } from '../harness/fleets/runner.ts';
import { describeMachine } from '../harness/machine/environment.ts';
import { measureSpeed } from '../harness/machine/machine-speed.ts';
import { lookAround } from '../harness/machine/surroundings.ts';
import { runTrials, type TrialsObserver } from '../harness/run/run-trials.ts';
import { nowMs } from '../infra/clock.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../infra/process/made-once.ts';
import type { Parameters } from '../results/formats/documents.ts';
import { openRecordWriter } from '../results/formats/record-file.ts';
import { type RecordLine, SCHEMA_VERSION } from '../results/formats/records.ts';
import { type DocumentTrial, recordPath } from '../results/formats/run-directory.ts';
import type { Verdict } from '../results/formats/verdict.ts';
import { makeFolder } from '../results/formats/write-file.ts';
import { readVerdict } from '../results/run-folder/run-files.ts';
import { openRunFolder } from '../results/run-folder/run-folder.ts';
import { runMeasuringProcess } from './measuring-process.ts';
import { loadScenario, type OpenScenario, SubjectFailure, type TrialContext } from './scenario.ts';

export interface DocumentRunOptions {
  experiment: DocumentExperiment;
  /** Those of the experiment, if it has any. */
  frameworks: Frameworks;
  plan: readonly DocumentTrial[];
  directory: string;
  /** Go on with the run that lies in `directory`. */
  resume: boolean;
  /** Trials of the plan: the others wait for another call. Absent: none does. */
  only?: readonly DocumentTrial[];
  observer: TrialsObserver<DocumentTrial>;
  signal: AbortSignal;
}

/**
 * @returns the report of all finished trials
 * @throws UserError if nothing can be run, the signal's reason if the run was interrupted; finished trials are kept
 */
export async function runDocuments(options: DocumentRunOptions): Promise<ReportedRun> {
  const { experiment, plan, only, directory, resume, observer, signal } = options;
  const folder = await openRunFolder({ directory, experiment, plan, resume, sameMachine: true });
  const part = { directory, folder, open: () => openRunner(options), report: () => reportRun(directory) };
  const [report] = await runTrials({ directory, parts: [part], only, observer, signal });
  return report!;
}

const HOPELESS: readonly string[] = ['out-of-time', 'out-of-memory'];

/**
 * True if a cell's later trials are left out after this one: they would take as long again, and tell as little. If another run on the
 * machine may have been the reason, they do tell something.
 */
export function isHopeless({ verdict, reasons }: Pick<Verdict, 'verdict' | 'reasons'>): boolean {
  return verdict === 'failed' && reasons.some(({ code }) => HOPELESS.includes(code));
}

async function openRunner(options: DocumentRunOptions): Promise<Runner<DocumentTrial>> {
  const { experiment, frameworks, plan, directory, signal } = options;
  const say = options.observer.onNotice;
  const kind = await loadScenario(experiment.scenario);
  const hopeless = new Set<string>();
  const announced = new Set<string>();
  const note = (cell: string, verdict: Verdict) => {
    if (isHopeless(verdict)) hopeless.add(cell);
  };
  for (const trial of plan) {
    const verdict = await readVerdict(join(directory, trial.directory));
    if (typeof verdict !== 'string') note(trial.cell, verdict);
  }
  const folder = await makeTemporaryFolder(experiment.scenario);
  const close = () => removeTemporaryFolder(folder);
  const opened = await kind.open(experiment, { frameworks, say, folder, signal }).catch(async (error) => {
    await close();
    throw error;
  });
  return {
    environment: { ...(await describeMachine()), fleet: 'local' },
    async runTrial(trial, trialDirectory) {
      const verdict = await runTrial(opened, trial, { scenario: experiment.scenario, trialDirectory, say, signal });
      note(trial.cell, verdict);
      return verdict;
    },
    leavesOut({ cell }) {
      if (!hopeless.has(cell)) return false;
      if (!announced.has(cell)) say(`${cell} is not run again after it failed for time or memory`);
      announced.add(cell);
      return true;
    },
    close,
  };
}

async function runTrial(
  opened: OpenScenario<Parameters>,
  trial: DocumentTrial,
  options: {
    scenario: DocumentExperiment['scenario'];
    trialDirectory: string;
    say: (text: string) => void;
    signal: AbortSignal;
  },
): Promise<Verdict> {
  const { scenario, trialDirectory, say, signal } = options;
  makeFolder(trialDirectory);
  const version = await opened.versionOf(trial.of);
  const record = openRecordWriter(recordPath(trialDirectory, DOCUMENT_RECORD));
  const write = (added: RecordLine | RecordLine[]) => record.write(added);
  try {
    write({ type: 'subject', schemaVersion: SCHEMA_VERSION, scenario, of: trial.of, version, atMs: nowMs() });
    write(await machineLines(say));
    const measure: TrialContext['measure'] = (command, limitMs, look) =>
      runMeasuringProcess({
        ...{ command, limitMs, signal },
        write(line) {
          look?.(line);
          write(line);
        },
      });
    await opened
      .runTrial(trial.of, { trial: trial.trial, seed: trial.seed, directory: trialDirectory, write, measure, signal })
      .catch((error: Error) => write(whatWentWrong(error, signal)));
    write(await machineLines(say));
    write({ type: 'done', atMs: nowMs() });
  } finally {
    await record.close();
  }
  return analyseTrial(trialDirectory);
}

/** The trial's surroundings now, and the machine's speed, unless its test is turned off. */
async function machineLines(say: (text: string) => void): Promise<RecordLine[]> {
  const around = await lookAround({ say });
  const speed = await measureSpeed();
  return speed === null ? [around] : [around, { type: 'machine-speed', atMs: nowMs(), ...speed }];
}

/** @throws the signal's reason, if the trial was interrupted */
function whatWentWrong(error: Error, signal: AbortSignal): RecordLine {
  signal.throwIfAborted();
  if (error instanceof SubjectFailure) return { type: 'failure', code: error.code, message: error.message };
  return { type: 'fault', atMs: nowMs(), code: 'harness', message: error.message };
}
