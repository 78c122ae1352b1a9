/** When a crowd's frames leave: one timer for all its users, who each have a track of frames in the order of their due times. */
import { createLane, type Link } from '../../infra/network/link.ts';
import { nowMs } from '../clock.ts';
import { clientFrame } from './client-frames.ts';
import type { RecordedUser } from './recording.ts';

/** What one user sends, ready to be sent; instants count from the start of typing. */
export interface Track {
  dueMs: Float64Array;
  /** All frames, one after the other, and where each begins; the last entry is the end of them all. */
  bytes: Buffer;
  starts: Uint32Array;
}

/**
 * The link is known beforehand, so what it would do to a frame moves the frame's due time, and no line holds frames back.
 *
 * @param seed of the link's jitter
 */
export function trackOf({ frames }: Pick<RecordedUser, 'frames'>, link: Link, seed: number): Track {
  const made = frames.map(({ frame }) => clientFrame(frame));
  const lane = createLane(link, seed);
  const dueMs = new Float64Array(frames.length);
  const starts = new Uint32Array(frames.length + 1);
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const [index, frame] of frames.entries()) {
    // A stream keeps its order, whatever the jitter.
    latestMs = Math.max(latestMs, lane(frame.dueMs, made[index]!.length));
    dueMs[index] = latestMs;
    starts[index + 1] = starts[index]! + made[index]!.length;
  }
  return { dueMs, bytes: Buffer.concat(made), starts };
}

interface Playing {
  track: Track;
  startMs: number;
  next: number;
  send: (frame: Buffer, index: number, lateMs: number) => void;
  onDone: () => void;
}

export interface Playback {
  /**
   * Sends each frame when it is due.
   *
   * @param startMs when typing starts, on this process's clock
   * @param send    gets a frame, its number, and by how much it is late
   * @returns a promise of the last one's being sent
   */
  play(track: Track, startMs: number, send: Playing['send']): Promise<void>;
  stop(): void;
}

/**
 * One process's; each time that it wakes, it looks at every user's next frame. That is a hundred comparisons some hundred
 * times a second, and cheaper than a timer for each user.
 */
export function createPlayback(): Playback {
  const playing = new Set<Playing>();
  let timer: NodeJS.Timeout | undefined;

  const sendDue = () => {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const each of playing) {
      nextMs = Math.min(nextMs, sendUpTo(nowMs(), each));
      if (each.next === each.track.dueMs.length) {
        playing.delete(each);
        each.onDone();
      }
    }
    // Node's timers fire up to a millisecond early, and not under one.
    timer = playing.size === 0 ? undefined : setTimeout(sendDue, Math.max(1, Math.ceil(nextMs - nowMs())));
  };
  return {
    play(track, startMs, send) {
      const { promise, resolve } = Promise.withResolvers<void>();
      playing.add({ track, startMs, next: 0, send, onDone: resolve });
      clearTimeout(timer);
      timer = setTimeout(sendDue);
      return promise;
    },
    stop() {
      clearTimeout(timer);
      playing.clear();
    },
  };
}

/** @returns when the next frame is due; infinity: there is none */
function sendUpTo(atMs: number, each: Playing): number {
  const { dueMs, bytes, starts } = each.track;
  while (each.next < dueMs.length) {
    const index = each.next;
    const lateMs = atMs - (each.startMs + dueMs[index]!);
    if (lateMs < 0) return each.startMs + dueMs[index]!;
    each.next++;
    each.send(bytes.subarray(starts[index], starts[index + 1]), index, lateMs);
  }
  return Number.POSITIVE_INFINITY;
}
