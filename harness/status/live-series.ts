/**
 * How the trial that runs develops, in the same buckets of time as the report's series. An estimate from what has
 * arrived so far, unfiltered; the analysis decides.
 */

import { BUCKET_S } from '../../analysis/bucket.ts';
import { medianAndP95 } from '../../analysis/statistics/pooled-latency.ts';
import { parseSigil } from '../../editors/base/sigils.ts';
import type { Phase, RecordLine, RecordOf } from '../../results/formats/records.ts';
import type { SeriesLatency, SeriesPoint } from '../../results/formats/summary.ts';
import { betterClock } from './live-figures.ts';

const BUCKET_MS = BUCKET_S * 1000;
/** Quantiles of large trials cost the machine that is measured something: they are renewed no more often than this. */
const RENEWAL_MS = 5000;

export interface LiveSeries {
  /** @param user the number of the user whose record the lines are of, null for the server's */
  add(user: number | null, lines: readonly RecordLine[]): void;
  /**
   * A phase began, at `atMs` on the coordinator's clock, and is to end at `endsAtMs`. Typing starts with warm-up and ends
   * with settle.
   */
  begin(phase: Phase, atMs: number, endsAtMs: number | null): void;
  /** From the start of typing to its end or `nowMs`, on the coordinator's clock; empty before it. */
  points(nowMs: number): SeriesPoint[];
}

interface Bucket {
  offered: number;
  performed: number;
  localMs: number[];
  endToEndMs: number[];
  characters: number[];
  longTaskMs: number;
  /** CPU time, and the time in which it was used, times the users that it serves. */
  chrome: CpuUse;
  server: CpuUse;
  /** Made of the samples above, at `atMs`; `isStale` once there are newer ones. */
  latencies: { local: SeriesLatency; endToEnd: SeriesLatency; atMs: number; isStale: boolean };
}

interface CpuUse {
  cpuMs: number;
  wallMs: number;
}

