import Delta from 'quill-delta';
import { expect, test } from 'vitest';
import type { EditorChangeHandler } from '../editor.ts';
import { NoQuill } from '../noquill/noquill.ts';
import { packedEditor } from './binding.ts';

test('what the binding itself puts into the editor reaches it packed, without a look at the text before', () => {
  const editor = new NoQuill();
  editor.setContents(new Delta().insert('some text\n'), 'api');
  let looks = 0;
  const on = editor.on.bind(editor);
  editor.on = ((event: 'editor-change', handler: EditorChangeHandler) =>
    on(event, (name, change, before, source) => {
      const text = before as Delta;
      const slice = text.slice.bind(text);
      text.slice = (...range) => {
        looks++;
        return slice(...range);
      };
      handler(name, change, before, source);
    })) as typeof editor.on;
  const heard: unknown[] = [];
  const binding = { toString: () => 'binding' };
  const packed = packedEditor(editor);
  packed.on('editor-change', (_name, change) => heard.push((change as Delta).ops));

  packed.updateContents(new Delta().retain(2).delete(3).retain(4).retain(1, { line: 'header:1' }), binding as never);
  expect(heard).toEqual([
    [{ retain: 2 }, { delete: 3 }, { retain: 4 }, { retain: 1, attributes: { line: 'header:1' } }],
  ]);
  expect(looks).toBe(0);

  editor.deleteText(0, 2, 'user');
  expect(heard.at(-1)).toEqual([{ delete: 2 }]);
  expect(looks).toBeGreaterThan(0);
});
