/** Runs an experiment of a document scenario: trial after trial, with summary and report brought up to date after each. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type WrittenDocumentReport, writeDocumentReport } from '../analysis/scenarios/report.ts';
import { DOCUMENT_RECORD, judgeDocumentTrial } from '../analysis/trial/document-trial.ts';
import type { DocumentExperiment } from '../harness/experiment/scenarios/scenarios.ts';
import { describeMachine } from '../harness/machine/environment.ts';
import { nowMs } from '../infra/clock.ts';
import { openRecordWriter } from '../results/formats/record-file.ts';
import { type RecordLine, SCHEMA_VERSION } from '../results/formats/records.ts';
import { type DocumentTrial, recordPath, VERDICT_FILE } from '../results/formats/run-directory.ts';
import type { Verdict } from '../results/formats/verdict.ts';
import { writeJson } from '../results/formats/write-file.ts';
import { readDocumentPlan, readVerdict } from '../results/run-folder/run-files.ts';
import { openRunFolder } from '../results/run-folder/run-folder.ts';
import { type OpenScenario, SubjectFailure } from './scenario.ts';
import { loadScenario } from './scenarios.ts';

export interface DocumentRunOptions {
  experiment: DocumentExperiment;
  plan: readonly DocumentTrial[];
  directory: string;
  /** Go on with the run that lies in `directory`. */
  resume: boolean;
  signal: AbortSignal;
  say(text: string): void;
  onTrial(trial: DocumentTrial, index: number): void;
  onVerdict(trial: DocumentTrial, verdict: Verdict): void;
}

/**
 * @returns the report of all finished trials
 * @throws UserError where nothing can be run, the signal's reason where the run was interrupted; finished trials are kept
 */
export async function runDocuments(options: DocumentRunOptions): Promise<WrittenDocumentReport> {
  const { experiment, plan, directory, resume, signal, say } = options;
  const kind = await loadScenario(experiment.scenario);
  const folder = await openRunFolder({
    ...{ directory, experiment, plan, resume },
    readPlan: readDocumentPlan,
    sameMachine: true,
  });
  if (folder.toRun.length === 0) {
    say(`All trials of the run in ${directory} are finished; there is nothing to resume`);
    return writeDocumentReport(directory);
  }
  await using opened = await kind.open(experiment, { say, signal });
  await folder.begin({ ...(await describeMachine()), fleet: 'local' }, say);
  const hopeless = new Set<string>();
  const note = (cell: string, verdict: Verdict) => {
    if (verdict.reasons.some(({ code }) => HOPELESS.includes(code))) hopeless.add(cell);
  };
  for (const { cell, directory: own } of plan.filter((trial) => !folder.toRun.includes(trial))) {
    const verdict = await readVerdict(join(directory, own));
    if (typeof verdict !== 'string') note(cell, verdict);
  }
  for (const trial of folder.toRun) {
    signal.throwIfAborted();
    if (hopeless.has(trial.cell)) continue;
    options.onTrial(trial, plan.indexOf(trial));
    const verdict = await runTrial(opened, trial, options);
    options.onVerdict(trial, verdict);
    // What took too long once would take as long again, and tell as little.
    note(trial.cell, verdict);
    await writeDocumentReport(directory);
  }
  for (const cell of hopeless) say(`${cell} was not run again after it failed for time or memory`);
  return writeDocumentReport(directory);
}

/** Reasons for which a cell's later trials are left out. */
const HOPELESS = ['out-of-time', 'out-of-memory'];

async function runTrial(
  opened: OpenScenario,
  trial: DocumentTrial,
  { experiment, directory, signal }: DocumentRunOptions,
): Promise<Verdict> {
  const trialDirectory = join(directory, trial.directory);
  // What an interrupted trial left is no record of anything.
  await rm(trialDirectory, { recursive: true, force: true });
  await mkdir(trialDirectory, { recursive: true });
  const { scenario } = experiment;
  const version = await opened.versionOf(trial.of);
  const record = openRecordWriter(recordPath(trialDirectory, DOCUMENT_RECORD));
  const lines: RecordLine[] = [];
  const write = (given: RecordLine | RecordLine[]) => {
    lines.push(...[given].flat());
    record.write(given);
  };
  try {
    write({ type: 'subject', schemaVersion: SCHEMA_VERSION, scenario, of: trial.of, version, atMs: nowMs() });
    await opened
      .runTrial(trial, { directory: trialDirectory, write, signal })
      .catch((error: Error) => write(whatWentWrong(error, signal)));
    write({ type: 'done', atMs: nowMs() });
  } finally {
    await record.close();
  }
  const { verdict } = judgeDocumentTrial(lines);
  await writeJson(join(trialDirectory, VERDICT_FILE), verdict);
  return verdict;
}

/** @throws the signal's reason, where that is why */
function whatWentWrong(error: Error, signal: AbortSignal): RecordLine {
  signal.throwIfAborted();
  if (error instanceof SubjectFailure) return { type: 'failure', code: error.code, message: error.message };
  return { type: 'fault', atMs: nowMs(), code: 'harness', message: error.message };
}