/** @param options.hasLongTasks whether the users' editors can tell of long tasks: those in Chrome can */
export function createLiveSeries(options: { hasLongTasks: boolean }): LiveSeries {
  const buckets: Bucket[] = [];
  const phases: { phase: Phase; atMs: number }[] = [];
  let endMs = Number.POSITIVE_INFINITY;
  let phaseEndsAtMs = Number.NEGATIVE_INFINITY;
  const clockOf = new Map<number | null, RecordOf<'clock'>>();
  const sentMsOf = new Map<string, number>();
  /** Showings whose sending is not known yet: the sender's record comes on another connection. */
  const early = new Map<string, { user: number | null; shownMs: number }[]>();
  const cpuOf = new Map<string, { atMs: number; cpuMs: number }>();

  /**
   * Null before typing and after it: what happens then belongs to no bucket. Null too for what a wrong clock puts far
   * beyond the phase that runs, for which no buckets are laid out; what comes a little before the next phase is taken.
   */
  const bucketAt = (atMs: number): Bucket | null => {
    const [start] = phases;
    if (start === undefined || atMs < start.atMs || atMs >= endMs || atMs >= phaseEndsAtMs + BUCKET_MS) {
      return null;
    }
    const index = Math.floor((atMs - start.atMs) / BUCKET_MS);
    while (buckets.length <= index) buckets.push(emptyBucket());
    return buckets[index]!;
  };

  const addShown = (sigil: string, user: number | null, shownMs: number, sentMs: number) => {
    const bucket = bucketAt(sentMs);
    if (bucket === null) return;
    (parseSigil(sigil)?.user === user ? bucket.localMs : bucket.endToEndMs).push(shownMs - sentMs);
    bucket.latencies.isStale = true;
  };

  const addSent = (sigil: string, sentMs: number) => {
    sentMsOf.set(sigil, sentMs);
    for (const { user, shownMs } of early.get(sigil) ?? []) addShown(sigil, user, shownMs, sentMs);
    early.delete(sigil);
  };

  const addCpu = ({ of, host, users, cpuMs }: RecordOf<'resources'>, atMs: number) => {
    if (of !== 'chrome' && of !== 'server') return;
    const key = `${of} ${host}`;
    const before = cpuOf.get(key);
    cpuOf.set(key, { atMs, cpuMs });
    const use = bucketAt(atMs)?.[of];
    if (use === undefined || before === undefined) return;
    use.cpuMs += cpuMs - before.cpuMs;
    use.wallMs += (atMs - before.atMs) * (of === 'chrome' ? users : 1);
  };

  const addLine = (user: number | null, line: RecordLine) => {
    const offsetMs = clockOf.get(user)?.offsetMs ?? 0;
    switch (line.type) {
      case 'clock':
        clockOf.set(user, betterClock(clockOf.get(user), line));
        return;
      case 'typing': {
        const bucket = bucketAt(line.atMs + offsetMs);
        if (bucket === null) return;
        bucket.offered += line.offered;
        bucket.performed += line.performed;
        return;
      }
      case 'sigil-sent':
        addSent(line.sigil, line.sentMs + offsetMs);
        return;
      case 'sigil-shown': {
        const shownMs = line.shownMs + offsetMs;
        const sentMs = sentMsOf.get(line.sigil);
        if (sentMs !== undefined) {
          addShown(line.sigil, user, shownMs, sentMs);
          return;
        }
        const waiting = early.get(line.sigil) ?? [];
        waiting.push({ user, shownMs });
        early.set(line.sigil, waiting);
        return;
      }
      case 'document':
        bucketAt(line.atMs + offsetMs)?.characters.push(line.characters);
        return;
      case 'long-task': {
        const bucket = bucketAt(line.atMs + offsetMs);
        if (bucket !== null) bucket.longTaskMs += line.durationMs;
        return;
      }
      case 'resources':
        addCpu(line, line.atMs + offsetMs);
        return;
    }
  };

  const pointAt = (bucket: Bucket, index: number, nowMs: number): SeriesPoint => {
    const startMs = phases[0]!.atMs;
    const fromMs = startMs + index * BUCKET_MS;
    const elapsedMs = Math.min(BUCKET_MS, Math.min(nowMs, endMs) - fromMs);
    const users = [...clockOf.keys()].filter((user) => user !== null).length;
    const { isStale, atMs } = bucket.latencies;
    if (isStale && (nowMs >= atMs + RENEWAL_MS || nowMs >= endMs)) {
      const [local, endToEnd] = [latency(bucket.localMs), latency(bucket.endToEndMs)];
      bucket.latencies = { local, endToEnd, atMs: nowMs, isStale: false };
    }
    const { offered, performed, characters, longTaskMs, latencies } = bucket;
    return {
      fromS: index * BUCKET_S,
      phase: phases.findLast(({ atMs }) => atMs <= fromMs + BUCKET_MS / 2)?.phase ?? phases[0]!.phase,
      throughputPercent: offered === 0 ? null : (100 * performed) / offered,
      localLatencyMs: latencies.local,
      endToEndLatencyMs: latencies.endToEnd,
      serverCpuPercent: percentOf(bucket.server),
      serverMemoryMiB: null,
      userCpuPercent: percentOf(bucket.chrome),
      userMemoryMiB: null,
      machineCpuPercent: null,
      documentCharacters: characters.length === 0 ? null : sum(characters) / characters.length,
      longTaskPercent:
        options.hasLongTasks && users > 0 && elapsedMs > 0 ? (100 * longTaskMs) / (users * elapsedMs) : null,
    };
  };

  return {
    add(user, lines) {
      for (const line of lines) addLine(user, line);
    },
    begin(phase, atMs, endsAtMs) {
      if (isTyping(phase)) {
        phases.push({ phase, atMs });
        phaseEndsAtMs = endsAtMs ?? atMs;
      } else if (phases.length > 0) endMs = Math.min(endMs, atMs);
    },
    points: (nowMs) => buckets.map((bucket, index) => pointAt(bucket, index, nowMs)),
  };
}

function isTyping(phase: Phase): boolean {
  return phase === 'warm-up' || phase === 'measure' || phase === 'profile';
}

function emptyBucket(): Bucket {
  return {
    offered: 0,
    performed: 0,
    localMs: [],
    endToEndMs: [],
    characters: [],
    longTaskMs: 0,
    chrome: { cpuMs: 0, wallMs: 0 },
    server: { cpuMs: 0, wallMs: 0 },
    latencies: { local: latency([]), endToEnd: latency([]), atMs: 0, isStale: false },
  };
}

function latency(samplesMs: readonly number[]): SeriesLatency {
  const sorted = Float64Array.from(samplesMs).sort();
  return { ...medianAndP95(sorted), samples: sorted.length };
}

function percentOf({ cpuMs, wallMs }: CpuUse): number | null {
  return wallMs === 0 ? null : (100 * cpuMs) / wallMs;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
