/** A way between two of a world, which all connections between them take: of a user to a server, or of a server to the broker. */
import type { Direction } from '../../infra/virtual/network.ts';
import type { WorldLink } from './world.ts';

export type WorldLine = ReturnType<typeof createLine>;

/** @param ends the names of both; connections are opened from the near one */
export function createLine({ delayMs, jitterMs }: WorldLink, ends: { seed: number; near: string; far: string }) {
  let downs = 0;
  return {
    ...ends,
    link: { oneWayDelayMs: delayMs, jitterMs, bandwidthBytesPerSecond: null },
    /** The end of its last fault, when both ends know of it. */
    faultyUntilMs: -1,
    stalledUntilMs: { there: 0, back: 0 },
    get isDown(): boolean {
      return downs > 0;
    },
    /** Faults may overlap. @returns its end */
    goDown(): () => void {
      downs++;
      return () => {
        downs--;
      };
    },
    stallUntil(ms: number, directions: readonly Direction[]): void {
      for (const direction of directions) this.stalledUntilMs[direction] = Math.max(this.stalledUntilMs[direction], ms);
    },
    isFaultyUntil(ms: number): void {
      this.faultyUntilMs = Math.max(this.faultyUntilMs, ms);
    },
  };
}
