/** The process that plays a framework's worlds, which ends if a library ends it, or never rests. */
import { join } from 'node:path';
import { CalledProcess } from '../../infra/process/calls.ts';
import { UserError } from '../../results/user-error.ts';
import type { Loadable } from '../framework.ts';
import { NotExplored } from './explorable.ts';
import type { WorldBacking } from './world.ts';
import type { WorldCalls, WorldNews } from './world-process.ts';

export const ENTRY = join(import.meta.dirname, 'main.ts');
/** A process tells each second that it lives; after so many without a word, a loop never ends in it. */
const SILENT_SECONDS = 120;

/** The process that played worlds is gone. */
export class PlayerLost extends UserError {
  /** In a sentence whose subject is the process. */
  readonly how: string;
  /** The world of the batch that it played last, and how many of the batch came before it and come after it; null: it played no batch. */
  readonly begun: WorldNews['begins'] | null;

  constructor(framework: string, how: string, begun: PlayerLost['begun']) {
    super(`${framework}: the process that plays its worlds ${how}`);
    this.how = how;
    this.begun = begun;
  }
}

export type Player = CalledProcess<WorldCalls, WorldNews>;

export interface PlayerOptions {
  backing: WorldBacking;
  signal: AbortSignal;
  /** The program of the process; for tests and benches. */
  entry?: string;
  nodeOptions?: readonly string[];
  silentSeconds?: number;
}

/**
 * Gives a process of its own a framework's worlds to play.
 *
 * @throws NotExplored if the process tells why it cannot; PlayerLost; whatever `play` throws
 */
export async function withPlayer<Result>(
  { name, kind, client, server }: Loadable,
  { backing, signal, entry = ENTRY, nodeOptions, silentSeconds = SILENT_SECONDS }: PlayerOptions,
  play: (player: Player) => Promise<Result>,
): Promise<Result> {
  let begun: PlayerLost['begun'] = null;
  let lost: string | null = null;
  let silence = 0;
  const player = new CalledProcess<WorldCalls, WorldNews>({
    ...{ entry, signal, nodeOptions },
    onNews: {
      begins(world) {
        begun = world;
      },
      lives() {
        silence = 0;
      },
    },
    onLost(how) {
      lost ??= how;
    },
  });
  // Seconds are counted, not compared: a machine that slept was silent, too.
  const listening = setInterval(() => {
    if (++silence <= silentSeconds) return;
    lost ??= `did not rest for ${silentSeconds} s`;
    void player.kill();
  }, 1000);
  try {
    const why = await player.call('load', { name, kind, client, server }, backing);
    if (why !== null) throw new NotExplored(name, why);
    return await play(player);
  } catch (error) {
    signal.throwIfAborted();
    throw lost === null ? error : new PlayerLost(name, lost, begun);
  } finally {
    clearInterval(listening);
    await player.end();
  }
}
