/** The type on which ShareDB's convergence rests, as its client and its server use it. */
import fc from 'fast-check';
import Delta, { type Op } from 'quill-delta';
import { expect, test } from 'vitest';
import { canonicalDelta } from '../base/delta.ts';
import { SEED, TYPE, toDelta } from './document.ts';

/** One character of two UTF-16 units, one with a combining mark, one read from right to left, and ends of lines. */
const text = fc.constantFrom('a', 'bc', '\n', 'd\ne', '😀', 'e\u0301', 'אב');
const attributes = fc.constantFrom(
  {},
  { bold: true },
  { bold: null, italic: true },
  { line: 'header:1' },
  { line: null },
);
/** Positions are drawn without knowing the document, and taken modulo its length. */
const edit = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'format', 'delete all'),
  at: fc.nat(40),
  text,
  attributes,
});
const edits = fc.array(edit, { minLength: 1, maxLength: 5 });
type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never;

/** The edits, made one after the other in a document that keeps its last "\n", as one change. */
function changeOf(list: readonly Edit[], document: Delta): Delta {
  return list.reduce((all, { kind, at, text: inserted, attributes: formats }) => {
    const last = document.compose(all).length() - 1;
    const index = at % (last + 1);
    const change = new Delta().retain(index);
    if (kind === 'insert') change.insert(inserted, formats);
    else if (kind === 'delete') change.delete(Math.min(3, last - index));
    else if (kind === 'format') change.retain(Math.min(3, last + 1 - index), formats);
    else return all.compose(new Delta().delete(last));
    return all.compose(change);
  }, new Delta());
}

const json = (document: Op[] | { ops: Op[] }) => JSON.stringify(canonicalDelta(toDelta(document)).ops);

test('two concurrent changes end in the same document, whichever the server takes first', () => {
  fc.assert(
    fc.property(edits, edits, edits, (before, some, others) => {
      const document = new Delta(SEED).compose(changeOf(before, new Delta(SEED)));
      const [one, other] = [changeOf(some, document), changeOf(others, document)];
      const client = TYPE.apply(TYPE.apply(document, one.ops), TYPE.transform(other.ops, one.ops, 'right'));
      const server = TYPE.apply(TYPE.apply(document, other.ops), TYPE.transform(one.ops, other.ops, 'left'));
      expect(json(client)).toBe(json(server));
      expect(toDelta(client).ops.at(-1)!.insert).toMatch(/\n$/);
    }),
    { numRuns: 1000 },
  );
});

test('the type’s own version of the delta library composes as the editors’ does', () => {
  fc.assert(
    fc.property(edits, edits, (first, second) => {
      const document = new Delta(SEED);
      const one = changeOf(first, document);
      const two = changeOf(second, document.compose(one));
      expect(json(TYPE.apply(document, TYPE.compose(one.ops, two.ops)))).toBe(json(document.compose(one).compose(two)));
    }),
  );
});
