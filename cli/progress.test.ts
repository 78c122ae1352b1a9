import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunStatus } from '../harness/status/run-status.ts';
import { PLANNED as planned } from '../tests/runs.ts';
import { formatStatus, showProgress, TimeLeft } from './progress.ts';

const NOTHING_YET = { throughputPercent: null, localLatencyMs: null, endToEndLatencyMs: null };

function statusIn(current: Partial<NonNullable<RunStatus['current']>>): RunStatus {
  return {
    experiment: 'smoke',
    directory: 'out',
    trials: Array(6),
    current: { planned, index: 1, phase: 'serve', phaseEndsAtMs: null, figures: NOTHING_YET, ...current },
    ended: false,
    latest: null,
    colours: {},
    reportPath: '/out/report.html',
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the progress line says trial, phase, time left, users and the current figures', () => {
  const figures = { throughputPercent: 99.5, localLatencyMs: 4.4, endToEndLatencyMs: 61.2 };
  expect(formatStatus(statusIn({ phase: 'measure', phaseEndsAtMs: 12_500, figures }), 10_000)).toBe(
    '[2/6] yjs-noquill-4 trial 1 · measure 3 s left · 4 users · 99.5 % typed · local 4 ms · end to end 61 ms',
  );
  expect(formatStatus(statusIn({ phase: 'measure' }), 0)).toBe('[2/6] yjs-noquill-4 trial 1 · measure · 4 users');
});

test('the time that the run still takes: as estimated, then scaled by how long its trials took', () => {
  const left = new TimeLeft([100_000, 100_000, 200_000]);
  expect(left.at(0)).toBeNull();
  left.begin(0, 0);
  expect(left.at(10_000)).toBe(390_000);
  left.begin(1, 50_000);
  expect(left.at(60_000)).toBe(140_000);
  expect(formatStatus(statusIn({}), 0, 140_000)).toContain(' · about 2 min 20 s to go · ');
  expect(new TimeLeft([]).at(0)).toBeNull();
});

test('without a terminal: a line for each phase, and every 10 s only while users type', () => {
  const lines: string[] = [];
  let phase: 'admit' | 'measure' | 'settle' = 'admit';
  const stream = { isTTY: false, write: (line: string) => lines.push(line) };
  const progress = showProgress(stream as never, () => statusIn({ phase }));
  for (const next of ['admit', 'measure', 'settle'] as const) {
    phase = next;
    progress.onPhase(next);
    vi.advanceTimersByTime(25_000);
  }
  progress.stop();
  vi.advanceTimersByTime(60_000);
  expect(lines.map((line) => line.split(' · ')[1])).toEqual(['admit', 'measure', 'measure', 'measure', 'settle']);
  expect(lines.every((line) => line.endsWith('\n'))).toBe(true);
});

test('on a terminal one line is drawn over and over, and keeps off while a person is asked', async () => {
  let screen = '';
  const write = (text: string) => {
    screen = text.startsWith('\r') ? text : screen + text;
  };
  const progress = showProgress({ isTTY: true, columns: 30, write } as never, () => statusIn({ phase: 'admit' }));
  vi.advanceTimersByTime(600);
  expect(screen).toBe('\r\x1b[K[2/6] yjs-noquill-4 trial 1 ·');
  await progress.whileAsking(async () => {
    vi.advanceTimersByTime(5000);
    expect(screen).toBe('\r\x1b[K');
  });
  progress.say('Stopping');
  expect(screen).toBe('\r\x1b[KStopping\n');
  progress.stop();
});
