/** Shows on a stream how a run is going: one live line on a terminal, else a line for each phase, and more while users type. */

import { formatAbout } from '../harness/experiment/units.ts';
import type { RunStatus } from '../harness/status/run-status.ts';
import { nowMs } from '../infra/clock.ts';
import { plainText } from '../results/foreign-text.ts';
import { type Phase, TYPING_PHASES } from '../results/formats/records.ts';
import type { PlannedTrial } from '../results/formats/run-directory.ts';
import type { Verdict } from '../results/formats/verdict.ts';

const LIVE_PERIOD_MS = 500;
const PLAIN_PERIOD_MS = 10_000;

export interface Progress {
  onPhase(phase: Phase): void;
  onVerdict(planned: PlannedTrial, verdict: Verdict): void;
  /** Prints a line that stays. */
  say(text: string): void;
  /** The same of what went wrong, which is said to everybody. */
  warn(text: string): void;
  /** Draws nothing while a person is writing an answer. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** @param left about how long the whole run still takes, ms; null: not known */
export function showProgress(
  stream: NodeJS.WriteStream,
  status: () => RunStatus,
  left: () => number | null = () => null,
): Progress {
  const isLive = stream.isTTY === true;
  const wipe = () => isLive && stream.write('\r\x1b[K');
  let isAsking = false;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    if (isAsking) return;
    wipe();
    const line = formatStatus(status(), nowMs(), left());
    if (line !== '') stream.write(isLive ? line.slice(0, (stream.columns ?? 120) - 1) : `${line}\n`);
  };
  const drawEvery = (periodMs: number | null) => {
    clearInterval(timer);
    timer = periodMs === null ? undefined : setInterval(draw, periodMs);
  };
  const say = (text: string) => {
    wipe();
    stream.write(`${plainText(text)}\n`);
  };
  if (isLive) drawEvery(LIVE_PERIOD_MS);
  return {
    onPhase(phase) {
      draw();
      if (!isLive) drawEvery(TYPING_PHASES.includes(phase) ? PLAIN_PERIOD_MS : null);
    },
    onVerdict: (planned, verdict) => say(formatVerdict(planned, verdict)),
    say,
    warn: say,
    async whileAsking(ask) {
      wipe();
      isAsking = true;
      try {
        return await ask();
      } finally {
        isAsking = false;
      }
    },
    stop() {
      drawEvery(null);
      wipe();
    },
  };
}

/** Tells nothing but verdicts other than valid, and what else goes wrong. */
export function quietProgress(stream: NodeJS.WriteStream): Progress {
  const warn = (text: string) => stream.write(`${plainText(text)}\n`);
  return {
    onPhase() {},
    onVerdict(planned, { verdict, reasons }) {
      if (verdict !== 'valid') warn(formatVerdict(planned, { verdict, reasons }));
    },
    say() {},
    warn,
    whileAsking: (ask) => ask(),
    stop() {},
  };
}

/** The verdict on a trial, with what is to be said of it below. */
export function formatVerdict(
  { cell, trial }: { cell: string; trial: number },
  { verdict, reasons, notes = [] }: Pick<Verdict, 'verdict' | 'reasons'> & Partial<Pick<Verdict, 'notes'>>,
): string {
  const lines = [...reasons, ...notes].map(({ message }) => `  ${message}`);
  return [`${cell}, trial ${trial}: ${verdict}`, ...lines].join('\n');
}

/** About how long a run still takes: the plan's estimate, scaled by how long its trials took so far. */
export class TimeLeft {
  readonly #estimatesMs: readonly number[];
  #current: { index: number; startedMs: number } | null = null;
  #took = { ms: 0, estimatedMs: 0 };

  /** @param estimatesMs of each trial, in their order; empty if they are not known beforehand */
  constructor(estimatesMs: readonly number[]) {
    this.#estimatesMs = estimatesMs;
  }

  begin(index: number, atMs: number): void {
    if (this.#current !== null) {
      this.#took.ms += atMs - this.#current.startedMs;
      this.#took.estimatedMs += this.#estimatesMs[this.#current.index] ?? 0;
    }
    this.#current = { index, startedMs: atMs };
  }

  /** Null before the first trial, and if the trials are not known beforehand. */
  at(atMs: number): number | null {
    if (this.#current === null || this.#estimatesMs.length === 0) return null;
    const { index, startedMs } = this.#current;
    const scale = this.#took.estimatedMs === 0 ? 1 : this.#took.ms / this.#took.estimatedMs;
    const later = this.#estimatesMs.slice(index + 1).reduce((sum, each) => sum + each, 0);
    return Math.max(0, scale * (this.#estimatesMs[index] ?? 0) - (atMs - startedMs)) + scale * later;
  }
}

/** One line: which trial, time left of the run, phase, users, and the current throughput and median latencies. */
export function formatStatus(status: RunStatus, atMs: number, runLeftMs: number | null = null): string {
  if (status.current === null) return '';
  const { planned, index, phase, phaseEndsAtMs, figures } = status.current;
  const { throughputPercent, localLatencyMs, endToEndLatencyMs } = figures;
  const leftMs = phaseEndsAtMs === null ? null : Math.max(0, phaseEndsAtMs - atMs);
  const parts = [
    `[${index + 1}/${status.trials.length}] ${planned.cell} trial ${planned.trial}`,
    runLeftMs === null ? '' : `about ${formatAbout(runLeftMs)} to go`,
    `${phase}${leftMs === null ? '' : ` ${Math.ceil(leftMs / 1000)} s left`}`,
    `${planned.users} users`,
    throughputPercent === null ? '' : `${throughputPercent.toFixed(1)} % typed`,
    localLatencyMs === null ? '' : `local ${localLatencyMs.toFixed(0)} ms`,
    endToEndLatencyMs === null ? '' : `end to end ${endToEndLatencyMs.toFixed(0)} ms`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
