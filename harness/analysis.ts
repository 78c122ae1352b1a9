/**
 * The analysis, for a process that coordinates trials: each task in a process of its own, which then ends. DuckDB and the
 * bundler take hundreds of MiB that a process does not give back, and that are not to be there while users type.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { PAGE_SCRIPT } from '../analysis/report/bundle.ts';
import { giveUpTrial } from '../analysis/trial/analyse-trial.ts';
import { CalledProcess } from '../infra/process/calls.ts';
import { madeOnce } from '../infra/process/made-once.ts';
import { PROJECT_ROOT, sourceFingerprint, WORK_FOLDER } from '../infra/project.ts';
import { fileReason } from '../results/file-problem.ts';
import type { Summary } from '../results/formats/summary.ts';
import type { Verdict } from '../results/formats/verdict.ts';
import { readVerdict } from '../results/run-folder/run-files.ts';
import { Unavailable } from '../results/user-error.ts';
import type { AnalysisCalls, ReportedRun } from './analysis-main.ts';

const ENTRY = join(import.meta.dirname, 'analysis-main.ts');

/**
 * Writes `verdict.json` and `figures.json` of a trial whose records are closed. A trial that its analysis dies of gets the verdict
 * `unknown`, so that the others go on.
 */
export function analyseTrial(trialDirectory: string): Promise<Verdict> {
  return called(trialDirectory, (analysis) => analysis.call('analyseTrial', trialDirectory)).catch(async (error) => {
    if (!(error instanceof AnalysisLost)) throw error;
    const verdict = await readVerdict(trialDirectory);
    // Its process ended between writing and telling.
    if (typeof verdict !== 'string') return verdict;
    const advice = 'remove its figures.json and run report where more memory is free';
    const message = `the process that analyses it ${error.how}, ${ATTEMPTS} times → ${advice}`;
    return giveUpTrial(trialDirectory, { code: 'analysis-process', message });
  });
}

/** As `reportRun`, of a run in which people type. */
export async function summarizeRun(runDirectory: string): Promise<Summary> {
  return (await reportRun(runDirectory)).summary as Summary;
}

/** Brings summary and report of a run up to date with all finished trials. */
export async function reportRun(runDirectory: string): Promise<ReportedRun> {
  const script = await pageScript(PAGE_SCRIPT);
  return called(runDirectory, (analysis) => analysis.call('reportRun', runDirectory, script));
}

/** By their entries: a run writes its report after each trial. */
const scripts = new Map<string, Promise<string>>();

/**
 * The script of a page, bundled once for each state of the sources.
 *
 * @param entry the path of the page's `.ts` file
 * @throws the bundler's error, which names the file and the line
 */
export function pageScript(entry: string): Promise<string> {
  const script = scripts.get(entry) ?? keptScript(entry);
  scripts.set(entry, script);
  // One that failed is tried again.
  script.catch(() => scripts.delete(entry));
  return script;
}

async function keptScript(entry: string): Promise<string> {
  const name = relative(PROJECT_ROOT, entry).replaceAll(/[^\w]+/g, '-');
  const folder = join(WORK_FOLDER, 'scripts', `${name}-${await sourceFingerprint()}`);
  const bundle = () => called(entry, (analysis) => analysis.call('pageScript', entry));
  try {
    await madeOnce(folder, async (partial) => writeFile(join(partial, SCRIPT_FILE), await bundle()));
    return await readFile(join(folder, SCRIPT_FILE), 'utf8');
  } catch (error) {
    // Where nothing can be written, as in some containers, it is bundled each time.
    if (fileReason(error) === null) throw error;
    return bundle();
  }
}

const SCRIPT_FILE = 'script.js';

/** How often a task is tried whose process ends before it answers. */
const ATTEMPTS = 2;

class AnalysisLost extends Unavailable {
  /** As what follows the process's name in a sentence. */
  readonly how: string;
  constructor(path: string, how: string, cause: unknown) {
    super(`the process that analyses ${path} ${how}; finished trials are kept`, { cause });
    this.how = how;
  }
}

/** @throws AnalysisLost if the process ends before it answers, and what the task throws */
async function called<T>(path: string, task: (analysis: CalledProcess<AnalysisCalls>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let lost: string | null = null;
    const onLost = (how: string) => {
      lost = how;
    };
    const analysis = new CalledProcess<AnalysisCalls>({ entry: ENTRY, onLost });
    try {
      return await task(analysis);
    } catch (error) {
      if (lost === null) throw error;
      if (attempt === ATTEMPTS) throw new AnalysisLost(path, lost, error);
    } finally {
      await analysis.end();
    }
  }
}
