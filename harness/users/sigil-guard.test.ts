import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Edit } from '../../traces/edit.ts';
import { createSigilGuard } from './sigil-guard.ts';

const move = fc.integer({ min: -12, max: 12 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('key' as const), move, text: fc.constant('x') }),
  fc.record({ kind: fc.constant('paste' as const), move, text: fc.constant('xyz') }),
  fc.record({ kind: fc.constant('backspace' as const), move }),
  fc.record({ kind: fc.constant('delete' as const), move }),
  fc.record({ kind: fc.constant('erase' as const), move, length: fc.integer({ min: 1, max: 20 }) }),
);

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

test('away from the sigil, and before there is one, edits pass unchanged', () => {
  const guard = createSigilGuard(5);
  expect(guard.around({ kind: 'backspace', move: -3 })).toEqual({ kind: 'backspace', move: -3 });
  guard.sigilTyped();
  expect(guard.around({ kind: 'key', move: 0, text: 'x' })).toEqual({ kind: 'key', move: 0, text: 'x' });
  expect(guard.around({ kind: 'backspace', move: 0 })).toEqual({ kind: 'backspace', move: 0 });
  // Now the cursor stands right after the sigil: the Backspace goes to what stood before it.
  expect(guard.around({ kind: 'backspace', move: 0 })).toEqual({ kind: 'backspace', move: -5 });
});
