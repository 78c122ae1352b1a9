/**
 * The analysis for tests with many trials: one process judges them all, since a third of a judgement is the start of its process.
 * `vi.mock(import('…/harness/analysis.ts'), oneAnalysis)` puts it in the harness's place.
 */
import { join } from 'node:path';
import type { AnalysisCalls } from '../harness/analysis-main.ts';
import { CalledProcess } from '../infra/process/calls.ts';
import { PROJECT_ROOT } from '../infra/project.ts';

type Analysis = typeof import('../harness/analysis.ts');

/** The module with `analyseTrial` in the shared process, which ends with this one. */
export async function oneAnalysis(original: () => Promise<Analysis>): Promise<Analysis> {
  const entry = join(PROJECT_ROOT, 'harness/analysis-main.ts');
  const analysis = new CalledProcess<AnalysisCalls>({ entry, isIdleFree: true });
  return { ...(await original()), analyseTrial: (directory) => analysis.call('analyseTrial', directory) };
}
