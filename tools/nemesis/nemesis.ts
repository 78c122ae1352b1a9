/** Rounds of faults, one after the other and several at once, until there are enough of them. */
import { availableParallelism } from 'node:os';
import { CAN_PROBE_PROCESSES } from '../../harness/probes/process-tree.ts';
import { Unavailable } from '../../results/user-error.ts';
import type { RoundOutcome } from './outcomes.ts';
import { playRound } from './round.ts';

/** Rounds wait more than they work, so that there is one more than cores; many would starve each other. */
const MOST_AT_ONCE = 4;

export interface NemesisOptions {
  /** Of the first round; each later one has the next. */
  seed: number;
  /** True if all rounds run in containers; otherwise none does. */
  containers?: boolean;
  /** The number of faults after which no round begins. */
  count: number;
  /** The time after which no round begins. */
  forMs: number;
  /** Rounds that were played before, which are not played again. */
  earlier?: readonly RoundOutcome[];
  /** Gets each round when it has ended, one after the other. */
  onRound?: (outcome: RoundOutcome) => Promise<void>;
  say: (text: string) => void;
  /** Stops what runs, and rejects. */
  signal: AbortSignal;
  /** A part that tests replace. */
  play?: typeof playRound;
}

/**
 * @returns the rounds, without earlier ones, in the order in which they ended
 * @throws UserError (3) if processes cannot be looked at
 */
export async function runNemesis(options: NemesisOptions): Promise<RoundOutcome[]> {
  if (!CAN_PROBE_PROCESSES) {
    throw new Unavailable('faults need to see processes in /proc, as on Linux; run them there');
  }
  const { seed, containers = false, count, forMs, earlier = [], onRound, say, signal, play = playRound } = options;
  const outcomes: RoundOutcome[] = [];
  const startMs = performance.now();
  const played = new Set(earlier.map((round) => round.seed));
  let next = seed;
  const takeSeed = () => {
    while (played.has(next)) next++;
    return next++;
  };
  const isEnough = () =>
    performance.now() - startMs >= forMs || outcomes.reduce((sum, { struck }) => sum + struck.length, 0) >= count;
  let taken = Promise.resolve();
  let hasFailed = false;
  const playOn = async () => {
    while (!isEnough() && !hasFailed) {
      signal.throwIfAborted();
      const outcome = await play(takeSeed(), { containers, signal });
      outcomes.push(outcome);
      tell(outcome, { containers, say });
      taken = taken.then(() => onRound?.(outcome));
      await taken;
    }
  };
  const playOrStop = () =>
    playOn().catch((error) => {
      // The others end the rounds that they have begun.
      hasFailed = true;
      throw error;
    });
  const atOnce = Math.min(availableParallelism() + 1, MOST_AT_ONCE, count);
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, playOrStop));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  return outcomes;
}

function tell(
  { seed, subject, struck, violations }: RoundOutcome,
  { containers, say }: { containers: boolean; say: (text: string) => void },
): void {
  say(`seed ${seed}, ${subject}: ${struck.length === 0 ? 'found nothing to strike' : ''}`);
  for (const { fault, phase, became, tookMs } of struck) {
    say(`  ${fault} in ${phase}: ${became}, after ${(tookMs / 1000).toFixed(1)} s`);
  }
  for (const violation of violations) say(`  VIOLATION: ${violation}`);
  const where = containers ? ' --containers' : '';
  if (violations.length > 0) say(`  again: ./scriptorium test --faults${where} --seed ${seed} --count 1`);
}
