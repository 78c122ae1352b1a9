/** How long the analysis of a large run takes, and how much memory. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PLAN_FILE, type PlanFile, type PlannedTrial } from '../results/formats/run-directory.ts';
import { writeJson } from '../results/formats/write-file.ts';
import { writeSyntheticTrial } from './test-data/synthetic-records.ts';
import { analyseTrial } from './trial/analyse-trial.ts';

interface AnalysisBench {
  trials: number;
  users: number;
  seconds: number;
  /** How long a run takes to judge all trials, each when its records are closed. */
  judgeMs: number;
  /** From the call of `analyseRun`, which judges each trial anew and reads its figures, to its cells. */
  elapsedMs: number;
  /** Then, from the call of `writeReport`, which finds every cell analysed, to all of its files. */
  reportMs: number;
  /** The analysing process at its largest by then, Node and DuckDB themselves included. */
  peakMemoryMiB: number;
}

/** As large as the largest trials that are run: every user sees a sigil of every other every ten seconds. */
const LARGE_TRIAL = { frameworks: 1, trials: 1, users: 112, seconds: 370 };
/** As many such trials as a comparison has at one user count. */
export const LARGE_RUN = { frameworks: 4, trials: 3 };

/** Analyses a synthetic run in a process of its own, so that its peak of memory is its own too. */
export async function benchAnalysis(size: Partial<typeof LARGE_TRIAL> = {}): Promise<AnalysisBench> {
  const { frameworks, trials, users, seconds } = { ...LARGE_TRIAL, ...size };
  const directory = await mkdtemp(join(tmpdir(), 'scriptorium-analysis-'));
  try {
    const judgeMs = await writeSyntheticRun(directory, { frameworks, trials, users, seconds });
    const analyser = import.meta.resolve('./cell/analyse-run.ts');
    const reporter = import.meta.resolve('./report/report.ts');
    const script = `
      import { analyseRun } from ${JSON.stringify(analyser)};
      import { writeReport } from ${JSON.stringify(reporter)};
      const startMs = performance.now();
      await analyseRun(${JSON.stringify(directory)});
      const elapsedMs = performance.now() - startMs;
      const peakMemoryMiB = process.resourceUsage().maxRSS / 1024;
      await writeReport([${JSON.stringify(directory)}]);
      const reportMs = performance.now() - startMs - elapsedMs;
      console.log(JSON.stringify({ elapsedMs, reportMs, peakMemoryMiB }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    return { trials: frameworks * trials, users, seconds, judgeMs, ...JSON.parse(stdout) };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** @returns how long judging it took, ms */
async function writeSyntheticRun(
  directory: string,
  size: { frameworks: number; trials: number; users: number; seconds: number },
): Promise<number> {
  const { users, seconds } = size;
  const planned: PlannedTrial[] = [];
  for (let index = 0; index < size.frameworks; index++) {
    for (let trial = 1; trial <= size.trials; trial++) {
      const framework = `synthetic${index}`;
      const cell = `${framework}-noquill-${users}`;
      planned.push({
        cell,
        framework,
        mode: 'noquill',
        users,
        trial,
        seed: trial,
        directory: `trials/${cell}-${trial}`,
      });
    }
  }
  const plan: PlanFile = {
    schemaVersion: 1,
    startedAt: new Date(0).toISOString(),
    experiment: { name: 'synthetic' },
    trials: planned,
  };
  await writeJson(join(directory, PLAN_FILE), plan);
  let judgeMs = 0;
  for (const { directory: trialDirectory, seed, framework } of planned) {
    const path = join(directory, trialDirectory);
    await writeSyntheticTrial({ directory: path, users, seconds, seed, framework });
    const startMs = performance.now();
    const { verdict, reasons } = await analyseTrial(path);
    judgeMs += performance.now() - startMs;
    // The figures of another would not be read.
    if (verdict !== 'valid') throw new Error(`a synthetic trial is ${verdict}: ${JSON.stringify(reasons)}`);
  }
  return judgeMs;
}
