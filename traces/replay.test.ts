import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sequentialTrace } from '../tests/traces/random-traces.ts';
import type { Patch, SequentialTrace } from './format.ts';
import { replay } from './replay.ts';

function traceOf(patches: Patch[], endContent: string, startContent = ''): SequentialTrace {
  return { kind: 'sequential', startContent, endContent, txns: patches.map((patch) => ({ patches: [patch] })) };
}

test('counts code points', () => {
  // "😀b" is two code points: the b stands at 1, and "é" goes between.
  const patches: Patch[] = [
    [0, 0, '😀b'],
    [1, 0, 'é'],
    [0, 1, ''],
  ];
  expect(() => replay(traceOf(patches, 'éb'))).not.toThrow();
});

test('replays random traces to their end', () => {
  fc.assert(fc.property(sequentialTrace, (trace) => replay(trace)));
});

test('applies the patches of one transaction one after the other', () => {
  const patches: Patch[] = [
    [3, 0, 'd'],
    [0, 1, 'A'],
  ];
  const trace: SequentialTrace = { kind: 'sequential', startContent: 'abc', endContent: 'Abcd', txns: [{ patches }] };
  expect(() => replay(trace)).not.toThrow();
});

test.each<[Patch, RegExp]>([
  [[3, 0, 'x'], /Transaction 1, patch 0 inserts at 3, but the document has 2 characters/],
  [[1, 2, ''], /Transaction 1, patch 0 deletes from 1 to 3, but the document has 2 characters/],
])('names the patch %j that reaches outside the document', (patch, message) => {
  expect(() => replay(traceOf([[0, 0, 'ab'], patch], ''))).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringMatching(message) }),
  );
});

test('shows the first difference from endContent, and the transaction that wrote there', () => {
  const patches: Patch[] = [
    [0, 0, 'one '],
    [4, 0, 'two'],
  ];
  expect(() => replay(traceOf(patches, 'one too'))).toThrow(
    /first difference is at character 5: expected "one too", saw "one two", written by transaction 1 \(length expected: 7, seen: 7\)/,
  );
  expect(() => replay(traceOf(patches, 'one two three'))).toThrow(
    /at character 7: .* saw "one two", the end \(length expected: 13, seen: 7\)/,
  );
  expect(() => replay(traceOf([], 'b', 'a'))).toThrow(/saw "a", from startContent/);
});
