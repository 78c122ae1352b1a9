/** The worlds of `explore` that once failed, as a property of `check`: they hold, or fail by a known issue. */
import { Unavailable } from '../../results/user-error.ts';
import { knownCausesOf } from '../explore/causes.ts';
import { NotExplored } from '../explore/explorable.ts';
import { replayWorld } from '../explore/explore.ts';
import { keptWorldsOf } from '../explore/kept-worlds.ts';
import { PlayerLost } from '../explore/player.ts';
import type { World } from '../explore/world.ts';
import type { Framework } from '../framework.ts';
import { OUTCOMES, type Outcome } from './properties.ts';

/** A property of every framework with kept worlds, which needs no browser. */
export const KEPT_WORLDS = { id: 'worlds', title: 'worlds of explore that once failed hold' };

interface WorldOutcome {
  outcome: Outcome;
  message: string | null;
}

/** Plays all of them. @returns null if none is kept. @throws the signal's reason */
export async function playKeptWorlds(framework: Framework, signal: AbortSignal): Promise<WorldOutcome | null> {
  // Each by itself: if what is behind one is not here, the others are played all the same.
  const played = await Array.fromAsync(await keptWorldsOf(framework), async ({ world }, index) => {
    const { outcome, message } = await play(framework, world, signal);
    return { outcome, message: message && `world ${index + 1}: ${message}` };
  });
  return whatCounts(played);
}

/** @returns null of none */
export function whatCounts(outcomes: readonly WorldOutcome[]): WorldOutcome | null {
  return OUTCOMES.flatMap((outcome) => outcomes.filter((each) => each.outcome === outcome))[0] ?? null;
}

async function play(framework: Framework, world: World, signal: AbortSignal): Promise<WorldOutcome> {
  try {
    const causes = knownCausesOf(framework.about);
    const { broken, cause } = await replayWorld(framework, world, { signal, causes });
    if (broken === null) return { outcome: 'holds', message: null };
    const seen = `${broken.invariant}: ${broken.text}`;
    const issue = causes[cause];
    if (issue === undefined) return { outcome: 'fails', message: seen };
    return { outcome: 'known issue', message: `${issue.summary} (seen: ${seen})` };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PlayerLost) return { outcome: 'fails', message: error.message };
    if (!(error instanceof NotExplored || error instanceof Unavailable)) throw error;
    return { outcome: 'not supported', message: error instanceof NotExplored ? error.why : error.message };
  }
}
