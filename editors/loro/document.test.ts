import fc from 'fast-check';
import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import { playSteps, steps } from '../../tests/relayed-suite.ts';
import { createDocument } from './document.ts';

/** Loro takes some 20 ms for a run of the suite, ten times what others take, and far more on a busy machine. */
const RUNS = 50;
const TIMEOUT = { timeout: 60_000 };

const join = (log: readonly Uint8Array[]) => {
  const document = createDocument();
  document.receive([...log]);
  return document;
};

test('what changed composes to what is held, replicas agree, and a saved state holds the same', TIMEOUT, () => {
  fc.assert(
    fc.property(steps, (drawn) => {
      playSteps({ steps: drawn, join, load: (saved) => join([saved]).contents() });
    }),
    { numRuns: RUNS },
  );
});

test('a message holds what the user did since the last one, not what others did', () => {
  const [one, other] = [join([]), join([])];
  one.change(new Delta().insert('x'.repeat(5_000)));
  other.receive([one.takeMessage()!]);
  other.change(new Delta().insert('y'.repeat(3_000)));
  expect(other.takeMessage()!.length).toBeLessThan(5_000);
  other.change(new Delta().insert('z'));
  expect(other.takeMessage()!.length).toBeLessThan(1_000);
  expect(other.takeMessage()).toBeNull();
});
