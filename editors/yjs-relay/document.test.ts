import fc from 'fast-check';
import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import { playSteps, steps } from '../../tests/relayed-suite.ts';
import { canonicalDelta } from '../base/delta.ts';
import { deltaOf, loadDocument } from '../yjs/document.ts';
import { compactLog, createDocument } from './document.ts';

const load = (saved: Uint8Array) => deltaOf(loadDocument(saved));

test.each([
  ['the log', (log: readonly Uint8Array[]) => [...log]],
  [
    'what the relay makes of the log',
    (log: readonly Uint8Array[]) => (log.length === 0 ? [] : [compactLog(null, log)]),
  ],
])('replicas agree whatever they do, and one that joins by %s', (_, given) => {
  fc.assert(
    fc.property(steps, (list) => {
      playSteps({
        steps: list,
        join(log) {
          const document = createDocument();
          document.receive(given(log));
          return document;
        },
        load,
      });
    }),
  );
});

test('a saved state goes on with what came after it', () => {
  const document = createDocument();
  const messages = [...'abc'].map((key, index) => {
    document.change(new Delta().retain(index).insert(key));
    return document.takeMessage()!;
  });
  const saved = compactLog(compactLog(null, messages.slice(0, 1)), messages.slice(1));
  expect(canonicalDelta(load(saved))).toEqual(canonicalDelta(document.contents()));
});

test('the format marks that Yjs deletes after receiving are a message, too', () => {
  const [one, other] = [createDocument(), createDocument()];
  const bold = (document: typeof one) => {
    document.change(new Delta().retain(2, { bold: true }));
    return document.takeMessage()!;
  };
  one.change(new Delta().insert('ab'));
  other.receive([one.takeMessage()!]);
  const [fromOne, fromOther] = [bold(one), bold(other)];
  one.receive([fromOther]);
  other.receive([fromOne]);
  expect([one, other].some((document) => document.hasMessage!())).toBe(true);
  for (const document of [one, other]) {
    expect(document.hasMessage!()).toBe(document.takeMessage() !== null);
    expect(document.hasMessage!()).toBe(false);
  }
});
