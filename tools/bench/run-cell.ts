/** One trial of one cell, for the benches: run as any other trial, and judged as any other. */
import { join } from 'node:path';
import { admitAll } from '../../frameworks/admit.ts';
import { byName, usable } from '../../frameworks/framework.ts';
import { resolveExperiment } from '../../harness/experiment/experiment-file.ts';
import type { Runner, RunnerOptions } from '../../harness/fleets/runner.ts';
import { runExperiment } from '../../harness/run/run.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import type { CellSummary } from '../../results/formats/summary.ts';

const directory = join(PROJECT_ROOT, 'results/bench', new Date().toISOString().replaceAll(':', '-'));

export interface BenchCell {
  framework: string;
  mode: string;
  users: number;
  /** As in an experiment file. */
  warmUp: string;
  measure: string;
  /** Further properties of it. */
  more?: Record<string, unknown>;
  /** The name of this bench among others of the same cell. */
  variant?: string;
  /** How long profiles are taken; by default none are. */
  profile?: string;
  /** Opens the runner; by default as experiments do. */
  open?: (options: RunnerOptions) => Promise<Runner>;
}

export interface BenchedCell {
  cell: CellSummary;
  /** The run's folder. */
  directory: string;
}

export async function runCell(bench: BenchCell): Promise<BenchedCell> {
  const { framework, mode, users, warmUp, measure, more = {}, variant, profile = '0s', open } = bench;
  const runDirectory = join(directory, [framework, mode, users, ...(variant === undefined ? [] : [variant])].join('-'));
  const say = (text: string) => console.error(text);
  const frameworks = (await admitAll([framework], { from: PROJECT_ROOT, say })).map(usable);
  const experiment = resolveExperiment(
    {
      ...{ name: 'bench', frameworks: [framework], modes: [mode], users: [users], trials: 1, ...more },
      durations: { warmUp, measure, profile, settle: '30s' },
    },
    { frameworks },
  );
  const summary = await runExperiment(
    {
      experiment,
      frameworks: byName(frameworks),
      directory: runDirectory,
      resume: false,
      show: false,
      signal: new AbortController().signal,
      observer: {
        onNotice: say,
        onWarning: say,
        onTrial: () => {},
        onRecords: () => {},
        onVerdict: () => {},
        onPhase: () => {},
      },
    },
    { open },
  );
  return { cell: summary.cells[0]!, directory: runDirectory };
}
