/** The gestures at NoQuill in this process: the functions that its keys and buttons call in Chrome. */
import { BLOCK_FORMATS } from '../../../editors/base/editor.ts';
import {
  pasteText,
  pressBackspace,
  pressDelete,
  pressEnter,
  toggleFormat,
  typeText,
} from '../../../editors/base/noquill/keys.ts';
import type { NoQuill } from '../../../editors/base/noquill/noquill.ts';
import type { Session } from '../../../editors/base/page/session.ts';
import type { Gestures } from '../typing/perform.ts';

export function gesturesAt(editor: NoQuill, session: Session): Gestures<void> {
  return {
    press(key) {
      if (key === 'backspace') pressBackspace(editor);
      else if (key === 'delete') pressDelete(editor);
      else if (key === '\n') pressEnter(editor);
      else typeText(editor, key);
    },
    format: (format) => toggleFormat(editor, format),
    move: (distance) => session.move(distance),
    select: (distance, length) => session.select(distance, length),
    unselect: (distance) => session.collapse(-distance),
    paste: (text) => pasteText(editor, text),
    formatBlock(button) {
      const { name, value } = BLOCK_FORMATS[button]!;
      toggleFormat(editor, name, value);
    },
  };
}
