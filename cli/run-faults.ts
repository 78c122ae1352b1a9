/** `test --faults`: a campaign of faults, with its table. */
import { writeFileAtomically } from '../results/formats/write-file.ts';
import { interruptOnSignals } from './interrupt.ts';

export interface FaultOptions {
  seed?: number;
  /** Whether the runs are in containers. */
  containers?: boolean;
  minutes?: number;
  count?: number;
  /** A file for the table; beside it lies one with what the table is made of. */
  table?: string;
}

/** Where nothing else bounds it. */
const MINUTES = 2;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** More than a campaign of minutes takes, so that another day's has others. */
const SEEDS_PER_DAY = 1000;

/** @returns the exit code */
export async function runFaults({
  seed = seedOfToday(),
  containers = false,
  minutes,
  count,
  table,
}: FaultOptions): Promise<number> {
  // Not before they are needed: every command knows this module.
  const [{ runCampaign }, { readRounds, writeRounds }, { formatOutcomes, outcomesAsMarkdown }] = await Promise.all([
    import('../tools/campaign/campaign.ts'),
    import('../tools/campaign/outcomes.ts'),
    import('../tools/campaign/outcome-table.ts'),
  ]);
  const say = (text: string) => console.error(text);
  const kept = table === undefined ? null : `${table}.json`;
  const rounds = kept === null ? [] : await readRounds(kept);
  const { signal, release } = interruptOnSignals('Interrupted. Nothing of it is left.', () =>
    say('Stopping what runs…'),
  );
  say(`Faults from seed ${seed} on`);
  const now = await runCampaign({
    seed,
    containers,
    count: count ?? Number.POSITIVE_INFINITY,
    forMs: (minutes ?? (count === undefined ? MINUTES : Number.POSITIVE_INFINITY)) * MINUTE_MS,
    earlier: [...rounds],
    async onRound(round) {
      rounds.push(round);
      if (kept !== null) await writeRounds(kept, rounds);
    },
    say,
    signal,
  }).finally(release);
  if (table !== undefined) await writeFileAtomically(table, outcomesAsMarkdown(rounds));
  console.log(formatOutcomes(now));
  return now.some(({ violations }) => violations.length > 0) ? 1 : 0;
}

function seedOfToday(): number {
  return Math.floor(Date.now() / DAY_MS) * SEEDS_PER_DAY;
}
