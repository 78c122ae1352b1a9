import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import { testRelayedDocument } from '../../tests/relayed-suite.ts';
import { deltaOf, loadDocument } from '../yjs/document.ts';
import { compactLog, createDocument } from './document.ts';

const load = (saved: Uint8Array) => deltaOf(loadDocument(saved));

testRelayedDocument({ create: createDocument, load, compact: compactLog });

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
