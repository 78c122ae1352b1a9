import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Batching } from '../../editors/base/framework.ts';
import { createInbox } from './inbox.ts';

/** The items that a client has applied at each of some moments if it follows its receive batches all along. */
function appliedLive(arrivals: readonly number[], moments: readonly number[], { receiveMs, receivePhaseMs }: Batching) {
  const appliedMs: number[] = [];
  let endsMs = Number.NEGATIVE_INFINITY;
  for (const atMs of arrivals) {
    if (receiveMs === 0) endsMs = atMs;
    else if (receivePhaseMs === undefined) endsMs = atMs < endsMs ? endsMs : atMs + receiveMs;
    else endsMs = receivePhaseMs + (Math.floor((atMs - receivePhaseMs) / receiveMs) + 1) * receiveMs;
    appliedMs.push(endsMs);
  }
  return moments.map((moment) => appliedMs.filter((ms) => ms <= moment).length);
}

test('at each key there is what receive batches would have brought by then, in order', () => {
  const rhythms: Batching[] = [
    { receiveMs: 50, receivePhaseMs: 17, sendMs: 0 },
    { receiveMs: 50, sendMs: 0 },
    { receiveMs: 0, sendMs: 0 },
  ];
  // Quarters, so that nothing falls on the very moment of a key.
  const times = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(times, times, fc.constantFrom(...rhythms), (some, others, batching) => {
      const arrivals = some.map((ms) => ms + 0.25).sort((a, b) => a - b);
      const keys = others.map((ms) => ms + 0.5).sort((a, b) => a - b);
      const inbox = createInbox(batching);
      const delivered: number[] = [];
      let added = 0;
      const counts = keys.map((keyMs) => {
        for (; added < arrivals.length && arrivals[added]! <= keyMs; added++) {
          const number = added;
          inbox.add(arrivals[number]!, () => delivered.push(number));
        }
        inbox.deliverBy(keyMs);
        return delivered.length;
      });
      expect(counts).toEqual(appliedLive(arrivals, keys, batching));
      expect(delivered).toEqual([...delivered.keys()]);
    }),
  );
});
