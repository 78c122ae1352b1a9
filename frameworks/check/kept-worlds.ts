/** The worlds of `explore` that once failed, as a property of `check`: they hold, or fail by a known issue. */
import { Unavailable } from '../../results/user-error.ts';
import { explains, knownCausesOf } from '../explore/causes.ts';
import { NotExplored } from '../explore/explorable.ts';
import { replayWorlds } from '../explore/explore.ts';
import { keptWorldsOf } from '../explore/kept-worlds.ts';
import type { Broken } from '../explore/play.ts';
import { backingOf, type World } from '../explore/world.ts';
import type { Framework } from '../framework.ts';
import { OUTCOMES, type Outcome } from './properties.ts';

/** A property of every framework with kept worlds, which needs no browser. */
export const KEPT_WORLDS = { id: 'worlds', title: 'worlds of explore that once failed hold' };

interface WorldOutcome {
  outcome: Outcome;
  message: string | null;
}

interface NamedWorld {
  name: string;
  world: World;
}

/** Plays all of them. @returns null if none is kept. @throws the signal's reason */
export async function playKeptWorlds(framework: Framework, signal: AbortSignal): Promise<WorldOutcome | null> {
  const kept = await keptWorldsOf(framework);
  const named = kept.map(({ world }, index): NamedWorld => ({ name: `world ${index + 1}`, world }));
  const played: WorldOutcome[] = [];
  // If what is behind one is not here, the others are played all the same.
  for (const alike of Map.groupBy(named, ({ world }) => JSON.stringify(backingOf([world]))).values()) {
    played.push(...(await playAlike(framework, alike, signal)));
  }
  return whatCounts(played);
}

/** @returns null of none */
export function whatCounts(outcomes: readonly WorldOutcome[]): WorldOutcome | null {
  return OUTCOMES.flatMap((outcome) => outcomes.filter((each) => each.outcome === outcome))[0] ?? null;
}

/** Plays worlds with the same behind their users. */
async function playAlike(
  framework: Framework,
  alike: readonly NamedWorld[],
  signal: AbortSignal,
): Promise<WorldOutcome[]> {
  const worlds = alike.map(({ world }) => world);
  try {
    const replayed = await replayWorlds(framework, worlds, { signal });
    return replayed.map(({ broken }, index) => judged(framework, alike[index]!, broken));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof NotExplored || error instanceof Unavailable)) throw error;
    const why = error instanceof NotExplored ? error.why : error.message;
    return [{ outcome: 'not supported', message: `${alike.map(({ name }) => name).join(', ')}: ${why}` }];
  }
}

function judged({ about }: Framework, { name, world }: NamedWorld, broken: Broken | null): WorldOutcome {
  if (broken === null) return { outcome: 'holds', message: null };
  const seen = `${name}: ${broken.invariant}: ${broken.text}`;
  const issue = knownCausesOf(about).find((cause) => explains(cause, world, broken));
  if (issue === undefined) return { outcome: 'fails', message: seen };
  return { outcome: 'known issue', message: `${issue.summary} (seen: ${seen})` };
}
