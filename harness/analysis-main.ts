/** The process of `harness/analysis.ts`: does what it is called for, and loads no more than that takes. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type { CaptionedTable } from '../analysis/tables/table.ts';
import { answerCalls } from '../infra/process/answers.ts';
import { WORK_FOLDER } from '../infra/project.ts';
import type { AnySummary } from '../results/formats/run-directory.ts';

// Without a folder, Node would leave one among the temporary files.
enableCompileCache(join(WORK_FOLDER, 'compiled'));

export interface ReportedRun {
  summary: AnySummary;
  /** Tables that stand below the main one. */
  beside: readonly CaptionedTable[];
}

const analysisCalls = {
  /** Writes `verdict.json` and `figures.json` of a trial whose records are closed. */
  async analyseTrial(trialDirectory: string) {
    const { analyseTrial } = await import('../analysis/trial/analyse-trial.ts');
    return analyseTrial(trialDirectory);
  },
  /** @param script of the report's page */
  async reportRun(runDirectory: string, script: string): Promise<ReportedRun> {
    const { writeReport } = await import('../analysis/report/report.ts');
    const { summaries, beside } = await writeReport([runDirectory], { script });
    return { summary: summaries[0]!, beside };
  },
  async pageScript(entry: string) {
    const { bundleScript } = await import('../analysis/report/bundle.ts');
    return bundleScript(entry);
  },
};

export type AnalysisCalls = typeof analysisCalls;

answerCalls(analysisCalls);
