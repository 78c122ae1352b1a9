import Delta from 'quill-delta';
import { describe, expect, test } from 'vitest';
import { testRelayedDocument } from '../../tests/relayed-suite.ts';
import { canonicalDelta } from '../base/delta.ts';
import { collabsWith } from './document.ts';
import { compactLog } from './replica.ts';

describe.each([false, true])('causality guaranteed: %s', (causalityGuaranteed) => {
  const ordering = { causalityGuaranteed };
  const { createDocument, contentsOfSaved } = collabsWith(ordering);
  testRelayedDocument({
    create: createDocument,
    load: contentsOfSaved,
    compact: (savedState, log) => compactLog(ordering, savedState, log),
    opensLog: false,
    // A run takes some 50 ms.
    runs: 60,
  });

  test('a character that came and went in one whole document goes by the next, too', () => {
    const open = (...log: Uint8Array[]) => {
      const document = createDocument();
      document.open!(log);
      return document;
    };
    const author = open();
    author.change(new Delta().insert('X'));
    const typed = author.takeMessage()!;
    const newcomer = open(compactLog(ordering, null, [typed]));
    newcomer.change(new Delta().delete(1));
    const [reader, other] = [open(), open()];
    reader.receive([typed]);
    other.receive([newcomer.wholeAsMessage!()]);
    expect(reader.receive([other.wholeAsMessage!()]).ops).toEqual([{ delete: 1 }]);
    other.receive([author.wholeAsMessage!()]);
    for (const document of [reader, other]) expect(canonicalDelta(document.contents()).ops).toEqual([{ insert: '\n' }]);
  });

  test('text typed at the end of what another formats gets its inline formats, never those of a line', () => {
    const [formatting, typing] = [createDocument(), createDocument()];
    for (const document of [formatting, typing]) document.open!([]);
    formatting.change(new Delta().insert('abcd\n'));
    typing.receive([formatting.takeMessage()!]);
    formatting.change(new Delta().retain(2).retain(2, { bold: true }).retain(1, { line: 'header:1' }));
    typing.change(new Delta().retain(4).insert('X').retain(1).insert('Y'));
    const [formats, typed] = [formatting.takeMessage()!, typing.takeMessage()!];
    formatting.receive([typed]);
    typing.receive([formats]);
    for (const document of [formatting, typing]) {
      expect(canonicalDelta(document.contents()).ops).toEqual([
        { insert: 'ab' },
        { insert: 'cdX', attributes: { bold: true } },
        { insert: '\n', attributes: { line: 'header:1' } },
        { insert: 'Y\n' },
      ]);
    }
  });
});
