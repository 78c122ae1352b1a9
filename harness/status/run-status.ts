/** What is known of a run while it runs: the one source of the progress line and of the status page. */
import type { Phase, RecordLine } from '../../results/records.ts';
import type { PlannedTrial } from '../../results/run-directory.ts';
import type { Verdict } from '../../results/verdict.ts';
import { nowMs } from '../clock.ts';
import { createLiveMonitor, type LiveFigures, type LiveMonitor } from './live-figures.ts';

export interface RunStatus {
  experiment: string;
  directory: string;
  trials: { cell: string; trial: number; verdict: Verdict['verdict'] | null; reasons: string[] }[];
  /** The trial that runs now; null before the first and after the last. */
  current: {
    planned: PlannedTrial;
    index: number;
    phase: Phase;
    phaseEndsAtMs: number | null;
    figures: LiveFigures;
  } | null;
}

export interface RunStatusKeeper {
  now(): RunStatus;
  onTrial(planned: PlannedTrial, index: number): void;
  onPhase(phase: Phase, endsAtMs: number | null): void;
  onRecords(user: number, lines: RecordLine[]): void;
  onVerdict(planned: PlannedTrial, verdict: Verdict): void;
  onEnd(): void;
}

export function keepRunStatus(options: {
  experiment: string;
  directory: string;
  plan: readonly PlannedTrial[];
}): RunStatusKeeper {
  const trials: RunStatus['trials'] = options.plan.map(({ cell, trial }) => ({
    cell,
    trial,
    verdict: null,
    reasons: [],
  }));
  let current: Omit<NonNullable<RunStatus['current']>, 'figures'> | null = null;
  let monitor: LiveMonitor = createLiveMonitor();
  return {
    now: () => ({
      experiment: options.experiment,
      directory: options.directory,
      trials,
      current: current && { ...current, figures: monitor.figures(nowMs()) },
    }),
    onTrial(planned, index) {
      monitor = createLiveMonitor();
      current = { planned, index, phase: 'serve', phaseEndsAtMs: null };
    },
    onPhase(phase, endsAtMs) {
      if (current !== null) current = { ...current, phase, phaseEndsAtMs: endsAtMs };
    },
    onRecords: (user, lines) => monitor.add(user, lines),
    onVerdict(planned, { verdict, reasons }) {
      const trial = trials.find(({ cell, trial }) => cell === planned.cell && trial === planned.trial);
      if (trial !== undefined) Object.assign(trial, { verdict, reasons: reasons.map(({ message }) => message) });
    },
    onEnd() {
      current = null;
    },
  };
}
