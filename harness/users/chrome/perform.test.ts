import { expect, test } from 'vitest';
import type { Action } from '../typing/typist.ts';
import { type EditorInPage, performInPage } from './perform.ts';

/** What an editor is told for an action, in order. */
async function told(action: Action): Promise<string[]> {
  const calls: string[] = [];
  const editor: EditorInPage = {
    press: async ({ down }) => void calls.push(`press ${down.modifiers === undefined ? '' : 'Ctrl+'}${down.key}`),
    move: async (distance) => void calls.push(`move ${distance}`),
    select: async (distance, length) => void calls.push(`select ${distance} ${length}`),
    unselect: async (distance) => void calls.push(`unselect ${distance}`),
    paste: async (text) => void calls.push(`paste ${text}`),
    formatBlock: async (button) => void calls.push(`block ${button}`),
  };
  await performInPage(editor, action);
  return calls;
}

const cases: [Action, string[]][] = [
  [{ kind: 'key', move: -2, text: 'x' }, ['move -2', 'press x']],
  [{ kind: 'backspace', move: 0 }, ['move 0', 'press Backspace']],
  [{ kind: 'delete', move: 1 }, ['move 1', 'press Delete']],
  [{ kind: 'paste', move: 3, text: 'a long text' }, ['move 3', 'paste a long text']],
  [{ kind: 'erase', move: -4, length: 2 }, ['select -4 2', 'press Backspace']],
  [{ kind: 'format-cursor', format: 'italic' }, ['press Ctrl+i']],
  [{ kind: 'format-range', format: 'bold', distance: -4, length: 2 }, ['select -4 2', 'press Ctrl+b', 'unselect -4']],
  [{ kind: 'format-block', button: 2 }, ['block 2']],
  [{ kind: 'sigil-key', text: '@', sigil: '000a@', last: true }, ['press @']],
];
test.each(cases)('%j is done by its keys, in order', async (action, wanted) => {
  expect(await told(action)).toEqual(wanted);
});
