/**
 * The harness's analysis in the suites `it` and `trial`: one process for all calls of a file, since the start of a process is a
 * third of a judgement, and most of a small run's summary. Vitest runs this file before each test file.
 */
import { join } from 'node:path';
import { vi } from 'vitest';
import type { AnalysisCalls } from '../harness/analysis-main.ts';
import { CalledProcess } from '../infra/process/calls.ts';
import { PROJECT_ROOT } from '../infra/project.ts';

const ENTRY = join(PROJECT_ROOT, 'harness/analysis-main.ts');
const PAGES = join(PROJECT_ROOT, 'analysis/report/html/page');

vi.mock(import('../harness/analysis.ts'), async (original) => {
  const { pageScript } = await original();
  let shared: CalledProcess<AnalysisCalls> | undefined;
  const analysis = () => {
    // It ends with the process of the tests.
    shared ??= new CalledProcess<AnalysisCalls>({ entry: ENTRY, isIdleFree: true });
    return shared;
  };
  return {
    pageScript,
    analyseTrial: (directory) => analysis().call('analyseTrial', directory),
    summarizeRun: async (directory) =>
      analysis().call('summarizeRun', directory, await pageScript(join(PAGES, 'report.ts'))),
    reportDocuments: async (directory) =>
      analysis().call('reportDocuments', directory, await pageScript(join(PAGES, 'document-report.ts'))),
  };
});
