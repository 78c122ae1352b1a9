/** The process that plays a framework's worlds, which ends if a library ends it, or never rests. */
import { join } from 'node:path';
import { CalledProcess } from '../../infra/process/calls.ts';
import { UserError } from '../../results/user-error.ts';
import type { Loadable } from '../framework.ts';
import { NotExplored } from './explorable.ts';
import type { WorldBacking } from './world.ts';
import type { Batch, PlayOrder, WorldCalls, WorldNews } from './world-process.ts';

export const ENTRY = join(import.meta.dirname, 'main.ts');
/** A process tells each second that it lives; after so many without a word, a loop never ends in it. */
const SILENT_SECONDS = 120;

/** A batch that was not answered yet. */
export interface UnderWay extends Pick<PlayOrder, 'from' | 'count'> {
  /** How many of its worlds had begun; all but the last were over. */
  begun: number;
}

/** The process that played worlds is gone. */
export class PlayerLost extends UserError {
  /** In a sentence whose subject is the process. */
  readonly how: string;
  /** Null: it played no batch then. */
  readonly underWay: UnderWay | null;
  /** How many batches it had answered. */
  readonly answered: number;

  constructor(framework: string, { how, underWay, answered }: Pick<PlayerLost, 'how' | 'underWay' | 'answered'>) {
    super(`${framework}: the process that plays its worlds ${how}`);
    this.how = how;
    this.underWay = underWay;
    this.answered = answered;
  }
}

export type Player = CalledProcess<WorldCalls, WorldNews>;
/** Has it play a batch; if it ends meanwhile, a `PlayerLost` has that batch. */
export type PlayBatch = (order: PlayOrder) => Promise<Batch>;

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
  play: (player: Player, playBatch: PlayBatch) => Promise<Result>,
): Promise<Result> {
  let underWay: UnderWay | null = null;
  let answered = 0;
  let lost: string | null = null;
  let silence = 0;
  const player = new CalledProcess<WorldCalls, WorldNews>({
    ...{ entry, signal, nodeOptions },
    onNews: {
      begins() {
        if (underWay !== null) underWay.begun++;
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
  const playBatch: PlayBatch = async (order) => {
    underWay = { from: order.from, count: order.count, begun: 0 };
    const batch = await player.call('play', order);
    // None of its worlds is to blame for what comes now.
    underWay = null;
    answered++;
    return batch;
  };
  try {
    const why = await player.call('load', { name, kind, client, server }, backing);
    if (why !== null) throw new NotExplored(name, why);
    return await play(player, playBatch);
  } catch (error) {
    signal.throwIfAborted();
    throw lost === null ? error : new PlayerLost(name, { how: lost, underWay, answered });
  } finally {
    clearInterval(listening);
    await player.end();
  }
}
