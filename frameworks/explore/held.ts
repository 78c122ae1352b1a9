/** Do clients and servers let go of connections that are gone, and of messages that changed nothing? Nobody edits meanwhile. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { perform } from './acts.ts';
import type { Stage } from './stage.ts';

/** Things that may be garbage, and how many of them are not. */
export interface Held {
  what: string;
  of: number;
  /** Fewer come only if somebody does not come back, or in. */
  atLeast: number;
  /** More are held only by a leak. */
  atMost: number;
  held: number;
}

/** So often each line breaks, and somebody comes and leaves. */
const ROUNDS = 20;
/** Beside the last one of each user: honest frameworks hold no more than those. A leak holds one of each round at least, of 9 users, too. */
const MOST_OTHERS = 3;
/** Beyond the longest pause of a client that comes back. */
const ROUND_MS = 40_000;
/** Then no timer of a connection holds it any more. */
const AFTER_MS = 600_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The stage keeps nothing of it, and the story does not tell. */
export async function heldAfterRounds(stage: Stage): Promise<Held[]> {
  const { passages, notes, world } = stage;
  const [messages, lines] = [passages.length, notes.length];
  const broken: WeakRef<object>[] = [];
  const left: WeakRef<object>[] = [];
  const buffers: WeakRef<object>[] = [];
  // Some servers hand every message of the document to whoever comes; those brought edits.
  const known = new WeakSet<object>(passages.flatMap(({ content }) => bufferOf(content) ?? []));
  const pass = async (ms: number) => {
    await stage.advance(stage.clock.nowMs() + ms);
    for (const { content } of passages.splice(messages)) {
      const buffer = bufferOf(content);
      if (buffer === null) continue;
      // One message may go to many.
      if (!known.has(buffer)) buffers.push(new WeakRef(buffer));
      known.add(buffer);
    }
    notes.length = lines;
  };
  const users = stage.here.length;
  for (let round = 0; round < ROUNDS && !stage.isOver; round++) {
    for (const { number: user, line } of stage.here) {
      for (const connection of stage.servers.connectionsOf(line)) broken.push(new WeakRef(connection));
      const lags = { swallowMs: 0, forMs: 0, clientLagMs: 0, serverLagMs: 0 };
      perform(stage, { do: 'cut', atMs: 0, user, swallows: 'both', drains: true, ...lags });
    }
    await pass(ROUND_MS);
    // The newcomer, who is there, has the same line.
    const { line } = stage.here.at(-1)!;
    const before = new Set(stage.servers.connectionsOf(line));
    const visitor = stage.join(world.users.length);
    await pass(ROUND_MS);
    const own = visitor.isHere ? stage.servers.connectionsOf(line).filter((each) => !before.has(each)) : [];
    for (const connection of own) left.push(new WeakRef(connection));
    stage.dismiss(visitor);
    // Before lines break again: a visitor has the newcomer's.
    await pass(ROUND_MS);
  }
  await pass(AFTER_MS);
  // A reference that was just made is no weak one yet.
  await stage.clock.idle();
  collectGarbage();
  const held = (what: string, lines: number, refs: readonly WeakRef<object>[]) => {
    const there = refs.filter((ref) => ref.deref() !== undefined);
    return { what, of: refs.length, atLeast: ROUNDS * lines, atMost: lines + MOST_OTHERS, held: there.length };
  };
  // Visitors come one at a time.
  return [
    held('connections that broke', users, broken),
    held('connections of users who left', 1, left),
    { ...held('messages that changed nothing', users, buffers), atLeast: 0 },
  ];
}

/** The memory of a message; null of text. */
function bufferOf(content: Stage['passages'][number]['content']): object | null {
  if (typeof content === 'string') return null;
  return ArrayBuffer.isView(content) ? content.buffer : content;
}
