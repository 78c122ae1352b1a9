import fc from 'fast-check';
import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import { NoQuill } from '../noquill/noquill.ts';
import { makeSigil } from '../sigils.ts';
import { followOwnSigils } from './own-sigils.ts';

/** An editor with a text, at which one types, and others' changes arrive. */
function follow(text = 'a text\n') {
  const editor = new NoQuill();
  editor.setContents(new Delta().insert(text), 'api');
  let nowMs = 0;
  const { all: ownSigils, placeOf } = followOwnSigils(editor, () => nowMs);
  return {
    editor,
    ownSigils,
    placeOf,
    after: (ms: number) => {
      nowMs += ms;
    },
    type: (index: number, keys: string) => {
      for (const [at, key] of [...keys].entries()) editor.insertText(index + at, key, 'user');
    },
    others: (delta: Delta) => editor.updateContents(delta, 'api'),
  };
}

test('a sigil that was typed without another’s edit in it is whole, at either end of the document too', () => {
  const { type, ownSigils } = follow('b\n');
  type(1, '00@00');
  type(0, '00@10');
  expect(ownSigils()).toMatchObject([
    { sigil: '00@00', brokenAfterMs: null },
    { sigil: '00@10', brokenAfterMs: null },
  ]);
});

test('one that another’s edit landed in while it was typed is not, even if it is mended', () => {
  const { type, others, ownSigils } = follow();
  type(2, '00@');
  others(new Delta().retain(4).insert('-'));
  type(6, '00');
  others(new Delta().retain(4).delete(1));
  expect(ownSigils()).toEqual([]);
});

test('that its user breaks by chance is told; that its user deletes it is meant', () => {
  const { editor, type, after, ownSigils } = follow();
  type(2, '00@00');
  type(2, '00@10');
  after(200);
  editor.deleteText(6, 1, 'user');
  editor.deleteText(6, 5, 'user');
  expect(ownSigils()).toEqual([
    { sigil: '00@00', brokenAfterMs: null, nearAfterMs: null },
    { sigil: '00@10', brokenAfterMs: null, nearAfterMs: null, ownAfterMs: 200 },
  ]);
});

test.each([
  ['typing into it', new Delta().retain(4).insert('-'), 70],
  ['taking out its first letter', new Delta().retain(2).delete(1), 70],
  ['taking out more than it', new Delta().retain(1).delete(6), 70],
  ['typing before it', new Delta().retain(2).insert('-'), null],
  ['typing behind it', new Delta().retain(7).insert('-'), null],
  ['taking out what is around it', new Delta().retain(1).delete(1).retain(5).delete(1), null],
  ['making it bold', new Delta().retain(2).retain(5, { bold: true }), null],
])('another’s %s: broken after %o ms', (_what, change, brokenAfterMs) => {
  const { type, others, after, ownSigils } = follow();
  type(2, '00@00');
  after(70);
  others(change as Delta);
  expect(ownSigils()).toMatchObject([{ sigil: '00@00', brokenAfterMs }]);
});

test.each([
  ['within five characters before it', new Delta().retain(1).insert('-'), 70],
  ['farther before it', new Delta().insert('-'), null],
  ['five characters behind it', new Delta().retain(16).insert('-'), 70],
  ['six characters behind it', new Delta().retain(17).insert('-'), null],
])('another’s edit %s: near after %o ms', (_where, change, nearAfterMs) => {
  const { type, others, after, ownSigils } = follow('a long text, of which none is near\n');
  type(6, '00@00');
  after(70);
  others(change as Delta);
  after(10);
  others(change as Delta);
  expect(ownSigils()).toEqual([{ sigil: '00@00', brokenAfterMs: null, nearAfterMs }]);
});

test('one whose keys went to several places is torn, unless another’s edit came near between them', () => {
  const torn = (others?: Delta) => {
    const user = follow('a long text, of which none is near\n');
    user.type(20, '00@');
    if (others !== undefined) user.others(others);
    user.type(1, '00');
    return user.ownSigils();
  };
  const found = { sigil: '00@00', brokenAfterMs: null, nearAfterMs: null, torn: true };
  expect(torn()).toEqual([found]);
  expect(torn(new Delta().insert('-'))).toEqual([found]);
  expect(torn(new Delta().retain(24).insert('-'))).toEqual([]);
});

test('what the user itself does to it, and what comes ten seconds later, is not told', () => {
  const one = follow();
  one.type(2, '00@00');
  one.editor.deleteText(3, 1, 'user');
  const other = follow();
  other.type(2, '00@00');
  other.after(10_001);
  other.others(new Delta().retain(4).insert('-'));
  for (const { ownSigils } of [one, other])
    expect(ownSigils()).toMatchObject([{ sigil: '00@00', brokenAfterMs: null }]);
});

test('a change that names another of equal letters side by side breaks nothing', () => {
  const { type, others, after, ownSigils } = follow();
  type(2, '00@00');
  // A "0" came before the sigil; as Quill may tell it, behind the sigil's first.
  others(new Delta().retain(3).insert('0'));
  after(5);
  others(new Delta().retain(4).insert('-'));
  expect(ownSigils()).toMatchObject([{ sigil: '00@00', brokenAfterMs: 5 }]);
});

test('whatever others do: it is told as broken if and only if the text no longer holds it', () => {
  const step = fc.record({ at: fc.nat(12), insert: fc.constantFrom('', '-', '..', '\n'), remove: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const { editor, type, others, ownSigils } = follow('0123456789\n');
      const sigil = makeSigil(10, 123);
      type(5, sigil);
      let isWhole = true;
      for (const { at, insert, remove } of steps) {
        const from = Math.min(at, editor.getLength() - 1);
        const deleted = Math.min(remove, editor.getLength() - 1 - from);
        const change = new Delta().retain(from).insert(insert).delete(deleted).chop();
        if (change.ops.length > 0) others(change);
        isWhole &&= editor.getText().includes(sigil);
      }
      expect(ownSigils()).toMatchObject([{ sigil, brokenAfterMs: isWhole ? null : 0 }]);
    }),
  );
});

test('the place of one of the last three is known, however old it is, as long as it is whole', () => {
  const { type, others, after, placeOf } = follow();
  for (const [nth, sigil] of ['00@00', '00@10', '00@20', '00@30'].entries()) type(2 + 5 * nth, sigil);
  after(60_000);
  others(new Delta().insert('some '));
  others(new Delta().retain(18).insert('-'));
  expect(['00@00', '00@10', '00@20', '00@30'].map(placeOf)).toEqual([null, 12, null, 23]);
});
