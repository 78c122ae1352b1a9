/** Faults one after the other, and a table of what became of them. */
import { quantile } from '../../analysis/statistics/quantile.ts';
import { UserError } from '../../results/user-error.ts';
import { CAN_PROBE_PROCESSES } from '../probes/process-tree.ts';
import { alignTable } from '../text-table.ts';
import { type Outcome, tryFault } from './one-fault.ts';

export interface CampaignOptions {
  /** Of the first fault; each later one has the next. */
  seed: number;
  /** No fault begins after so much time. */
  forMs: number;
  say: (text: string) => void;
  /** Stops what runs, and rejects. */
  signal: AbortSignal;
  /** What tests replace. */
  attempt?: typeof tryFault;
}

/** @throws UserError (3) where processes cannot be looked at */
export async function runCampaign({
  seed,
  forMs,
  say,
  signal,
  attempt = tryFault,
}: CampaignOptions): Promise<Outcome[]> {
  if (!CAN_PROBE_PROCESSES) {
    throw new UserError('faults need to see processes in /proc, as on Linux; run them there', { exitCode: 3 });
  }
  const outcomes: Outcome[] = [];
  const startMs = performance.now();
  for (let next = seed; performance.now() - startMs < forMs; next++) {
    signal.throwIfAborted();
    const outcome = await attempt(next, signal);
    outcomes.push(outcome);
    const when = outcome.phase === null ? 'found nothing to strike' : `in ${outcome.phase}`;
    say(`seed ${next}: ${outcome.fault} ${when}: ${outcome.ended}`);
    for (const violation of outcome.violations) say(`  VIOLATION: ${violation}`);
  }
  return outcomes;
}

/** A row per fault and phase. */
export function formatOutcomes(outcomes: readonly Outcome[]): string {
  const struck = outcomes.filter(({ phase }) => phase !== null);
  const groups = Map.groupBy(struck, ({ fault, phase }) => `${fault}\0${phase}`);
  const rows = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, group]) => {
      const ends = [...Map.groupBy(group, ({ ended }) => ended)].map(([ended, { length }]) => `${ended} ×${length}`);
      const tookS = group.map(({ tookMs }) => tookMs! / 1000).sort((a, b) => a - b);
      const violations = group.filter((each) => each.violations.length > 0);
      return [
        ...key.split('\0'),
        `${group.length}`,
        ends.join(', '),
        quantile(tookS, 0.5).toFixed(1),
        tookS.at(-1)!.toFixed(1),
        violations.length === 0 ? 'none' : `seeds ${violations.map(({ seed }) => seed).join(', ')}`,
      ];
    });
  const headings = ['fault', 'phase', 'times', 'the command', 'to its end, s', 'at most', 'violations'];
  return alignTable([headings, ...rows]);
}
