import fc from 'fast-check';
import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import { testRelayedDocument } from '../../tests/relayed-suite.ts';
import { canonicalDelta } from '../base/kit.ts';
import { compactLog, createDocument, loadContents } from './document.ts';

/** A run takes some 10 ms, and far more on a busy machine. */
const RUNS = 60;

testRelayedDocument({ create: createDocument, load: loadContents, compact: compactLog, opensLog: false, runs: RUNS });

/** Of each author so many messages, each of one change at a place and length taken modulo the document's. */
const authors = fc.array(
  fc.array(fc.record({ at: fc.nat(30), taken: fc.nat(3), text: fc.constantFrom('', 'a', 'bc'), bold: fc.boolean() }), {
    maxLength: 6,
  }),
  { minLength: 2, maxLength: 4 },
);

test('messages may come in any order that keeps each author’s own', () => {
  fc.assert(
    fc.property(authors, fc.array(fc.nat(3), { minLength: 24, maxLength: 24 }), (drawn, draws) => {
      const replicas = drawn.map(() => createDocument());
      const sent: Uint8Array[][] = drawn.map(() => []);
      for (let round = 0; round < 6; round++) {
        for (const [author, changes] of drawn.entries()) {
          const change = changes[round];
          if (change === undefined) continue;
          const length = replicas[author]!.contents().length();
          const at = change.at % length;
          const format = change.bold ? { bold: true } : {};
          const taken = Math.min(change.taken, length - 1 - at);
          replicas[author]!.change(new Delta().retain(at).insert(change.text, format).delete(taken));
          const message = replicas[author]!.takeMessage();
          if (message === null) continue;
          sent[author]!.push(message);
          for (const [other, replica] of replicas.entries()) if (other !== author) replica.receive([message]);
        }
      }
      const expected = canonicalDelta(replicas[0]!.contents());
      // As when a relay starts anew, and one author after the other brings back what it sent.
      const mixed: Uint8Array[] = [];
      const waiting = sent.map((messages) => [...messages]);
      for (const draw of draws) {
        const left = waiting.filter((messages) => messages.length > 0);
        if (left.length > 0) mixed.push(left[draw % left.length]!.shift()!);
      }
      const late = createDocument();
      let shown = late.contents();
      for (const message of mixed) shown = shown.compose(late.receive([message]));
      expect(canonicalDelta(late.contents())).toEqual(expected);
      expect(canonicalDelta(shown)).toEqual(expected);
      expect(canonicalDelta(loadContents(compactLog(null, mixed)))).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});

test('a message is one patch of all since the last, and none where nothing was done', () => {
  const [one, other] = [createDocument(), createDocument()];
  for (const key of 'abc') one.change(new Delta().insert(key));
  expect(other.receive([one.takeMessage()!])).toEqual(new Delta().insert('cba'));
  expect(one.takeMessage()).toBeNull();
  expect(other.takeMessage()).toBeNull();
});

test('of equal characters side by side, the one that came is told', () => {
  const [one, other] = [createDocument(), createDocument()];
  one.change(new Delta().insert('aaaa'));
  other.receive([one.takeMessage()!]);
  one.change(new Delta().retain(2).insert('a'));
  expect(other.receive([one.takeMessage()!])).toEqual(new Delta().retain(2).insert('a'));
  one.change(new Delta().retain(1).delete(1));
  expect(other.receive([one.takeMessage()!])).toEqual(new Delta().retain(1).delete(1));
});

test('a change that leaves length and pieces as they were is seen', () => {
  const document = createDocument();
  document.change(new Delta().insert('b'));
  document.change(new Delta().insert('a'));
  expect(document.contents()).toEqual(new Delta().insert('ab\n'));
  document.change(new Delta().retain(1).insert('c').delete(1));
  expect(document.contents()).toEqual(new Delta().insert('ac\n'));
});
