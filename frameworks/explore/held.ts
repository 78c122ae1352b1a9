/** Do clients and servers let go of connections that broke, and of messages that changed nothing? Nobody edits meanwhile. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { perform } from './acts.ts';
import type { Stage } from './stage.ts';

/** Things that may be garbage, and how many of them are not. */
export interface Held {
  what: string;
  of: number;
  held: number;
}

/** Of each user. */
const BREAKS = 20;
/** Beyond the longest pause of a client that comes back. */
const EVERY_MS = 40_000;
/** Then no timer of a connection holds it any more. */
const AFTER_MS = 2 * 3_600_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Breaks lines. The stage keeps nothing of it, and the story does not tell. */
export async function heldAfterBreaks(stage: Stage): Promise<Held[]> {
  const { passages, notes } = stage;
  const [messages, lines] = [passages.length, notes.length];
  const connections: WeakRef<object>[] = [];
  const buffers: WeakRef<object>[] = [];
  const pass = async (ms: number) => {
    await stage.advance(stage.clock.nowMs() + ms);
    for (const { content } of passages.splice(messages)) {
      if (typeof content !== 'string')
        buffers.push(new WeakRef(ArrayBuffer.isView(content) ? content.buffer : content));
    }
    notes.length = lines;
  };
  for (let time = 0; time < BREAKS && !stage.isOver; time++) {
    for (const { number: user, line } of stage.here) {
      for (const connection of stage.connectionsOf(line)) connections.push(new WeakRef(connection));
      const lags = { swallowMs: 0, forMs: 0, clientLagMs: 0, serverLagMs: 0 };
      perform(stage, { do: 'cut', atMs: 0, user, swallows: 'both', drains: true, ...lags });
    }
    await pass(EVERY_MS);
  }
  await pass(AFTER_MS);
  // A reference that was just made is no weak one yet.
  await stage.clock.idle();
  collectGarbage();
  const held = (refs: readonly WeakRef<object>[]) => refs.filter((ref) => ref.deref() !== undefined).length;
  return [
    { what: 'connections that broke', of: connections.length, held: held(connections) },
    { what: 'messages that changed nothing', of: buffers.length, held: held(buffers) },
  ];
}
