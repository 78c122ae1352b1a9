import * as Automerge from '@automerge/automerge';
import Delta from 'quill-delta';
import { describe, expect, test } from 'vitest';
import { testRelayedDocument } from '../../tests/relayed-suite.ts';
import type { RelayedDocument } from '../base/binding/relayed.ts';
import { compactLog, createDocument } from './document.ts';
import { contentsOfSaved, SEED } from './rich-text.ts';

function join(log: readonly Uint8Array[] = []): RelayedDocument {
  const document = createDocument();
  document.open?.([...log]);
  return document;
}

const bold = { bold: true };

/** How many Automerge changes the messages hold, besides the seed. */
function countChanges(...messages: Uint8Array[]): number {
  const document = messages.reduce((all, message) => Automerge.loadIncremental(all, message), Automerge.load(SEED));
  return Automerge.getAllChanges(document).length - 1;
}

// Each run is some forty Automerge transactions.
testRelayedDocument({ create: createDocument, load: contentsOfSaved, compact: compactLog, runs: 25 });

test('the seed is the same bytes wherever it is made, and holds one end of line', () => {
  expect(Buffer.from(SEED).toString('hex')).toBe(
    '856f4a83ce4422aa00880101106d1f04c25b8e4a73a9c0e7381b5df296016949abea90cd8b3d5ef60de557c5f6478b0a05a2b4283a6bc8b71ac1c0054023060102030213022302400256020b01040204130415082102230234024203560357018001027f007f017f027f007f007f0700017f0000017f0100017f007f047465787400010200020101017e04017e00160a020000',
  );
  expect(contentsOfSaved(SEED)).toEqual(new Delta().insert('\n'));
});

describe('formats are exactly what the editor says', () => {
  test('typing on in bold takes one change, plain text next to it or within it takes none of its format', () => {
    const document = join();
    document.change(new Delta().insert('bold', bold));
    const toggled = document.takeMessage()!;
    document.change(new Delta().retain(4).insert('er', bold));
    expect(countChanges(toggled, document.takeMessage()!) - countChanges(toggled)).toBe(1);
    document.change(new Delta().insert('a').retain(3).insert('b').retain(3).insert('c'));
    document.takeMessage();
    expect(document.contents()).toEqual(
      new Delta().insert('a').insert('bol', bold).insert('b').insert('der', bold).insert('c\n'),
    );
  });

  test('what is typed between two lines of one format stays text', () => {
    const document = join();
    const header = { line: 'header:1' };
    document.change(new Delta().insert('\n'));
    document.change(new Delta().retain(2, header));
    document.takeMessage();
    document.change(new Delta().retain(1).insert('x'));
    document.takeMessage();
    expect(document.contents()).toEqual(new Delta().insert('\n', header).insert('x').insert('\n', header));
  });
});

describe("Automerge's own semantics, however long a message waits", () => {
  test('each edit is a change of its own, and they travel together', () => {
    const document = join();
    for (let index = 0; index < 6; index++) document.change(new Delta().retain(index).insert('x'));
    expect(countChanges(document.takeMessage()!)).toBe(6);
    expect(document.takeMessage()).toBeNull();
  });

  test('what is typed into a stretch while another makes it bold becomes bold', () => {
    const [one, other] = [join(), join()];
    one.change(new Delta().insert('abcd'));
    other.receive([one.takeMessage()!]);
    one.change(new Delta().retain(4, bold));
    // Typed before the other's format was seen, and sent after it.
    other.change(new Delta().retain(2).insert('X'));
    other.receive([one.takeMessage()!]);
    one.receive([other.takeMessage()!]);
    for (const document of [one, other])
      expect(document.contents()).toEqual(new Delta().insert('abXcd', bold).insert('\n'));
  });
});
