/** A store on a virtual clock, in memory: it outlives the processes that ask it. */
import type { VirtualClock } from './clock.ts';

export type VirtualStore = ReturnType<typeof createVirtualStore>;

/** @param delayMs the way there, and the way back */
export function createVirtualStore(clock: VirtualClock, delayMs: number) {
  const held = new Map<string, unknown>();
  return {
    /**
     * The store as one process has it.
     *
     * @param isThere false from the process's kill on: what has not reached the store by then never does, and no answer comes
     */
    askedBy(isThere: () => boolean) {
      const after = (call: () => void) => clock.after(delayMs, () => isThere() && call());
      return <Answer>(act: (held: Map<string, unknown>) => Answer | Promise<Answer>): Promise<Answer> =>
        new Promise((resolve, reject) => {
          after(async () => {
            try {
              const answer = await act(held);
              after(() => resolve(answer));
            } catch (error) {
              after(() => reject(error));
            }
          });
        });
    },
  };
}
