/** Formats at a place, the selection and what moves it, events. */
import Delta from 'quill-delta';
import type { Editor } from '../../editors/base/editor.ts';
import {
  BOLD,
  BULLET,
  type EditorCase,
  expectContents,
  expectEqual,
  filled,
  H1,
  ITALIC,
  type Piece,
  SAMPLE,
} from './assertions.ts';

export const CURSOR_CASES: readonly EditorCase[] = [
  {
    name: 'getFormat answers for the character before the cursor, and for the line’s first one at its start',
    run(makeScreen) {
      const editor = filled(makeScreen, [['ab', BOLD], ['cd', ITALIC], ['\n', H1], '\n']);
      expectEqual(editor.getFormat(0), { ...BOLD, ...H1 });
      expectEqual(editor.getFormat(2), { ...BOLD, ...H1 });
      expectEqual(editor.getFormat(3), { ...ITALIC, ...H1 });
      expectEqual(editor.getFormat(5), {});
    },
  },
  {
    name: 'getFormat of a range answers what all of it has',
    run(makeScreen) {
      const editor = filled(makeScreen, SAMPLE);
      expectEqual(editor.getFormat(6, 4), BOLD);
      expectEqual(editor.getFormat(5, 4), {});
      expectEqual(editor.getFormat(15, 6), H1);
      expectEqual(editor.getFormat(15, 7), {});
      expectEqual(editor.getFormat(21, 8), BULLET);
      editor.formatLine(21, 1, { list: 'ordered' });
      expectEqual(editor.getFormat(21, 8), { list: ['ordered', 'bullet'] });
    },
  },
  {
    name: 'format at the cursor: inline waits for the next text, block formats the line',
    run(makeScreen) {
      const editor = filled(makeScreen, ['ab\n']);
      const changes = recordChanges(editor);
      editor.setSelection(1, 0);
      editor.format('bold', true, 'user');
      expectEqual(changes, []);
      expectEqual(editor.getFormat(1), BOLD);
      editor.format('list', 'bullet', 'user');
      expectContents(editor, ['ab', ['\n', BULLET]]);
      expectEqual(changes, [[[{ retain: 2 }, { retain: 1, attributes: BULLET }], 'user']]);
      editor.setSelection(2, 0);
      editor.insertText(2, 'c');
      editor.setSelection(1, 0);
      expectEqual(editor.getFormat(1), BULLET);
    },
  },
  {
    name: 'format of a selection: its text, or its lines; the selection stays',
    run(makeScreen) {
      const editor = filled(makeScreen, ['ab\ncd\n']);
      editor.setSelection(1, 3);
      editor.format('italic', true, 'user');
      editor.format('header', 1, 'user');
      const header: Piece = ['\n', H1];
      const b: Piece = ['b', ITALIC];
      expectContents(editor, ['a', b, header, ['c', ITALIC], 'd', header]);
      expectEqual(editor.getSelection(), { index: 1, length: 3 });
    },
  },
  {
    name: 'the selection stays within the document',
    run(makeScreen) {
      const editor = filled(makeScreen, ['abc\n']);
      editor.setSelection(99, 5);
      expectEqual(editor.getSelection(), { index: 3, length: 0 });
      editor.setSelection(-1, 2);
      expectEqual(editor.getSelection(), { index: 0, length: 2 });
      editor.setSelection(1, 99);
      expectEqual(editor.getSelection(), { index: 1, length: 2 });
    },
  },
  {
    name: 'updateContents at the cursor leaves the cursor in front, whoever makes it',
    run(makeScreen) {
      const shifted = (at: number, source: string) => {
        const editor = filled(makeScreen, ['abcdef\n']);
        editor.setSelection(2, 2);
        editor.updateContents(new Delta().retain(at).insert('xyz'), source);
        return editor.getSelection();
      };
      expectEqual(shifted(1, 'api'), { index: 5, length: 2 });
      expectEqual(shifted(2, 'api'), { index: 2, length: 5 });
      expectEqual(shifted(2, 'user'), { index: 2, length: 5 });
      expectEqual(shifted(3, 'api'), { index: 2, length: 5 });
      expectEqual(shifted(4, 'api'), { index: 2, length: 2 });
      expectEqual(shifted(4, 'user'), { index: 2, length: 2 });
      expectEqual(shifted(5, 'api'), { index: 2, length: 2 });
    },
  },
  {
    name: 'insertText at the cursor pushes it on, unless the user makes it',
    run(makeScreen) {
      const shifted = (source: string) => {
        const editor = filled(makeScreen, ['abcdef\n']);
        editor.setSelection(2, 2);
        editor.insertText(2, 'xyz', source);
        return editor.getSelection();
      };
      expectEqual(shifted('api'), { index: 5, length: 2 });
      expectEqual(shifted('user'), { index: 2, length: 5 });
    },
  },
  {
    name: 'a remote deletion takes its part of the selection',
    run(makeScreen) {
      const shifted = (at: number, length: number) => {
        const editor = filled(makeScreen, ['ab\ncdef\n']);
        editor.setSelection(3, 2);
        editor.updateContents(new Delta().retain(at).delete(length), 'api');
        return editor.getSelection();
      };
      expectEqual(shifted(0, 2), { index: 1, length: 2 });
      expectEqual(shifted(1, 3), { index: 1, length: 1 });
      expectEqual(shifted(4, 2), { index: 3, length: 1 });
      expectEqual(shifted(2, 4), { index: 2, length: 0 });
      expectEqual(shifted(5, 1), { index: 3, length: 2 });
    },
  },
  {
    name: 'setContents puts the cursor at the start',
    run(makeScreen) {
      const editor = filled(makeScreen, ['ab\ncd\n']);
      editor.setSelection(4, 1);
      editor.setContents([{ insert: 'wxyz\n' }]);
      expectEqual(editor.getSelection(), { index: 0, length: 0 });
    },
  },
  {
    name: 'events: the change, what was before it, and who made it; silent ones as editor-change only',
    run(makeScreen) {
      const editor = filled(makeScreen, ['ab\n']);
      const binding = { name: 'a binding' };
      const seen: unknown[] = [];
      const handler = (change: Delta, before: Delta, source: unknown) => {
        seen.push(['text-change', change.ops, before.ops, source === binding ? 'the binding' : source]);
      };
      editor.on('text-change', handler);
      editor.on('editor-change', (name) => seen.push(name));
      editor.updateContents(new Delta().retain(1).insert('x'), binding);
      editor.updateContents(new Delta().retain(1).insert('y'), 'silent');
      editor.off('text-change', handler);
      editor.deleteText(0, 1);
      expectEqual(seen, [
        'text-change',
        ['text-change', [{ retain: 1 }, { insert: 'x' }], [{ insert: 'ab\n' }], 'the binding'],
        'text-change',
        'text-change',
      ]);
    },
  },
  {
    name: 'events: selection changes come before the change that moved them, silently',
    run(makeScreen) {
      const editor = filled(makeScreen, ['ab\n']);
      const seen: unknown[][] = [];
      editor.on('editor-change', (name, ...details) => {
        seen.push(name === 'selection-change' ? [name, ...details] : [name]);
      });
      editor.setSelection(1, 1, 'user');
      editor.setSelection(1, 1, 'user');
      editor.updateContents(new Delta().insert('x'), 'api');
      expectEqual(seen, [
        ['selection-change', { index: 1, length: 1 }, null, 'user'],
        ['selection-change', { index: 2, length: 1 }, { index: 1, length: 1 }, 'silent'],
        ['text-change'],
      ]);
    },
  },
  {
    name: 'a module that is not there is undefined',
    run(makeScreen) {
      expectEqual(makeScreen().editor.getModule('cursors'), undefined);
    },
  },
];

function recordChanges(editor: Editor): unknown[] {
  const changes: unknown[] = [];
  editor.on('text-change', (change, _before, source) => changes.push([change.ops, source]));
  return changes;
}
