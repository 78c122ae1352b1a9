import fc from 'fast-check';
import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import { testRelayedDocument } from '../../tests/relayed-suite.ts';
import { canonicalDelta, type RelayedDocument } from '../base/kit.ts';
import { decodeMessage } from './decode.ts';
import { compactLog, createDocument, loadContents } from './document.ts';

/** A run takes some 10 ms, and far more on a busy machine. */
const RUNS = 60;

testRelayedDocument({ create: createDocument, load: loadContents, compact: compactLog, opensLog: false, runs: RUNS });

const change = fc.record({
  at: fc.oneof(fc.nat(2), fc.nat(30)),
  taken: fc.nat(3),
  text: fc.constantFrom('', 'a', 'bc'),
  bold: fc.boolean(),
});
/**
 * Of each author so many messages, each of a few changes at places and lengths taken modulo the document's. An author who is
 * alone deletes over the bounds of messages.
 */
const authors = fc.array(fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 6 }), {
  minLength: 1,
  maxLength: 4,
});

test('messages may come in any order that keeps each author’s own', () => {
  fc.assert(
    fc.property(authors, fc.array(fc.nat(3), { minLength: 24, maxLength: 24 }), (drawn, draws) => {
      const replicas = drawn.map(() => createDocument());
      const sent: Uint8Array[][] = drawn.map(() => []);
      for (let round = 0; round < 6; round++) {
        for (const [author, messages] of drawn.entries()) {
          for (const { at, taken, text, bold } of messages[round] ?? []) {
            const length = replicas[author]!.contents().length();
            const place = at % length;
            const change = new Delta().retain(place).insert(text, bold ? { bold } : {});
            replicas[author]!.change(change.delete(Math.min(taken, length - 1 - place)));
          }
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

test('whole documents make one in any order, also for who comes in between', () => {
  const join = (log: readonly Uint8Array[]) => {
    const document = createDocument();
    document.open!(log.length === 0 ? [] : [compactLog(null, log)]);
    return document;
  };
  const log: Uint8Array[] = [];
  const users: RelayedDocument[] = [];
  // A message reaches those who come after it, and nobody else before the relay ends.
  for (const text of 'abcd') {
    const user = join(log);
    user.change(new Delta().insert(text));
    log.push(user.takeMessage()!);
    user.change(new Delta().insert(text.toUpperCase()));
    user.takeMessage();
    users.push(user);
  }
  const wholes = users.map((user) => user.wholeAsMessage!());
  const inOrder = fc.shuffledSubarray(wholes, { minLength: wholes.length });
  const texts = new Set<string>();
  const addText = ({ ops }: Delta) => texts.add(ops.map(({ insert }) => insert).join(''));
  fc.assert(
    fc.property(inOrder, fc.integer({ min: 1, max: wholes.length }), (brought, count) => {
      const newcomer = join(brought.slice(0, count));
      const shown = newcomer.contents();
      addText(shown.compose(newcomer.receive(brought.slice(count))));
      addText(loadContents(newcomer.save()));
    }),
  );
  expect([...texts].map((text) => [...text].sort().join(''))).toEqual(['\nABCDabcd']);
});

test('what is typed behind a sent character, and deleted with it before the next message, holds nobody up', () => {
  const [one, other] = [createDocument(), createDocument()];
  const say = (change: Delta) => one.change(change);
  say(new Delta().insert('X'));
  other.receive([one.takeMessage()!]);
  say(new Delta().retain(1).insert('Y'));
  say(new Delta().delete(2));
  other.receive([one.takeMessage()!]);
  say(new Delta().insert('later'));
  const last = one.takeMessage()!;
  expect(other.receive([last])).toEqual(new Delta().insert('later'));
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

test('what goes through the relay can be read: patches, whole documents and saved states', () => {
  const document = createDocument();
  document.change(new Delta().insert('word'));
  expect(decodeMessage(document.takeMessage()!)).toContain('word');
  const { messages } = decodeMessage(document.wholeAsMessage!()) as { messages: string[] };
  expect(messages.join()).toContain('word');
  expect(decodeMessage(document.save())).toEqual({ state: document.save() });
});

test('what others change is told right after any number of own keys', () => {
  const [one, other] = [createDocument(), createDocument()];
  let shown = one.contents();
  for (let key = 0; key < 1002; key++) {
    const change = new Delta().retain(key % 7).insert('x', key % 5 === 0 ? { bold: true } : {});
    one.change(change);
    shown = shown.compose(change);
  }
  other.change(new Delta().insert('theirs'));
  shown = shown.compose(one.receive([other.takeMessage()!]));
  expect(canonicalDelta(shown)).toEqual(canonicalDelta(one.contents()));
});
