/** Material for tests: a run of hand-made trials, each told by the few figures that a test looks at. */
import { join } from 'node:path';
import type { RecordOf } from '../../results/formats/records.ts';
import { PLAN_FILE, type PlanFile, VERDICT_FILE } from '../../results/formats/run-directory.ts';
import type { Reason, Verdict } from '../../results/formats/verdict.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { PROMPT_RESPONSE_MS, SOON_SEEN_MS } from '../figures/criterion.ts';
import { readTrial } from '../trial/analyse-trial.ts';
import { originOf, type TrialAnalysis, writeFigures } from '../trial/figures-file.ts';
import { at, HAND_MADE_VERSION, resources, sent, shown, typing, writeHandMadeTrial } from './hand-made-trial.ts';

/** Figures that are the same for every sigil of a trial, so that they are its medians too. */
export interface HandMadeFigures {
  localMs: number;
  endToEndMs: number;
  serverCpuPercent: number;
}

export interface HandMadeRun {
  name?: string;
  startedAt?: string;
  /** Further properties of the experiment. */
  conditions?: Record<string, unknown> & { limits?: { clockErrorMs: number } };
  /** By default `x`. */
  framework?: string;
  /**
   * One per trial of the only cell, which is `x-noquill-2` unless another framework is named; null for a trial that has not run. A fault ended it early,
   * so that it is invalid; `verdict` is what else the run's verdict says.
   */
  trials: ({ figures: HandMadeFigures; fault?: Reason; verdict?: Partial<Verdict> } | null)[];
  version?: string;
  /** Of the machine, on one core and on all; null: not measured. */
  speed?: number | null;
  /** Valid trials have their `figures.json` already, so that nothing reads their records: for tests of what comes after. */
  isAnalysed?: boolean;
}

/** As many as a median needs. */
const SIGILS = 6;

/** Two users; the first types ten edits and six sigils in the measured window, the second watches. */
export async function writeHandMadeRun(directory: string, run: HandMadeRun): Promise<void> {
  const { framework = 'x' } = run;
  const cell = `${framework}-noquill-2`;
  const plan: PlanFile = {
    schemaVersion: 1,
    startedAt: run.startedAt ?? '2027-01-01T00:00:00.000Z',
    experiment: { name: run.name ?? 'small', ...run.conditions },
    trials: run.trials.map((_, index) => ({
      cell,
      framework,
      mode: 'noquill',
      users: 2,
      trial: index + 1,
      seed: index,
      directory: `trials/${cell}-${index + 1}`,
    })),
  };
  await writeJson(join(directory, PLAN_FILE), plan);
  for (const [index, trial] of run.trials.entries()) {
    if (trial === null) continue;
    const folder = join(directory, plan.trials[index]!.directory);
    const { localMs, endToEndMs, serverCpuPercent } = trial.figures;
    const faults = trial.fault === undefined ? [] : [trial.fault];
    const sigils = Array.from({ length: SIGILS }, (_, count) => ({
      sigil: `000${count}@`,
      atMs: 11_000 + 1000 * count,
    }));
    const clocks = [{ offsetMs: 0, errorMs: 1 }];
    await writeHandMadeTrial(folder, {
      users: [
        {
          clocks,
          lines: [
            typing(15_000, { offered: 10, performed: 10 }),
            ...sigils.flatMap(({ sigil, atMs }) => [sent(sigil, atMs), shown(sigil, atMs + localMs)]),
          ],
        },
        { clocks, lines: sigils.map(({ sigil, atMs }) => shown(sigil, atMs + endToEndMs)) },
      ],
      server: [
        resources('server', 11_000, { cpuMs: 0, memoryBytes: null }),
        resources('server', 19_000, { cpuMs: 80 * serverCpuPercent, memoryBytes: null }),
      ],
      version: run.version,
      trial: index + 1,
      clockErrorLimitMs: run.conditions?.limits?.clockErrorMs,
      faults,
      coordinator: speedLines(run.speed),
    });
    const verdict: Verdict = {
      schemaVersion: 1,
      verdict: faults.length > 0 ? 'invalid' : 'valid',
      reasons: faults,
      notes: [],
      converged: true,
    };
    await writeJson(join(folder, VERDICT_FILE), { ...verdict, ...trial.verdict });
    const isPlain = faults.length === 0 && endToEndMs >= 0 && run.conditions?.limits === undefined;
    if (run.isAnalysed === true && isPlain) {
      analysed ??= readTrial(folder, { keeps: false });
      const { version = HAND_MADE_VERSION } = run;
      await writeFigures(
        folder,
        { ...withFigures(await analysed, trial.figures, run.speed), version },
        await originOf(folder),
      );
    }
  }
}

/** Of the first trial that is to be analysed; all others differ in their figures alone, as run/analyse-run.test.ts shows. */
let analysed: Promise<TrialAnalysis> | undefined;

function speedLines(speed: number | null = 300): RecordOf<'machine-speed'>[] {
  return speed === null ? [] : [{ type: 'machine-speed', atMs: at(1), oneCore: speed, allCores: speed }];
}

function withFigures(
  analysis: TrialAnalysis,
  figures: HandMadeFigures,
  speed: HandMadeRun['speed'] = 300,
): TrialAnalysis {
  const { localMs, endToEndMs, serverCpuPercent } = figures;
  const all = (ms: number) => new Float64Array(SIGILS).fill(ms);
  const latencies = { localLatencyMs: all(localMs), endToEndLatencyMs: all(endToEndMs) };
  const measured = analysis.measured!;
  const [warmUp, measuring] = measured.buckets;
  return {
    ...analysis,
    measured: {
      ...measured,
      columns: {
        ...measured.columns,
        serverCpuPercent,
        'machineSpeed.oneCore': speed,
        'machineSpeed.allCores': speed,
        prompt: localMs <= PROMPT_RESPONSE_MS ? SIGILS : 0,
        soon: endToEndMs <= SOON_SEEN_MS ? SIGILS : 0,
      },
      samples: { ...measured.samples, ...latencies, responseTimeMs: all(localMs) },
      buckets: [warmUp!, { ...measuring!, columns: { ...measuring!.columns, serverCpuPercent }, samples: latencies }],
    },
  };
}
