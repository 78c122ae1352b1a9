/** Carries out what in-own-process.ts asks for, until nobody is there to ask. */
import { UserError } from '../results/user-error.ts';
import type { AnalysisAnswer, AnalysisRequest, AnalysisTasks } from './in-own-process.ts';
import { remembered } from './remembered.ts';
import { writeReport } from './report/report.ts';
import { judgeTrialFiles } from './trial/judge-trial-files.ts';

const TASKS: { [Task in keyof AnalysisTasks]: (directory: string) => Promise<AnalysisTasks[Task]> } = {
  judge: judgeTrialFiles,
  summarize: async (directory) => (await writeReport([directory])).summaries[0]!,
};

process.on('message', async ({ task, directory, remembered: earlier }: AnalysisRequest) => {
  for (const [key, cell] of earlier.cells) remembered.cells.set(key, cell);
  for (const [entry, script] of earlier.scripts) remembered.scripts.set(entry, script);
  const answer = await TASKS[task](directory).then(
    (result): AnalysisAnswer => ({ result, remembered }),
    (error: NodeJS.ErrnoException): AnalysisAnswer => {
      const { message, stack, code } = error;
      return { error: { message, stack, code, exitCode: error instanceof UserError ? error.exitCode : null } };
    },
  );
  process.send!(answer);
});
// DuckDB's threads would keep it alive.
process.on('disconnect', () => process.exit());
