/** A thread of `machine-speed.ts`: takes its slices of the loop whenever it is asked, and answers with the ms that each took. */
import { parentPort } from 'node:worker_threads';

/** 1 MiB, which lies in a core's own cache. */
const TABLE = new Int32Array(2 ** 18);

/** The loop: whole numbers, and a table read and written at scattered places. Its turns make figures comparable, so it never changes. */
function turn(turns: number): void {
  let state = 1;
  for (let index = 0; index < turns; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const place = state & (TABLE.length - 1);
    TABLE[place] = (TABLE[place]! + state) | 0;
  }
}

parentPort!.on('message', ({ turns, slices }: { turns: number; slices: number }) => {
  const tookMs = Array.from({ length: slices }, () => {
    const startMs = performance.now();
    turn(turns);
    return performance.now() - startMs;
  });
  parentPort!.postMessage(tookMs);
});
