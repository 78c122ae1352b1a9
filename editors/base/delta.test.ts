import fc from 'fast-check';
import Delta, { type Op } from 'quill-delta';
import { expect, test } from 'vitest';
import { canonicalDelta, digest } from './delta.ts';

test('neighbours with equal attributes become one, and what is off is dropped', () => {
  const delta = new Delta();
  delta.ops = [
    { insert: 'a', attributes: { bold: null, italic: false } },
    { insert: 'b', attributes: {} },
    { insert: 'c', attributes: { italic: true, bold: true } },
    { insert: 'd', attributes: { bold: true, italic: true, header: undefined } },
    { insert: '\n' },
  ];
  expect(JSON.stringify(canonicalDelta(delta).ops)).toBe(
    '[{"insert":"ab"},{"insert":"cd","attributes":{"bold":true,"italic":true}},{"insert":"\\n"}]',
  );
});

test('the order of an op’s properties does not matter', async () => {
  const op: Op = { attributes: { list: 'bullet' }, insert: '\n' };
  const same: Op = { insert: '\n', attributes: { list: 'bullet' } };
  expect(await digest(new Delta([op]))).toBe(await digest(new Delta([same])));
});

test('a document has one canonical form, however it is cut into ops', () => {
  const op = fc.record({
    insert: fc.string({ minLength: 1, maxLength: 5 }),
    attributes: fc.constantFrom({}, { bold: true }, { bold: true, italic: false }, { italic: true, bold: null }),
  });
  fc.assert(
    fc.property(fc.array(op), (ops) => {
      const cut = new Delta();
      cut.ops = ops.flatMap(({ insert, attributes }) => [...insert].map((piece) => ({ insert: piece, attributes })));
      const whole = new Delta();
      whole.ops = ops;
      expect(JSON.stringify(canonicalDelta(cut))).toBe(JSON.stringify(canonicalDelta(whole)));
      expect(canonicalDelta(canonicalDelta(whole))).toEqual(canonicalDelta(whole));
    }),
  );
});

test('a digest is the SHA-256 of the text, or of the canonical JSON', async () => {
  // The example of FIPS 180-2, appendix B.1.
  expect(await digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(await digest(new Delta().insert('é\n'))).toBe(await digest('[{"insert":"é\\n"}]'));
});
