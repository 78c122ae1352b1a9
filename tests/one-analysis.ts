/**
 * The harness's analysis in the suites `it` and `trial`: one process for all calls of a file, since the start of a process is a
 * third of a judgement, and most of a small run's summary. Vitest runs this file before each test file.
 */
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';
import { PAGE_SCRIPT } from '../analysis/report/bundle.ts';
import type { AnalysisCalls } from '../harness/analysis-main.ts';
import { CalledProcess } from '../infra/process/calls.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import type { Summary } from '../results/formats/summary.ts';

const ENTRY = join(PROJECT_ROOT, 'harness/analysis-main.ts');

let shared: CalledProcess<AnalysisCalls> | undefined;
afterAll(() => shared?.end());

vi.mock(import('../harness/analysis.ts'), async (original) => {
  const { pageScript } = await original();
  const analysis = () => {
    shared ??= new CalledProcess<AnalysisCalls>({ entry: ENTRY });
    return shared;
  };
  return {
    pageScript,
    analyseTrial: (directory) => analysis().call('analyseTrial', directory),
    summarizeRun: async (directory) => {
      const script = await pageScript(PAGE_SCRIPT);
      return (await analysis().call('reportRun', directory, script)).summary as Summary;
    },
    reportRun: async (directory) => analysis().call('reportRun', directory, await pageScript(PAGE_SCRIPT)),
  };
});
