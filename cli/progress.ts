/** Shows on a stream how a run is going: one live line on a terminal, else a line for each phase, and more while users type. */

import type { RunStatus } from '../harness/status/run-status.ts';
import { nowMs } from '../infra/clock.ts';
import type { Phase } from '../results/formats/records.ts';
import type { PlannedTrial } from '../results/formats/run-directory.ts';
import type { Verdict } from '../results/formats/verdict.ts';

const LIVE_PERIOD_MS = 500;
const PLAIN_PERIOD_MS = 10_000;
/** The phases whose figures change while they last. */
const TYPING_PHASES: readonly Phase[] = ['warm-up', 'measure', 'profile'];

export interface Progress {
  onPhase(phase: Phase): void;
  onVerdict(planned: PlannedTrial, verdict: Verdict): void;
  /** Prints a line that stays. */
  say(text: string): void;
  /** Draws nothing while a person is writing an answer. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
  stop(): void;
}

export function showProgress(stream: NodeJS.WriteStream, status: () => RunStatus): Progress {
  const isLive = stream.isTTY === true;
  const wipe = () => isLive && stream.write('\r\x1b[K');
  let isAsking = false;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    if (isAsking) return;
    wipe();
    const line = formatStatus(status(), nowMs());
    if (line !== '') stream.write(isLive ? line.slice(0, (stream.columns ?? 120) - 1) : `${line}\n`);
  };
  const drawEvery = (periodMs: number | null) => {
    clearInterval(timer);
    timer = periodMs === null ? undefined : setInterval(draw, periodMs);
  };
  const say = (text: string) => {
    wipe();
    stream.write(`${text}\n`);
  };
  if (isLive) drawEvery(LIVE_PERIOD_MS);
  return {
    onPhase(phase) {
      draw();
      if (!isLive) drawEvery(TYPING_PHASES.includes(phase) ? PLAIN_PERIOD_MS : null);
    },
    onVerdict({ cell, trial }, { verdict, reasons, notes }) {
      say(`${cell}, trial ${trial}: ${verdict}`);
      for (const { message } of [...reasons, ...notes]) say(`  ${message}`);
    },
    say,
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

/** One line: which trial, phase, users, time left, and the current throughput and median latencies. */
export function formatStatus(status: RunStatus, atMs: number): string {
  if (status.current === null) return '';
  const { planned, index, phase, phaseEndsAtMs, figures } = status.current;
  const { throughputPercent, localLatencyMs, endToEndLatencyMs } = figures;
  const leftMs = phaseEndsAtMs === null ? null : Math.max(0, phaseEndsAtMs - atMs);
  const parts = [
    `[${index + 1}/${status.trials.length}] ${planned.cell} trial ${planned.trial}`,
    `${phase}${leftMs === null ? '' : ` ${formatSeconds(leftMs)} left`}`,
    `${planned.users} users`,
    throughputPercent === null ? '' : `${throughputPercent.toFixed(1)} % typed`,
    localLatencyMs === null ? '' : `local ${localLatencyMs.toFixed(0)} ms`,
    endToEndLatencyMs === null ? '' : `end to end ${endToEndLatencyMs.toFixed(0)} ms`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function formatSeconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}
