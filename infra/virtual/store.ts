/** A store on a virtual clock, in memory: it outlives the processes that ask it. */
import type { VirtualClock } from './clock.ts';

export class VirtualStore {
  readonly #held = new Map<string, unknown>();
  readonly #clock: VirtualClock;
  readonly #delayMs: number;

  /** @param delayMs the way there, and the way back */
  constructor(clock: VirtualClock, delayMs: number) {
    this.#clock = clock;
    this.#delayMs = delayMs;
  }

  /**
   * The store as one process has it.
   *
   * @param isThere false from the process's kill on: what has not reached the store by then never does, and no answer comes
   */
  askedBy(isThere: () => boolean) {
    const after = (call: () => void) =>
      this.#clock.at(this.#clock.nowMs() + this.#delayMs, () => {
        if (isThere()) call();
      });
    return <Answer>(act: (held: Map<string, unknown>) => Answer | Promise<Answer>): Promise<Answer> =>
      new Promise((resolve, reject) => {
        after(async () => {
          try {
            const answer = await act(this.#held);
            after(() => resolve(answer));
          } catch (error) {
            after(() => reject(error));
          }
        });
      });
  }
}
