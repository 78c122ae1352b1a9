/** When a user's keys are due: at a steady pace, each user's at a phase of its own. */

/** What is later is not typed any more, as in trials of typing. */
const LATEST_MS = 1000;

export class KeySchedule {
  readonly #periodMs: number;
  #nextMs: number;

  /** @param options.phase when the first key is due, as a share of the pause between two, in [0, 1) */
  constructor({ keysPerSecond, phase, startMs }: { keysPerSecond: number; phase: number; startMs: number }) {
    this.#periodMs = 1000 / keysPerSecond;
    this.#nextMs = startMs + phase * this.#periodMs;
  }

  /** The keys that have become due since the last call, and how many of them are to be typed. */
  take(nowMs: number): { due: number; keys: number } {
    const due = Math.max(0, Math.floor((nowMs - this.#nextMs) / this.#periodMs) + 1);
    const tooLate = Math.min(due, Math.max(0, Math.ceil((nowMs - LATEST_MS - this.#nextMs) / this.#periodMs)));
    this.#nextMs += due * this.#periodMs;
    return { due, keys: due - tooLate };
  }
}
