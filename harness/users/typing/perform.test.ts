import { expect, test } from 'vitest';
import { keyGestures } from '../chrome/keys.ts';
import { type Gestures, performHere, performThere } from './perform.ts';
import type { Action } from './typist.ts';

const WHOLE = '00@a0';

/** The calls that an editor gets for an action, in order. */
async function told(action: Action): Promise<string[]> {
  const calls: string[] = [];
  const editor: Gestures<Promise<unknown>> = {
    ...keyGestures(async ({ down }) => {
      calls.push(`press ${down.modifiers === undefined ? '' : 'Ctrl+'}${down.key}`);
    }),
    move: async (distance) => void calls.push(`move ${distance}`),
    select: async (distance, length) => void calls.push(`select ${distance} ${length}`),
    unselect: async (distance) => void calls.push(`unselect ${distance}`),
    async selectSigil(sigil) {
      calls.push(`select ${sigil}`);
      return sigil === WHOLE;
    },
    leaveSigil: async (change) => void calls.push(`leave ${change}`),
    look: async (distance, length) => void calls.push(`look ${distance} ${length}`),
    lookBack: async () => void calls.push('look back'),
    paste: async (text) => void calls.push(`paste ${text}`),
    formatBlock: async (button) => void calls.push(`block ${button}`),
  };
  await performThere(editor, action);
  return calls;
}

const cases: [Action, string[]][] = [
  [{ kind: 'key', move: -2, text: 'x' }, ['move -2', 'press x']],
  [{ kind: 'backspace', move: 0 }, ['move 0', 'press Backspace']],
  [{ kind: 'delete', move: 1 }, ['move 1', 'press Delete']],
  [{ kind: 'paste', move: 3, text: 'a long text' }, ['move 3', 'paste a long text']],
  [{ kind: 'erase', move: -4, length: 2 }, ['select -4 2', 'press Backspace']],
  [{ kind: 'rewrite', text: 'other' }, ['select -5 5', 'paste other']],
  [{ kind: 'look', distance: -9, length: 3 }, ['look -9 3']],
  [{ kind: 'look-back' }, ['look back']],
  [{ kind: 'format-cursor', format: 'italic' }, ['press Ctrl+i']],
  [{ kind: 'format-range', format: 'bold', distance: -4, length: 2 }, ['select -4 2', 'press Ctrl+b', 'unselect -4']],
  [{ kind: 'format-block', button: 2 }, ['block 2']],
  [{ kind: 'sigil-delete', sigil: WHOLE }, [`select ${WHOLE}`, 'press Backspace', 'leave deleted']],
  [{ kind: 'sigil-format', sigil: WHOLE, format: 'bold' }, [`select ${WHOLE}`, 'press Ctrl+b', 'leave formatted']],
  [{ kind: 'sigil-delete', sigil: '00@b0' }, ['select 00@b0']],
  [{ kind: 'sigil-key', text: '0', sigil: '00@a0', last: true }, ['press 0']],
];
test.each(cases)('%j is done by its keys, in order', async (action, wanted) => {
  expect(await told(action)).toEqual(wanted);
});

test('an editor in this process has performed it, or has thrown, when the call returns', () => {
  const calls: string[] = [];
  const note =
    (name: string) =>
    (...parts: (string | number)[]) =>
      void calls.push([name, ...parts].join(' '));
  const editor: Gestures<unknown> = {
    ...{ press: note('press'), format: note('format'), move: note('move'), select: note('select') },
    ...{ unselect: note('unselect'), paste: note('paste'), formatBlock: note('block') },
    ...{ selectSigil: note('select'), leaveSigil: note('leave') },
  };
  performHere(editor, { kind: 'format-range', format: 'bold', distance: -4, length: 2 });
  expect(calls).toEqual(['select -4 2', 'format bold', 'unselect -4']);
  const broken = {
    ...editor,
    press: () => {
      throw new Error('the binding');
    },
  };
  expect(() => performHere(broken, { kind: 'backspace', move: 1 })).toThrow('the binding');
});
