/** The figures of the last seconds, for the progress line and the status page. An estimate; the analysis decides. */

import { DRIFT_RATE } from '../../analysis/clock-rates.ts';
import { quantile } from '../../analysis/statistics/quantile.ts';
import { parseSigil } from '../../editors/base/sigils.ts';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';

/** How far back the figures reach: one sigil period of the paper. */
const WINDOW_MS = 10_000;
/** A sigil that has not shown anywhere for so long is forgotten. */
const FORGET_MS = 60_000;

export interface LiveFigures {
  throughputPercent: number | null;
  localLatencyMs: number | null;
  endToEndLatencyMs: number | null;
}

export interface LiveMonitor {
  /** @param user the number of the user whose record the lines are of */
  add(user: number, lines: readonly RecordLine[]): void;
  /** @param nowMs the coordinator's clock */
  figures(nowMs: number): LiveFigures;
}

export function createLiveMonitor(): LiveMonitor {
  const clockOf = new Map<number, RecordOf<'clock'>>();
  const sentMsOf = new Map<string, number>();
  let typed: { atMs: number; offered: number; performed: number }[] = [];
  let shown: { atMs: number; sigil: string; user: number }[] = [];

  return {
    add(user, lines) {
      for (const line of lines) {
        const offsetMs = clockOf.get(user)?.offsetMs ?? 0;
        if (line.type === 'clock') clockOf.set(user, betterClock(clockOf.get(user), line));
        else if (line.type === 'typing') typed.push({ ...line, atMs: line.atMs + offsetMs });
        else if (line.type === 'sigil-sent') sentMsOf.set(line.sigil, line.sentMs + offsetMs);
        else if (line.type === 'sigil-shown') shown.push({ atMs: line.shownMs + offsetMs, sigil: line.sigil, user });
      }
    },
    figures(nowMs) {
      typed = typed.filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
      shown = shown.filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
      for (const [sigil, sentMs] of sentMsOf) if (sentMs < nowMs - FORGET_MS) sentMsOf.delete(sigil);
      const local: number[] = [];
      const endToEnd: number[] = [];
      for (const { atMs, sigil, user } of shown) {
        const sentMs = sentMsOf.get(sigil);
        if (sentMs === undefined) continue;
        (parseSigil(sigil)?.user === user ? local : endToEnd).push(atMs - sentMs);
      }
      const offered = typed.reduce((sum, line) => sum + line.offered, 0);
      const performed = typed.reduce((sum, line) => sum + line.performed, 0);
      return {
        throughputPercent: offered === 0 ? null : (100 * performed) / offered,
        localLatencyMs: median(local),
        endToEndLatencyMs: median(endToEnd),
      };
    },
  };
}

/** The newer measurement of a clock, unless it is so poor that the older one, with what has drifted since, tells more. */
export function betterClock(older: RecordOf<'clock'> | undefined, newer: RecordOf<'clock'>): RecordOf<'clock'> {
  if (older === undefined) return newer;
  return newer.errorMs <= older.errorMs + DRIFT_RATE * (newer.atMs - older.atMs) ? newer : older;
}

function median(samples: number[]): number | null {
  return samples.length === 0
    ? null
    : quantile(
        samples.sort((a, b) => a - b),
        0.5,
      );
}
