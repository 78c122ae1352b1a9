/**
 * The nemesis does harm to small runs, and makes a table of it: what `./scriptorium test --faults` runs. The word is
 * Jepsen's. Ends with 1 if something did not hold.
 *
 * Flags: `--seed N` of the first run, `--minutes N` and `--count N` (faults) after which no further run begins,
 * `--containers`, `--table FILE` (Markdown; `FILE.json` beside it lets it go on).
 */
import { parseArgs } from 'node:util';
import { Interrupted, interruptOnSignals } from '../../cli/interrupt.ts';
import { writeFileAtomically } from '../../results/formats/write-file.ts';
import { runNemesis } from './nemesis.ts';
import { formatOutcomes, outcomesAsMarkdown, readRounds, writeRounds } from './outcomes.ts';

/** If nothing else bounds it. */
const MINUTES = 2;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** More than minutes take, so that another day's has others. */
const SEEDS_PER_DAY = 1000;

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string' },
    count: { type: 'string' },
    containers: { type: 'boolean', default: false },
    table: { type: 'string' },
  },
});
const [seed = seedOfToday(), minutes, count] = [flags.seed, flags.minutes, flags.count].map((text) =>
  text === undefined ? undefined : Number(text),
);
const say = (text: string) => console.error(text);
const kept = flags.table === undefined ? null : `${flags.table}.json`;
const rounds = kept === null ? [] : await readRounds(kept);
const { signal, release } = interruptOnSignals('Interrupted. Nothing of it is left.', () => say('Stopping what runs…'));
say(`Faults from seed ${seed} on`);
const playing = runNemesis({
  seed,
  containers: flags.containers,
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
const now = await playing.catch((error) => {
  if (!(error instanceof Interrupted)) throw error;
  say(error.message);
  process.exit(130);
});
if (flags.table !== undefined) await writeFileAtomically(flags.table, outcomesAsMarkdown(rounds));
console.log(formatOutcomes(now));
process.exitCode = now.some(({ violations }) => violations.length > 0) ? 1 : 0;

function seedOfToday(): number {
  return Math.floor(Date.now() / DAY_MS) * SEEDS_PER_DAY;
}
