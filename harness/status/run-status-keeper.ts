/** Keeps the state of a run while it runs: the one source of the progress line and of the status page. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readSummary } from '../../analysis/cell/cell-json.ts';
import { type Colours, coloursOf } from '../../analysis/charts/palette.ts';
import { type TypingCell, typingCells } from '../../analysis/scenarios/cell.ts';
import { nowMs } from '../../infra/clock.ts';
import { type PlannedTrial, REPORT_FILE } from '../../results/formats/run-directory.ts';
import { liveUsers } from '../experiment/plan.ts';
import type { RunObserver } from '../run/run.ts';
import { LiveMonitor } from './live-monitor.ts';
import type { RunStatus } from './run-status.ts';

export interface RunStatusKeeper extends Required<Omit<RunObserver, 'onNotice' | 'onWarning'>> {
  now(): RunStatus;
  /** The cells that are summarised so far. */
  cells(): readonly TypingCell[];
  onEnd(): void;
}

export function keepRunStatus(options: {
  experiment: string;
  directory: string;
  plan: readonly PlannedTrial[];
}): RunStatusKeeper {
  const toCome = ({ cell, trial }: PlannedTrial): RunStatus['trials'][number] => {
    return { cell, trial, verdict: null, reasons: [] };
  };
  const trials = options.plan.map(toCome);
  const rowOf = (planned: PlannedTrial) => {
    const row = trials.find(({ cell, trial }) => cell === planned.cell && trial === planned.trial);
    if (row !== undefined) return row;
    // A search plans its trials as it goes.
    trials.push(toCome(planned));
    return trials.at(-1)!;
  };
  const judge: RunStatusKeeper['onVerdict'] = (planned, { verdict, reasons }) => {
    Object.assign(rowOf(planned), { verdict, reasons: reasons.map(({ message }) => message) });
  };
  let current: Omit<NonNullable<RunStatus['current']>, 'figures'> | null = null;
  let latest: { planned: PlannedTrial; monitor: LiveMonitor } | null = null;
  let cells: readonly TypingCell[] = [];
  let colours: Colours = {};
  let ended = false;
  let reportPath: string | null = null;
  return {
    now: () => ({
      experiment: options.experiment,
      directory: options.directory,
      trials,
      current: current && latest && { ...current, figures: latest.monitor.figures(nowMs()) },
      ended,
      latest: latest && { planned: latest.planned, series: latest.monitor.points(nowMs()) },
      colours,
      reportPath,
    }),
    cells: () => cells,
    onEnvironment(environment) {
      colours = coloursOf([environment]);
    },
    onTrial(planned, index) {
      rowOf(planned);
      current = { planned, index, phase: 'serve', phaseEndsAtMs: null };
      latest = { planned, monitor: new LiveMonitor({ probes: liveUsers(planned) }) };
    },
    onPhase(phase, endsAtMs) {
      if (current !== null) current = { ...current, phase, phaseEndsAtMs: endsAtMs };
      latest?.monitor.begin(phase, nowMs(), endsAtMs);
    },
    onRecords(user, lines) {
      latest?.monitor.add(user, lines);
    },
    onKept: judge,
    onVerdict: judge,
    onSummary(summary) {
      cells = typingCells(readSummary(summary));
    },
    onEnd() {
      current = null;
      ended = true;
      const path = resolve(options.directory, REPORT_FILE);
      if (existsSync(path)) reportPath = path;
    },
  };
}
