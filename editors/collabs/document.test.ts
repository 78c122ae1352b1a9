import fc from 'fast-check';
import Delta from 'quill-delta';
import { describe, expect, test } from 'vitest';
import { playSteps, steps } from '../../tests/relayed-suite.ts';
import { canonicalDelta } from '../base/delta.ts';
import { createDocument } from './document.ts';
import { compactLog } from './replica.ts';

describe.each([false, true])('causality guaranteed: %s', (causalityGuaranteed) => {
  const ordering = { causalityGuaranteed };
  const open = (saved: Uint8Array[]) => {
    const document = createDocument(ordering);
    document.open(saved);
    return document;
  };
  const join = (log: readonly Uint8Array[]) => open(log.length === 0 ? [] : [compactLog(ordering, null, log)]);

  test('what changed composes to what is held, replicas agree, and a saved state holds the same', () => {
    fc.assert(
      fc.property(steps, (drawn) => {
        playSteps({ steps: drawn, join, load: (saved) => open([saved]).contents() });
      }),
    );
  });

  test('text typed at the end of what another formats gets its inline formats, never those of a line', () => {
    const [formatting, typing] = [join([]), join([])];
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
