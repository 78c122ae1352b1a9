/**
 * The analysis, for a process that coordinates trials: each task in a process of its own, which then ends. DuckDB and the
 * bundler take hundreds of MiB that a process does not give back, and that are not to be there while users type.
 */
import { join } from 'node:path';
import type { WrittenDocumentReport } from '../analysis/report/document-report.ts';
import { CalledProcess } from '../infra/process/calls.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import type { Summary } from '../results/formats/summary.ts';
import type { Verdict } from '../results/formats/verdict.ts';
import { UserError } from '../results/user-error.ts';
import type { AnalysisCalls } from './analysis-main.ts';

const ENTRY = join(import.meta.dirname, 'analysis-main.ts');
const REPORT_PAGES = join(PROJECT_ROOT, 'analysis/report/html/page');

/** Writes `verdict.json` and `figures.json` of a trial whose records are closed. */
export function analyseTrial(trialDirectory: string): Promise<Verdict> {
  return called(trialDirectory, (analysis) => analysis.call('analyseTrial', trialDirectory));
}

/** Brings summary and report of a run in which people type up to date with all finished trials. */
export async function summarizeRun(runDirectory: string): Promise<Summary> {
  const script = await pageScript(join(REPORT_PAGES, 'report.ts'));
  return called(runDirectory, (analysis) => analysis.call('summarizeRun', runDirectory, script));
}

/** The same for a run of a document scenario. */
export async function reportDocuments(runDirectory: string): Promise<WrittenDocumentReport> {
  const script = await pageScript(join(REPORT_PAGES, 'document-report.ts'));
  return called(runDirectory, (analysis) => analysis.call('reportDocuments', runDirectory, script));
}

/** By their entries: a run writes its report after each trial, and bundles its page once. */
const scripts = new Map<string, Promise<string>>();

/**
 * The script of a page.
 *
 * @param entry the path of the page's `.ts` file
 * @throws the bundler's error, which names the file and the line
 */
export function pageScript(entry: string): Promise<string> {
  const script = scripts.get(entry) ?? called(entry, (analysis) => analysis.call('pageScript', entry));
  scripts.set(entry, script);
  // One that failed is tried again.
  script.catch(() => scripts.delete(entry));
  return script;
}

/** @throws UserError (3) if the process ends before it answers, and what the task throws */
async function called<T>(path: string, task: (analysis: CalledProcess<AnalysisCalls>) => Promise<T>): Promise<T> {
  let lost: string | null = null;
  const onLost = (how: string) => {
    lost = how;
  };
  const analysis = new CalledProcess<AnalysisCalls>({ entry: ENTRY, onLost });
  try {
    return await task(analysis);
  } catch (error) {
    if (lost === null) throw error;
    throw new UserError(`the process that analyses ${path} ${lost}; finished trials are kept: go on with --resume`, {
      exitCode: 3,
      cause: error,
    });
  } finally {
    await analysis.end();
  }
}
