/** The process of `harness/analysis.ts`: does what it is called for, and loads no more than that takes. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { answerCalls } from '../infra/process/answers.ts';
import { WORK_FOLDER } from '../infra/project.ts';

// Without a folder, Node would leave one among the temporary files.
enableCompileCache(join(WORK_FOLDER, 'compiled'));

const analysisCalls = {
  /** Writes `verdict.json` and `figures.json` of a trial whose records are closed. */
  async analyseTrial(trialDirectory: string) {
    const { analyseTrial } = await import('../analysis/trial/analyse-trial.ts');
    return analyseTrial(trialDirectory);
  },
  /** @param script of the report's page */
  async summarizeRun(runDirectory: string, script: string) {
    const { writeReport } = await import('../analysis/report/report.ts');
    return (await writeReport([runDirectory], { script })).summaries[0]!;
  },
  /** @param script of the report's page */
  async reportDocuments(runDirectory: string, script: string) {
    const { writeDocumentReport } = await import('../analysis/report/document-report.ts');
    return writeDocumentReport(runDirectory, { script });
  },
  async pageScript(entry: string) {
    const { bundleScript } = await import('../analysis/report/html/bundle.ts');
    return bundleScript(entry);
  },
};

export type AnalysisCalls = typeof analysisCalls;

answerCalls(analysisCalls);
