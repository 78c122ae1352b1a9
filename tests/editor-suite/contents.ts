/** An editor's contents, and the effect of each change on them. */
import Delta from 'quill-delta';
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

export const CONTENTS_CASES: readonly EditorCase[] = [
  {
    name: 'a new editor holds one line break and has no selection',
    run(makeScreen) {
      const { editor } = makeScreen();
      expectContents(editor, ['\n']);
      expectEqual(editor.getLength(), 1);
      expectEqual(editor.getText(), '\n');
      expectEqual(editor.getSelection(), null);
    },
  },
  {
    name: 'contents, length and text count the last line break',
    run(makeScreen) {
      const editor = filled(makeScreen, SAMPLE);
      expectContents(editor, SAMPLE);
      expectEqual(editor.getLength(), 30);
      expectEqual(editor.getText(), 'plain bold end\nTitle\none\ntwo\n\n');
      expectEqual(editor.getText(6, 4), 'bold');
      expectEqual(editor.getText(27), 'o\n\n');
      expectEqual(editor.getContents(4, 4).ops, [{ insert: 'n ' }, { insert: 'bo', attributes: BOLD }]);
    },
  },
  {
    name: 'setContents adds the missing last line break, and only that',
    run(makeScreen) {
      const { editor } = makeScreen();
      editor.setContents([{ insert: 'abc' }]);
      expectContents(editor, ['abc\n']);
      editor.setContents([{ insert: 'abc\n\n' }]);
      expectContents(editor, ['abc\n\n']);
      editor.setContents([{ insert: 'abc' }, { insert: '\n', attributes: H1 }]);
      expectContents(editor, ['abc', ['\n', H1]]);
      editor.setContents([]);
      expectContents(editor, ['\n']);
    },
  },
  {
    name: 'insertText takes the formats of the text that it lands before, else of the text that it ends',
    run(makeScreen) {
      const text: readonly Piece[] = ['ab', ['cd', BOLD], '\n'];
      const inserted = (index: number) => {
        const editor = filled(makeScreen, text);
        editor.insertText(index, 'x');
        return editor;
      };
      expectContents(inserted(1), ['axb', ['cd', BOLD], '\n']);
      expectContents(inserted(2), ['ab', ['xcd', BOLD], '\n']);
      expectContents(inserted(4), ['ab', ['cdx', BOLD], '\n']);
    },
  },
  {
    name: 'insertText with formats adds them; a line break splits the line and both halves keep its format',
    run(makeScreen) {
      const editor = filled(makeScreen, ['Title', ['\n', H1]]);
      editor.insertText(2, 'x', ITALIC);
      editor.insertText(4, '\n');
      expectContents(editor, ['Ti', ['x', ITALIC], 't', ['\n', H1], 'le', ['\n', H1]]);
    },
  },
  {
    name: 'insertText of lines at the end of bold text is bold on the first of them only',
    run(makeScreen) {
      const editor = filled(makeScreen, [['ab', BOLD], '\n']);
      editor.insertText(2, 'x\r\ny');
      expectContents(editor, [['abx', BOLD], '\ny\n']);
    },
  },
  {
    name: 'insertText past the end begins a line',
    run(makeScreen) {
      const editor = filled(makeScreen, ['ab', ['\n', H1]]);
      editor.insertText(3, 'c');
      expectContents(editor, ['ab', ['\n', H1], 'c\n']);
    },
  },
  {
    name: 'updateContents gives inserted text exactly the formats that it names',
    run(makeScreen) {
      const editor = filled(makeScreen, SAMPLE);
      editor.updateContents(new Delta().retain(8).insert('x').retain(8).insert('y', ITALIC).insert('\n', BULLET));
      expectContents(editor, [
        'plain ',
        ['bo', BOLD],
        'x',
        ['ld', BOLD],
        ' end\nT',
        ['y', ITALIC],
        ['\n', BULLET],
        'itle',
        ...SAMPLE.slice(3),
      ]);
    },
  },
  {
    name: 'updateContents: a line has one block format; text takes no block format and a line break no inline one',
    run(makeScreen) {
      const editor = filled(makeScreen, ['ab', ['\n', H1]]);
      editor.updateContents(new Delta().retain(3, { bold: true, list: 'ordered', color: 'red' }));
      expectContents(editor, [
        ['ab', BOLD],
        ['\n', { list: 'ordered' }],
      ]);
      editor.updateContents(new Delta().retain(2).retain(1, { header: null }));
      expectContents(editor, [
        ['ab', BOLD],
        ['\n', { list: 'ordered' }],
      ]);
      editor.updateContents(new Delta().retain(2, { bold: false }).retain(1, { list: false }));
      expectContents(editor, ['ab\n']);
    },
  },
  {
    name: 'updateContents past the end begins a line, and never leaves a line break too many',
    run(makeScreen) {
      const one = filled(makeScreen, ['a\n']);
      one.updateContents(new Delta().retain(2).insert('b'));
      expectContents(one, ['a\nb\n']);
      const two = filled(makeScreen, ['a\n']);
      two.updateContents(new Delta().retain(2).insert('b\n'));
      expectContents(two, ['a\nb\n']);
      const three = filled(makeScreen, ['a\n']);
      three.updateContents(new Delta().retain(2).insert('b').insert('\n', BULLET));
      expectContents(three, ['a\nb', ['\n', BULLET]]);
    },
  },
  {
    name: 'the last line break cannot be deleted from under its text',
    run(makeScreen) {
      const text: readonly Piece[] = ['a\nbc', ['\n', H1]];
      const deleted = (index: number, length: number) => {
        const editor = filled(makeScreen, text);
        editor.deleteText(index, length);
        return editor;
      };
      expectContents(deleted(4, 1), text);
      expectContents(deleted(3, 2), ['a\nb', ['\n', H1]]);
      expectContents(deleted(2, 3), ['a\n']);
      expectContents(deleted(0, 5), ['\n']);
      expectContents(deleted(3, 99), ['a\nb', ['\n', H1]]);
    },
  },
  {
    name: 'a deleted line break leaves the lower line’s format',
    run(makeScreen) {
      const editor = filled(makeScreen, SAMPLE);
      editor.deleteText(14, 1);
      expectContents(editor, ['plain ', ['bold', BOLD], ' endTitle', ['\n', H1], ...SAMPLE.slice(4)]);
    },
  },
  {
    name: 'formatText formats the text of its range and the lines whose end lies in it',
    run(makeScreen) {
      const editor = filled(makeScreen, ['ab\ncd\n']);
      editor.formatText(1, 3, { bold: true, header: 2 });
      expectContents(editor, ['a', ['b', BOLD], ['\n', { header: 2 }], ['c', BOLD], 'd\n']);
    },
  },
  {
    name: 'formatLine formats each line that its range touches, and no text',
    run(makeScreen) {
      const editor = filled(makeScreen, ['ab\ncd\nef\n']);
      editor.formatLine(1, 3, { header: '2', bold: true });
      const header: Piece = ['\n', { header: 2 }];
      expectContents(editor, ['ab', header, 'cd', header, 'ef\n']);
      editor.formatLine(4, 0, { header: false });
      expectContents(editor, ['ab', header, 'cd\nef\n']);
    },
  },
];
