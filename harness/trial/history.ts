/** What a trial left for its judge: everything that the records say, but for the bulk of sigils and tasks. */
import type { Phase, RecordLine, RecordOf } from '../../results/formats/records.ts';
import type { Reason } from '../../results/formats/verdict.ts';

/** The types of which a long trial has hundreds of thousands of lines; no check needs them. */
const BULK = new Set<RecordLine['type']>(['sigil-shown', 'long-task', 'document']);

export interface TrialHistory {
  /** The records that must be there, by name. */
  expected: readonly string[];
  writers: number;
  clockErrorLimitMs: number;
  faults: Reason[];
  /** Whether every replica and editor reached one document within the bound; null where that was not, or cannot be, seen. */
  converged: boolean | null;
  linesOf(record: string): readonly RecordLine[];
  phaseStartMs(phase: Phase): number | null;
}

export interface HistoryKeeper extends TrialHistory {
  add(record: string, lines: readonly RecordLine[]): void;
}

export function keepHistory(options: {
  expected: readonly string[];
  writers: number;
  clockErrorLimitMs: number;
}): HistoryKeeper {
  const lines = new Map<string, RecordLine[]>();
  return {
    ...options,
    faults: [],
    converged: null,
    linesOf: (record) => lines.get(record) ?? [],
    phaseStartMs: (phase) => {
      const started = (lines.get('coordinator') ?? []).find((line) => line.type === 'phase' && line.phase === phase);
      return started?.type === 'phase' ? started.atMs : null;
    },
    add(record, added) {
      const kept = lines.get(record) ?? [];
      kept.push(...added.filter(({ type }) => !BULK.has(type)));
      lines.set(record, kept);
    },
  };
}

/** The lines of one type. */
export function ofType<T extends RecordLine['type']>(lines: readonly RecordLine[], type: T): RecordOf<T>[] {
  return lines.filter((line): line is RecordOf<T> => line.type === type);
}
