/** How far frameworks climbed the ladders of campaigns: rows of the table `climbs`. */
import { climbInShort, climbOf, describeClimb } from '../../analysis/campaign/ladder.ts';
import { nameOfCode } from '../../analysis/campaign/measured-code.ts';
import type { PooledBlocks } from '../../analysis/campaign/pool-blocks.ts';
import { TIERS, type Tier } from '../../analysis/scenarios/cell.ts';
import type { KeptRun } from '../../analysis/site/kept-file.ts';
import { formatDuration } from '../../harness/experiment/units.ts';

/** An entry of a campaign. */
export interface WantedEntry {
  run: string;
  /** Null: of documents. */
  frameworks: readonly string[] | null;
  /** The count of users of a ladder's rung; null: it is none. */
  rung: number | null;
}

/** Of one framework on one machine. */
export interface ClimbRow {
  run: string;
  machine: string;
  framework: string;
  /** The framework, and how long its senders gather edits, if they do. */
  library: string;
  tier: Tier;
  people: string;
  in_short: string;
  most: number | null;
  ended_by: string | null;
  sittings: number;
  /** Null: not measured yet. */
  code: string | null;
}

/**
 * Ladder by ladder, of each the machine with the most sittings first, then the one that was measured first; frameworks by tier, those
 * that carried the most first.
 *
 * @param runs the oldest first
 */
export function climbsOf(
  runs: readonly { run: string; kept: KeptRun; pooled: PooledBlocks | null }[],
  wanted: readonly WantedEntry[],
): ClimbRow[] {
  const rows = runs.flatMap(({ run, kept: { rungs, plan, summary, machine }, pooled }) => {
    if (rungs === undefined || machine === undefined || pooled === null) return [];
    const sittings = pooled.blocks.map((block) => block.rungs ?? []);
    const ladder = wanted.filter((entry) => entry.run === run);
    const frameworks = new Set([...ladder.flatMap((of) => of.frameworks ?? []), ...rungs.map((of) => of.framework)]);
    const { sendMs, sendFromUsers } = plan.experiment.batching as { sendMs: number; sendFromUsers: unknown };
    const batch = typeof sendFromUsers === 'number' ? ` ${formatDuration(sendMs)}` : '';
    const code = [...new Set(pooled.blocks.map((block) => nameOfCode(block.summary.environment)))].join(', ');
    return [...frameworks].map((framework): ClimbRow => {
      const counts = ladder.flatMap((of) => (of.frameworks?.includes(framework) ? (of.rung ?? []) : []));
      const climb = climbOf(framework, sittings, counts);
      const own = sittings.filter((found) => found.some((rung) => rung.framework === framework));
      const cell = summary.cells.find(({ parameters }) => parameters.framework === framework);
      return {
        ...{ run, machine, framework, library: framework + batch, most: climb.most },
        code: own.length === 0 ? null : code,
        tier: cell?.tier ?? 'unknown',
        people: describeClimb(climb),
        in_short: climbInShort(climb),
        ended_by: climb.end?.gaveOut.join(', ') ?? null,
        sittings: own.length,
      };
    });
  });
  const sittingsOn = (machine: string) => Math.max(...rows.map((row) => (row.machine === machine ? row.sittings : 0)));
  const machines = [...new Set(rows.map((row) => row.machine))];
  return rows.toSorted(
    (a, b) =>
      a.run.localeCompare(b.run) ||
      sittingsOn(b.machine) - sittingsOn(a.machine) ||
      machines.indexOf(a.machine) - machines.indexOf(b.machine) ||
      TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier) ||
      (b.most ?? 0) - (a.most ?? 0),
  );
}
