/** A way between two of a world, which all connections between them take: of a user to a server, or of a server to the broker. */
import type { Link } from '../../infra/network/link.ts';
import type { Line } from '../../infra/virtual/network.ts';
import type { WorldLink } from './world.ts';

export class WorldLine implements Line {
  readonly link: Link;
  readonly seed: number;
  /** The names of both ends; connections are opened from the near one. */
  readonly near: string;
  readonly far: string;
  /** The end of its last fault, when both ends know of it. */
  faultyUntilMs = -1;
  #downs = 0;

  constructor({ delayMs, jitterMs }: WorldLink, of: { seed: number; near: string; far: string }) {
    this.link = { oneWayDelayMs: delayMs, jitterMs, bandwidthBytesPerSecond: null };
    this.seed = of.seed;
    this.near = of.near;
    this.far = of.far;
  }

  get isDown(): boolean {
    return this.#downs > 0;
  }

  /** Faults may overlap. @returns its end */
  goDown(): () => void {
    this.#downs++;
    return () => {
      this.#downs--;
    };
  }

  isFaultyUntil(ms: number): void {
    this.faultyUntilMs = Math.max(this.faultyUntilMs, ms);
  }
}
