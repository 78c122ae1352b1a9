import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Edit } from '../../../traces/edit.ts';
import { createSigilGuard, createTypist } from './typist.ts';

const editsOf = (move: fc.Arbitrary<number>, mostErased: number): fc.Arbitrary<Edit> =>
  fc.oneof(
    fc.record({ kind: fc.constant('key' as const), move, text: fc.constant('x') }),
    fc.record({ kind: fc.constant('paste' as const), move, text: fc.constant('xyz') }),
    fc.record({ kind: fc.constant('backspace' as const), move }),
    fc.record({ kind: fc.constant('delete' as const), move }),
    fc.record({ kind: fc.constant('erase' as const), move, length: fc.integer({ min: 1, max: mostErased }) }),
  );
const near = fc.integer({ min: -12, max: 12 });
const edit = editsOf(near, 20);

/** A text and a cursor, long enough that no move meets an end. */
function applyEdit({ text, cursor }: { text: string; cursor: number }, edit: Edit) {
  const at = cursor + edit.move;
  switch (edit.kind) {
    case 'key':
    case 'paste':
      return { text: text.slice(0, at) + edit.text + text.slice(at), cursor: at + edit.text.length };
    case 'backspace':
      return { text: text.slice(0, at - 1) + text.slice(at), cursor: at - 1 };
    case 'delete':
      return { text: text.slice(0, at) + text.slice(at + 1), cursor: at };
    case 'erase':
      return { text: text.slice(0, at) + text.slice(at + edit.length), cursor: at };
  }
}

test('no edit of the user ever touches the sigil typed last, whatever the trace does around it', () => {
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 40 }), (edits) => {
      const guard = createSigilGuard(5);
      const before = '.'.repeat(2000);
      let state = { text: `${before}0a3f@${before}`, cursor: before.length + 5 };
      guard.sigilTyped();
      for (const next of edits) {
        state = applyEdit(state, guard.around(next));
        expect(state.text).toContain('0a3f@');
      }
    }),
    { numRuns: 2000 },
  );
});

test('nor where the driver goes only so far: what a trace asks beyond that is cut before the sigil is gone around', () => {
  const longestMove = 10;
  const far = fc.integer({ min: -1000, max: 1000 });
  fc.assert(
    fc.property(fc.array(editsOf(fc.oneof(near, far), 1000), { minLength: 1, maxLength: 40 }), (edits) => {
      const typist = createTypist({
        user: 0,
        seed: 1,
        edits,
        formatOdds: { inline: 0, range: 0, block: 0 },
        longestMove,
      });
      // 40 edits reach 40 × 15 units to the left, and erase 10 more each.
      const around = '.'.repeat(1500);
      let state = { text: around + around, cursor: around.length };
      let sigil = '';
      for (const key of typist.nextSigil()) {
        if (key.kind !== 'sigil-key') throw new Error(`a sigil consists of its keys, but there is a "${key.kind}"`);
        sigil = key.sigil;
        state = applyEdit(state, { kind: 'key', move: 0, text: key.text });
      }
      for (let count = 0; count < edits.length; count++) {
        const action = typist.nextEdit() as Edit;
        expect(Math.abs(action.move)).toBeLessThanOrEqual(longestMove + sigil.length);
        if (action.kind === 'erase') expect(action.length).toBeLessThanOrEqual(longestMove);
        state = applyEdit(state, action);
        expect(state.text).toContain(sigil);
      }
    }),
    { numRuns: 1000 },
  );
});

test('away from the sigil, and before there is one, edits pass unchanged', () => {
  const guard = createSigilGuard(5);
  expect(guard.around({ kind: 'backspace', move: -3 })).toEqual({ kind: 'backspace', move: -3 });
  guard.sigilTyped();
  expect(guard.around({ kind: 'key', move: 0, text: 'x' })).toEqual({ kind: 'key', move: 0, text: 'x' });
  expect(guard.around({ kind: 'backspace', move: 0 })).toEqual({ kind: 'backspace', move: 0 });
  // Now the cursor stands right after the sigil: the Backspace goes to what stood before it.
  expect(guard.around({ kind: 'backspace', move: 0 })).toEqual({ kind: 'backspace', move: -5 });
});
