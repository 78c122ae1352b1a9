import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Edit } from '../../../traces/edits.ts';
import { createSigilGuard, createTypist, textOf } from './typist.ts';

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

test('no edit of the user ever touches the sigil typed last, or one right before it, whatever the trace does around them', () => {
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 3 }), (edits, count) => {
      const guard = createSigilGuard();
      const before = '.'.repeat(2000);
      const sigils = '0a@3f'.repeat(count);
      let state = { text: `${before}${sigils}${before}`, cursor: before.length + sigils.length };
      for (let typed = 0; typed < count; typed++) guard.sigilTyped();
      for (const next of edits) {
        state = applyEdit(state, guard.around(next));
        expect(state.text).toContain(sigils);
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
  const guard = createSigilGuard();
  expect(guard.around({ kind: 'backspace', move: -3 })).toEqual({ kind: 'backspace', move: -3 });
  guard.sigilTyped();
  expect(guard.around({ kind: 'key', move: 0, text: 'x' })).toEqual({ kind: 'key', move: 0, text: 'x' });
  expect(guard.around({ kind: 'backspace', move: 0 })).toEqual({ kind: 'backspace', move: 0 });
  // Now the cursor stands right after the sigil: the Backspace goes to what stood before it.
  expect(guard.around({ kind: 'backspace', move: 0 })).toEqual({ kind: 'backspace', move: -5 });
});

const noFormats = { inline: 0, range: 0, block: 0 };

describe('typist', () => {
  test('is the same for the same seed, and different for another user', () => {
    const options = {
      seed: 7,
      edits: [{ kind: 'key' as const, move: 0, text: 'x' }],
      formatOdds: { inline: 0.3, range: 0.3, block: 0.3 },
    };
    const run = (user: number) => {
      const typist = createTypist({ user, ...options });
      return JSON.stringify(Array.from({ length: 50 }, () => typist.nextEdit()));
    };
    expect(run(1)).toBe(run(1));
    expect(run(1)).not.toBe(run(2));
  });

  test('formats come with the odds asked for', () => {
    const typist = createTypist({
      user: 0,
      seed: 3,
      edits: [{ kind: 'key', move: 0, text: 'x' }],
      formatOdds: { inline: 0.005, range: 0.0025, block: 0.0025 },
    });
    const counts = { key: 0, 'format-cursor': 0, 'format-range': 0, 'format-block': 0 } as Record<string, number>;
    for (let i = 0; i < 100_000; i++) counts[typist.nextEdit().kind]!++;
    // Expected 500, 250 and 250; four standard deviations are 90 and 64.
    expect(Math.abs(counts['format-cursor']! - 500)).toBeLessThan(90);
    expect(Math.abs(counts['format-range']! - 250)).toBeLessThan(64);
    expect(Math.abs(counts['format-block']! - 250)).toBeLessThan(64);
  });

  test('a formatted sigil stands for a range', () => {
    const typist = createTypist({
      ...{ user: 0, seed: 3, edits: [{ kind: 'key' as const, move: 0, text: 'x' }], changeSigils: true },
      formatOdds: { inline: 0, range: 1, block: 0 },
    });
    const [first, second, third] = [0, 1, 2].map(() => typist.nextSigil().map(textOf).join(''));
    expect(typist.changeOf(first!)).toBeNull();
    expect(typist.changeOf(second!)).toMatchObject({ kind: 'sigil-delete', sigil: second });
    expect(typist.changeOf(third!)).toMatchObject({ kind: 'sigil-format', sigil: third });
    expect([typist.nextEdit().kind, typist.nextEdit().kind]).toEqual(['key', 'format-range']);
  });

  test('long pastes and deletions are cut, and a paste ends with a whole character', () => {
    const flag = '🇺🇸';
    const edits: Edit[] = [
      { kind: 'paste', move: 3, text: `ab${flag}${flag}c` },
      { kind: 'paste', move: 0, text: flag },
      { kind: 'erase', move: -2, length: 900 },
    ];
    const typed = (longestEdit: number | null) => {
      const typist = createTypist({ user: 0, seed: 1, edits, formatOdds: noFormats, longestEdit });
      return edits.map(() => typist.nextEdit());
    };
    expect(typed(null)).toEqual(edits);
    expect(typed(8)).toEqual([{ ...edits[0], text: `ab${flag}` }, edits[1], { ...edits[2], length: 8 }]);
    expect(typed(1)).toEqual([{ ...edits[0], text: 'a' }, edits[1], { ...edits[2], length: 1 }]);
  });

  test('nothing to replay is an error', () => {
    expect(() => createTypist({ user: 2, seed: 1, edits: [], formatOdds: noFormats })).toThrow(/user 2/);
  });
});
