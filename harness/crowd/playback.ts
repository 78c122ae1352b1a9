/** When a crowd's frames leave: one timer for all its users, who each have a track of frames in the order of their due times. */

import { nowMs } from '../../infra/clock.ts';
import { createLane, type Link } from '../../infra/network/link.ts';
import { clientFrame } from './played-socket.ts';
import type { RecordedUser } from './recording.ts';

/** Everything that one user sends, ready to be sent; instants count from the start of typing. */
export interface Track {
  dueMs: Float64Array;
  /** All frames, one after the other, and the beginning of each; the last entry is the end of them all. */
  bytes: Buffer;
  starts: Uint32Array;
}

/**
 * The link is known beforehand, so what it would do to a frame moves the frame's due time, and no line holds frames back. It
 * delays each frame as it did in the recording: others' frames rest on that order.
 *
 * @param seed as of the delay line that a live user would have
 */
export function trackOf(
  { opening, frames }: Pick<RecordedUser, 'opening' | 'frames'>,
  link: Link,
  seed: number,
): Track {
  const made = frames.map(({ frame }) => clientFrame(frame));
  const lane = createLane(link, 2 * seed + 1);
  // There, the connection and its opening took the lane before, and their jitter was drawn first.
  for (let sent = 0; sent < 1 + opening.length; sent++) lane(Number.NEGATIVE_INFINITY, 0);
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

export type Playback = ReturnType<typeof createPlayback>;

/**
 * One process's; each time that it wakes, it looks at every user's next frame. That is a hundred comparisons some hundred
 * times a second, and cheaper than a timer for each user.
 */
export function createPlayback() {
  const playing = new Set<Playing>();
  let timer: NodeJS.Timeout | undefined;

  /** The track with the earliest due frame. */
  const next = () => {
    let first: Playing | null = null;
    for (const part of playing) if (first === null || nextDueMs(part) < nextDueMs(first)) first = part;
    return first;
  };
  const sendDue = () => {
    timer = undefined;
    // In the order in which they are due: one may rest on another user's.
    for (let part = next(); part !== null; part = next()) {
      if (part.next === part.track.dueMs.length) {
        playing.delete(part);
        part.onDone();
        continue;
      }
      const lateMs = nowMs() - nextDueMs(part);
      if (lateMs < 0) {
        // Node's timers fire up to a millisecond early, and not under one.
        timer = setTimeout(sendDue, Math.max(1, Math.ceil(-lateMs)));
        return;
      }
      const { bytes, starts } = part.track;
      const index = part.next++;
      part.send(bytes.subarray(starts[index], starts[index + 1]), index, lateMs);
    }
  };
  return {
    /**
     * Sends each frame when it is due.
     *
     * @param startMs when typing starts, on this process's clock
     * @param send    gets a frame, its number, and by how much it is late
     * @returns a promise of the last one's being sent
     */
    play(track: Track, startMs: number, send: Playing['send']): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      playing.add({ track, startMs, next: 0, send, onDone: resolve });
      clearTimeout(timer);
      timer = setTimeout(sendDue);
      return promise;
    },
    stop(): void {
      clearTimeout(timer);
      playing.clear();
    },
  };
}

/** Infinitely long ago if there is none left, so that a finished track is found at once. */
function nextDueMs({ track, startMs, next }: Playing): number {
  return next === track.dueMs.length ? Number.NEGATIVE_INFINITY : startMs + track.dueMs[next]!;
}
