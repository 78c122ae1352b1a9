import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import { testRelayedDocument } from '../../tests/relayed-suite.ts';
import { compactLog, contentsOfSaved, createDocument } from './document.ts';

/** A run takes Loro some 20 ms, ten times as long as others, and far more on a busy machine. */
const RUNS = 50;
testRelayedDocument({ create: createDocument, load: contentsOfSaved, compact: compactLog, runs: RUNS });

test('a message holds what the user did since the last one, not what others did', () => {
  const [one, other] = [createDocument(), createDocument()];
  one.change(new Delta().insert('x'.repeat(5_000)));
  other.receive([one.takeMessage()!]);
  other.change(new Delta().insert('y'.repeat(3_000)));
  expect(other.takeMessage()!.length).toBeLessThan(5_000);
  other.change(new Delta().insert('z'));
  expect(other.takeMessage()!.length).toBeLessThan(1_000);
  expect(other.takeMessage()).toBeNull();
});
